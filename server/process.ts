/**
 * The life cycle of the process: command line, ready line on standard output, one line on standard
 * error if the start fails, and exit.
 */
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { type Machine, publishedKeysFolder, userDataFolder } from './api/user-folders.ts'
import { LedgerBrokenError } from './domain/service.ts'
import { type Options, readOptions, usage, UsageError } from './options.ts'
import { startSandbox } from './sandbox.ts'
import { stderrLog } from './stderr-log.ts'
import { StoreOpenError } from './store/errors.ts'

/** The reason for a failed start, in one line for the person who started it. */
function reasonOf(error: unknown, { host, port }: Options): string {
  if (error instanceof StoreOpenError || error instanceof LedgerBrokenError) return error.message
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use by another program. Choose another with --port, or 0 for any free port.`
  if (code === 'EACCES') return `This user isn't allowed to listen on port ${port} on ${host}.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `The address ${host} doesn't belong to this computer.`
  return `The service couldn't start: ${error instanceof Error ? error.message : String(error)}`
}

/** Resolves when the process should exit: SIGTERM, SIGINT, or its parent has exited. */
function stopRequested(exitWithParent: boolean): Promise<void> {
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

/** Clear HTTP is for this computer only; an API key on a network is readable by everyone on the way. */
const remoteWarning = (address: string): string =>
  `WARNING: ${address} speaks unencrypted HTTP and accepts connections from other computers. ` +
  'Everyone on the network can read API keys and game keys. Use it with simulated data only, or ' +
  'behind a proxy with TLS.'

/** Readers poll for the file, so it never exists with a part of the line. */
function publish(line: string, file: string): void {
  writeFileSync(`${file}.part`, line)
  renameSync(`${file}.part`, file)
}

const say = (line: string): void => void process.stderr.write(`${line}\n`)

async function run(options: Options): Promise<number> {
  // The files of this service are for its user only, SQLite's journals and locks included.
  process.umask(0o077)
  // The reader of the output can exit first; that must not kill a service that is closing its
  // database.
  process.stdout.on('error', () => undefined)
  process.stderr.on('error', () => undefined)
  const asked = stopRequested(options.exitWithParent)
  try {
    const sandbox = await startSandbox(options, stderrLog, publishedKeysFolder(machine()))
    const line = `${JSON.stringify(sandbox.ready)}\n`
    process.stdout.write(line)
    const { readyFile } = options
    if (readyFile !== null) publish(line, readyFile)
    if (options.allowRemote) say(remoteWarning(sandbox.ready.baseUrl))
    flushCompileCache()
    await asked
    if (readyFile !== null) rmSync(readyFile, { force: true })
    await sandbox.stop()
    return 0
  } catch (error) {
    say(reasonOf(error, options))
    return 1
  }
}

const machine = (): Machine => ({
  platform: process.platform,
  home: homedir(),
  env: process.env,
})

/** The text of `--repeatable` can come by a variable, because other users see command lines. */
function commandLine(args: readonly string[]): Options | null {
  const text = process.env['KEYDESK_SANDBOX_REPEATABLE']
  const all = text === undefined ? args : [...args, `--repeatable=${text}`]
  return readOptions(all, userDataFolder(machine()))
}

/** Runs the service with its command line, and returns the exit status when it has stopped. */
export async function main(args: readonly string[]): Promise<number> {
  try {
    const [command, ...rest] = args
    if (command === 'certify') {
      const { certifyMain } = await import('./certify/command.ts')
      return await certifyMain(rest)
    }
    if (command === 'mcp') {
      const { mcpMain } = await import('./mcp/command.ts')
      return await mcpMain(rest, process.stdin)
    }
    if (command === 'replay') {
      const { replayMain } = await import('./worlds/command.ts')
      return await replayMain(rest)
    }
    if (command === 'record') {
      const { recordMain } = await import('./record/command.ts')
      return await recordMain(rest)
    }
    if (command === 'compare') {
      const { compareMain } = await import('./worlds/compare-command.ts')
      return await compareMain(rest)
    }
    if (command === 'differences') {
      const { differencesMain } = await import('./worlds/differences-command.ts')
      return await differencesMain(rest)
    }
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
