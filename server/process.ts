/**
 * The process's life: command line, the ready line on standard output, one plain line on standard
 * error when it can't, and its end.
 */
import { flushCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { userDataFolder } from './data-folder.ts'
import { LedgerBrokenError } from './domain/service.ts'
import { type Options, readOptions, usage, UsageError } from './options.ts'
import { startSandbox } from './sandbox.ts'
import { stderrLog } from './stderr-log.ts'
import { StoreOpenError } from './store/errors.ts'

/** Why the service can't start, in one line for the person who started it. */
function reasonOf(error: unknown, { host, port }: Options): string {
  if (error instanceof StoreOpenError || error instanceof LedgerBrokenError) return error.message
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return `Port ${port} of ${host} is in use by another program; choose another with --port, or 0 for any free one.`
  if (code === 'EACCES') return `Port ${port} of ${host} may not be listened on by this user.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `The address ${host} is not one of this machine.`
  return `The service could not start: ${error instanceof Error ? error.message : String(error)}`
}

/** Resolves when the process is asked to end: SIGTERM, SIGINT, or its parent gone. */
function endAsked(exitWithParent: boolean): Promise<void> {
  return new Promise((resolve) => {
    process.on('SIGTERM', () => resolve())
    process.on('SIGINT', () => resolve())
    if (!exitWithParent) return
    process.stdin
      .on('end', () => resolve())
      .on('close', () => resolve())
      .on('error', () => resolve())
    process.stdin.resume()
  })
}

const say = (line: string): void => void process.stderr.write(`${line}\n`)

async function run(options: Options): Promise<number> {
  // Who reads us may go first; that must not end a service that is closing its database.
  process.stdout.on('error', () => undefined)
  process.stderr.on('error', () => undefined)
  const asked = endAsked(options.exitWithParent)
  try {
    const sandbox = await startSandbox(options, stderrLog)
    process.stdout.write(`${JSON.stringify(sandbox.ready)}\n`)
    flushCompileCache()
    await asked
    await sandbox.stop()
    return 0
  } catch (error) {
    say(reasonOf(error, options))
    return 1
  }
}

function commandLine(args: readonly string[]): Options | null {
  return readOptions(
    args,
    userDataFolder({ platform: process.platform, home: homedir(), env: process.env }),
  )
}

/** Runs the service by its command line, and gives the exit status once it has ended. */
export async function main(args: readonly string[]): Promise<number> {
  try {
    const options = commandLine(args)
    if (options !== null) return await run(options)
    process.stdout.write(`${usage}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    say(error.message)
    return 1
  }
}
