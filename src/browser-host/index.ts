import { uptime } from 'node:os'
import { fileURLToPath } from 'node:url'
import { RPCHandler } from '@orpc/server/ws'
import { DataFolderInUse, startConsole } from '../core/start-console.ts'
import type { Console } from '../core/start-console.ts'
import type { Host } from '../platform/host.ts'
import { withTimeout } from '../platform/with-timeout.ts'
import { environmentNetwork } from '../platform/network.ts'
import { defaultSandboxKeysFolder } from '../platform/data-folder.ts'
import { createNodeBackends } from '../platform/backends/node-backends.ts'
import { createOsKeychain } from '../platform/keychain/os-keychain.ts'
import { watchSleep } from '../platform/power.ts'
import { quietConsole } from '../platform/quiet-console.ts'
import { readRendererFiles } from '../platform/renderer-files.ts'
import { placeOfLink } from '../platform/deep-link.ts'
import { installedUpdates, startInstalled } from './installation.ts'
import { systemResolvesLocalhost } from './localhost.ts'
import { createOpener } from './opener.ts'
import { readOptions } from './options.ts'
import type { HostOptions } from './options.ts'
import { startServer } from './server.ts'
import type { BrowserServer } from './server.ts'
import { listenForStarts } from './second-start/control-socket.ts'
import { handOver, handOverToStarting, openerOf } from './second-start/hand-over.ts'
import type { HandOver } from './second-start/hand-over.ts'
import { createSessions } from './sessions/sessions.ts'
import { listenToTerminal } from './terminal.ts'

/**
 * The host without Electron: the same core and screen, served from a loopback address. Standard
 * output contains only the ready line.
 */
const fromHere = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
/** How long the core has to stop before another one starts, in milliseconds. */
const coreStopMs = 15_000
/** The exit status that asks a service manager to start Keydesk again. */
const startAgainStatus = 75
const say = (text: string): void => void process.stderr.write(`${text}\n`)

async function main(): Promise<void> {
  quietConsole(say)
  // Everything that this process and its backends create is for this user only.
  process.umask(0o077)
  const options = readOptions(process.argv.slice(2))
  if (options.quit || options.open) {
    if (isHandedOver(await handOver(options))) return
    if (options.quit) return say('Keydesk isn’t running on this data folder.')
  }
  let core: Console | undefined
  let server: BrowserServer | undefined
  let ending = false
  const end = (status: number, then = (): void => {}): void => {
    if (ending) return
    ending = true
    // Notifies our parent process that we are quitting, so that it can kill us if we hang.
    if (process.connected === true) process.disconnect()
    const byForce = setTimeout(() => process.exit(status), 5000)
    void (async () => {
      await server?.close()
      await core?.close()
      clearTimeout(byForce)
      then()
      process.exit(status)
    })()
  }
  // These signals can arrive more than once: a terminal interrupts the entire process group, and
  // npm also forwards the signal.
  process.on('SIGINT', () => end(0))
  process.on('SIGTERM', () => end(0))

  const sessions = createSessions(
    () => performance.now(),
    () => Date.now(),
  )
  sessions.watch((event) => {
    if (event === 'address-reused') say(reusedAddress)
  })
  const updates = installedUpdates(fromHere('..'), __KEYDESK_UPDATE_SOURCE__, () => {
    if (options.service) end(startAgainStatus)
    else end(0, () => startInstalled(options.dataDir))
  })
  const host: Host = {
    ...(updates === undefined ? {} : { updates }),
    kind: 'browser',
    version: __KEYDESK_VERSION__,
    dataDir: options.dataDir,
    sandboxKeysDir: defaultSandboxKeysFolder(),
    keychain: createOsKeychain(),
    power: watchSleep(
      () => uptime() * 1000,
      (ms, task) => {
        const timer = setInterval(task, ms).unref()
        return () => clearInterval(timer)
      },
    ),
    backends: createNodeBackends(fromHere('../server/main.js')),
    network: environmentNetwork(process.env),
    sessions,
    restart: () => void restart().catch(failed),
    quit: () => end(0),
    workerPath: (name) => fromHere(`../workers/${name}.js`),
  }
  // In parallel with the start of the core, which takes longer.
  const askedForLocalhost = systemResolvesLocalhost()
  try {
    core = await startConsole(host)
  } catch (error) {
    if (error instanceof DataFolderInUse && isHandedOver(await handOverToStarting(options))) return
    throw error
  }
  let ready = true

  async function restart(): Promise<void> {
    if (!ready || ending || server === undefined) return
    ready = false
    server.disconnectPages()
    await withTimeout(
      core?.close() ?? Promise.resolve(),
      coreStopMs,
      'its background process isn’t stopping. Start Keydesk again: unfinished work is saved and resumes',
    )
    core = await startConsole(host)
    core.announce(server.origins.entry)
    ready = true
  }
  const resolvesLocalhost = await askedForLocalhost
  server = await startServer({
    port: options.port,
    sessions,
    resolvesLocalhost,
    files: await readRendererFiles(fromHere('../renderer')),
    isReady: () => ready,
    onConnection(socket) {
      if (core !== undefined) void new RPCHandler(core.router).upgrade(socket, { context: {} })
    },
  })
  const opener = createOpener(server, resolvesLocalhost, openerOf(options))
  const starts = await listenForStarts(options.dataDir, {
    open: (place, openFile) => opener.open(place, openFile),
    quit: () => end(0),
  })
  process.on('exit', () => {
    opener.close()
    starts?.close()
  })
  const open = async (): Promise<void> => {
    const place = options.link === null ? null : placeOfLink(options.link)
    if (!(await opener.open(place))) say("Can't open a browser here. Open the address yourself.")
  }
  core.announce(server.origins.entry)
  process.stdout.write(`${JSON.stringify({ ready: true, ...printedAddress(server, options) })}\n`)
  if (options.open) await open()
  listenToTerminal(process.stdin, {
    open: () => {
      if (server === undefined) return
      say(`Open ${server.newAddress('entry')} (valid for one minute)`)
      void open()
    },
    quit: () => end(0),
  })
}

/**
 * The address for the ready line. A desktop or a service manager writes our output to a log, so it
 * is left out there.
 */
const printedAddress = (
  server: BrowserServer,
  { window, service }: HostOptions,
): { url?: string } => (window || service ? {} : { url: server.newAddress('entry') })

/** Whether a running Keydesk took this start over. Says so if the person still sees no window. */
function isHandedOver(result: HandOver): boolean {
  if (result === 'no-browser') {
    say(
      'Keydesk is already running, but no browser could be opened here. ' +
        'Press o in the terminal where it runs for a new address.',
    )
    process.exitCode = 1
  }
  return result !== 'none'
}

const reusedAddress =
  'WARNING: an address of Keydesk was used twice. Keydesk ended the session that it had opened. ' +
  'If you didn’t open it twice, another program or person may have read it: check the activity. ' +
  'Press o to open a new address.'

function failed(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const reason = error instanceof Error ? error.message : String(error)
  say(`Keydesk can't start: ${code === 'EADDRINUSE' ? portInUse(reason) : reason}`)
  process.exit(1)
}

const portInUse = (reason: string): string =>
  `${reason.replace(/^listen EADDRINUSE: /, '')}. Choose another port with --port, or leave it out.`

main().catch(failed)
