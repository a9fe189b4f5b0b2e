import { MessageChannelMain, utilityProcess } from 'electron'
import type { MessagePortMain, UtilityProcess } from 'electron'
import { coreEnvironment } from '../../platform/environment.ts'
import { createBackendForks } from './backend-forks.ts'
import type { FromCore, ToCore } from './core-messages.ts'
import { actOnClipboard } from './secret-clipboard.ts'
import type { CoreChecks } from '../self-check/report.ts'
import { stopProcess } from './stop-process.ts'
import type { DesktopNotifications } from '../notifications/desktop-notifications.ts'

/**
 * A page's connection to the core: the port to hand to the page, and a way to cut it afterwards.
 */
export type PageConnection = { port: MessagePortMain; cut(): void }

/**
 * How long the core has to save and close everything, and how long its process then has to exit, in
 * milliseconds.
 */
const closeTimeoutMs = 5000
const exitTimeoutMs = 2000

export type CoreProcess = {
  connect(): PageConnection
  /** The computer is going to sleep, or its screen was locked. */
  reportRest(why: 'sleep' | 'screen'): void
  /** Asks the core to use every part of the installation. */
  selfCheck(): void
  /** Stops the core in an orderly way. */
  close(): Promise<void>
}

type Parts = {
  corePath: string
  serverPath: string
  start: Extract<ToCore, { type: 'start' }>
  /** The system's proxy rules for an address. */
  proxies(url: string): Promise<string>
  notices: DesktopNotifications
  /** The core couldn't start; the reason is for people. */
  onFailed(reason: string): void
  /** The core process exited unexpectedly: its pages need a new connection. */
  onLost(): void
  /** The core asks to be restarted. */
  onRestart(): void
  /** Install a verified file of an update after quitting. */
  onInstall(path: string): void
  /** A person chose to quit. */
  onQuit(): void
  /** The core used every part of the installation, as {@link CoreProcess.selfCheck} asked. */
  onSelfChecked(checks: CoreChecks): void
}

/** Runs the core in its own process, so that its work never blocks the window. */
export function startCoreProcess(parts: Parts): CoreProcess {
  const child: UtilityProcess = utilityProcess.fork(parts.corePath, [], {
    stdio: 'inherit',
    serviceName: 'Keydesk core',
    env: coreEnvironment(process.env),
  })
  const tell = (message: ToCore, ports: MessagePortMain[] = []): void =>
    child.postMessage(message, ports)
  const backends = createBackendForks(
    (path, args, options) => utilityProcess.fork(path, args, options),
    parts.serverPath,
    tell,
  )
  const ended = Promise.withResolvers<void>()
  let closing = false
  let lastPage = 0

  child.on('message', (message: FromCore) => {
    switch (message.type) {
      case 'started':
        return
      case 'failed':
        return parts.onFailed(message.reason)
      case 'start-backend':
      case 'stop-backend':
        return backends.hear(message)
      case 'find-proxies':
        void parts
          .proxies(message.url)
          .catch(() => 'DIRECT')
          .then((rules) => tell({ type: 'proxies', id: message.id, rules }))
        return
      case 'clipboard':
        void actOnClipboard(message.act, message.text).then((done) =>
          tell({ type: 'clipboard-done', id: message.id, failed: !done }),
        )
        return
      case 'self-checked':
        return parts.onSelfChecked(message.checks)
      case 'restart':
        return parts.onRestart()
      case 'install':
        return parts.onInstall(message.path)
      case 'quit':
        return parts.onQuit()
      case 'notice':
        return parts.notices.tell(message.notice)
      case 'unseen':
        return parts.notices.unseen(message.count)
      case 'closed':
        stopProcess(child, exitTimeoutMs)
    }
  })
  child.once('exit', () => {
    backends.stopAll()
    ended.resolve()
    if (!closing) parts.onLost()
  })
  tell(parts.start)

  return {
    connect() {
      const { port1, port2 } = new MessageChannelMain()
      const page = ++lastPage
      tell({ type: 'page', page }, [port1])
      return { port: port2, cut: () => tell({ type: 'page-gone', page }) }
    },
    reportRest: (why) => tell({ type: 'rest', why }),
    selfCheck: () => tell({ type: 'self-check' }),
    close() {
      closing = true
      tell({ type: 'close' })
      setTimeout(() => stopProcess(child, exitTimeoutMs), closeTimeoutMs).unref()
      return ended.promise
    },
  }
}
