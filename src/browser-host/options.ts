import { parseArgs } from 'node:util'
import { defaultDataFolder } from '../platform/data-folder.ts'

export type HostOptions = {
  /** 0 for any free port. */
  port: number
  dataDir: string
  /** Whether to open the address in the system's browser. */
  open: boolean
  /** Whether to open it in a window of its own where a browser can. */
  window: boolean
  /** A service manager started Keydesk, and starts it again after exit status 75. */
  service: boolean
  /** Stop the running Keydesk instead of starting one. */
  quit: boolean
  /** A `keydesk:` link, not validated yet. */
  link: string | null
}

/** Parses the command line. Throws an Error with a message for people. */
export function readOptions(args: readonly string[]): HostOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string' },
      data: { type: 'string' },
      'no-open': { type: 'boolean', default: false },
      window: { type: 'boolean', default: false },
      service: { type: 'boolean', default: false },
      quit: { type: 'boolean', default: false },
    },
    allowPositionals: true,
    strict: true,
  })
  const stray = positionals.find((argument) => !argument.startsWith('keydesk:'))
  if (stray !== undefined) throw new Error(`“${stray}” is neither an option nor a keydesk: link.`)
  const port = values.port === undefined ? 0 : Number(values.port)
  if (!Number.isInteger(port) || port < 0 || port > 65_535 || values.port === '')
    throw new Error(`--port must be a number from 0 to 65535, not "${values.port}".`)
  if (values.data === '') throw new Error('--data needs a folder.')
  const { window, service, quit } = values
  return {
    port,
    dataDir: values.data ?? defaultDataFolder(),
    open: !values['no-open'],
    window,
    service,
    quit,
    link: positionals.at(-1) ?? null,
  }
}
