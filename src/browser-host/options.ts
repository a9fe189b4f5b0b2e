import { parseArgs } from 'node:util'
import { defaultDataFolder } from '../platform/data-folder.ts'

export type HostOptions = {
  /** 0 for any free port. */
  port: number
  dataDir: string
  /** Whether to open the address in the system's browser. */
  open: boolean
}

/** Parses the command line. Throws an Error with a message for people. */
export function readOptions(args: readonly string[]): HostOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string' },
      data: { type: 'string' },
      'no-open': { type: 'boolean', default: false },
    },
    strict: true,
  })
  const port = values.port === undefined ? 0 : Number(values.port)
  if (!Number.isInteger(port) || port < 0 || port > 65_535 || values.port === '')
    throw new Error(`--port must be a number from 0 to 65535, not "${values.port}".`)
  if (values.data === '') throw new Error('--data needs a folder.')
  return { port, dataDir: values.data ?? defaultDataFolder(), open: !values['no-open'] }
}
