import { url as inspectorUrl } from 'node:inspector'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { app, dialog, powerMonitor, protocol, screen } from 'electron'
import { appId } from './app-id.ts'
import { readRendererFiles } from '../platform/renderer-files.ts'
import { createAppProtocol } from './window/app-protocol.ts'
import { startCoreProcess } from './core-process/core-process.ts'
import type { CoreProcess } from './core-process/core-process.ts'
import { setMenu } from './window/menu.ts'
import { placeOfArguments, placeOfLink } from '../platform/deep-link.ts'
import type { Place } from '../platform/deep-link.ts'
import { guardEveryPage } from './security/every-page.ts'
import { changedPrograms } from './security/program-files.ts'
import { denyRemoteDebugging } from './security/remote-debugging.ts'
import { createDesktopNotifications } from './notifications/desktop-notifications.ts'
import { createRestartLimit } from './core-process/restart-limit.ts'
import { openWindow } from './window/window.ts'
import type { AppWindow } from './window/window.ts'
import { openWindowState } from './window/window-state.ts'
import { install, installationOf, isReplacedByKeydesk } from './updates/installation.ts'
import { requestedSelfCheck } from './self-check/self-check.ts'

/** The Electron host: one instance, one window, the core in its own process. */
const fromHere = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const unpacked = (path: string): string =>
  fromHere(path).replace(/app\.asar([\\/])/, 'app.asar.unpacked$1')

protocol.registerSchemesAsPrivileged([
  {
    scheme: 'app',
    privileges: {
      standard: true,
      secure: true,
      supportFetchAPI: false,
      stream: false,
      corsEnabled: false,
    },
  },
])

// Everything that the console and its processes create is for this user only.
process.umask(0o077)
// Windows shows notifications only of an app with the identity of its shortcut.
if (process.platform === 'win32') app.setAppUserModelId(appId)
denyRemoteDebugging(app, inspectorUrl())
guardEveryPage(app)

const selfCheck = requestedSelfCheck(app)
let window: AppWindow | undefined
let core: CoreProcess | undefined
/** Keydesk is quitting. */
let quitting = false
/** The verified file of an update, installed when Keydesk has ended. */
let update: string | null = null
/** The place to open, requested before there is a window. */
let requestedPlace: Place | null = placeOfArguments(process.argv)

function openPlace(place: Place | null): void {
  if (place === null) return
  if (window === undefined) requestedPlace = place
  else window.open(place)
}

const installation = selfCheck === null ? installationOf(app) : null
const notices = createDesktopNotifications(openPlace)
const restarts = createRestartLimit(() => performance.now())

function failToStart(reason: string): void {
  if (selfCheck !== null) return selfCheck.fail(reason)
  dialog.showErrorBox('Keydesk can’t start', reason)
  app.exit(1)
}

/** Installs the update that a person chose. If that fails, this version starts again. */
function installUpdate(): void {
  if (update === null || installation === null || !isReplacedByKeydesk(installation)) return
  try {
    install(installation, update, app)
  } catch {
    dialog.showErrorBox(
      'The update wasn’t installed',
      `You keep Keydesk ${__KEYDESK_VERSION__}. Check that there is free disk space and that you ` +
        'can change the folder of Keydesk, then try again.',
    )
    app.relaunch()
  }
}

function startCore(dataDir: string): CoreProcess {
  return startCoreProcess({
    corePath: unpacked('../core/core-entry.js'),
    serverPath: unpacked('../server/main.js'),
    start: {
      type: 'start',
      version: __KEYDESK_VERSION__,
      dataDir,
      workers: unpacked('../workers'),
      installation: installation?.kind ?? null,
    },
    proxies: (url) => app.resolveProxy(url),
    notices,
    onFailed: failToStart,
    onRestart: () => {
      const before = core
      void before?.close().then(() => {
        // Another core is already running, or Keydesk is quitting.
        if (core !== before || quitting) return
        core = startCore(dataDir)
        window?.connectionLost()
      })
    },
    onInstall: (path) => {
      update = path
      app.quit()
    },
    onQuit: () => app.quit(),
    onSelfChecked: (checks) => void core?.close().then(() => selfCheck?.finish(checks)),
    onLost: () => {
      if (selfCheck !== null || !restarts.allowed())
        return failToStart(
          'Its background process keeps stopping. See the log in the data folder, ' +
            'restart the computer, or contact support.',
        )
      core = startCore(dataDir)
      window?.connectionLost()
    },
  })
}

async function main(): Promise<void> {
  if (selfCheck === null && !app.requestSingleInstanceLock()) return app.quit()
  app.on('second-instance', (_event, given) => {
    window?.show()
    openPlace(placeOfArguments(given))
  })
  // macOS delivers links this way, even before the app is ready.
  app.on('open-url', (event, link) => {
    event.preventDefault()
    openPlace(placeOfLink(link))
  })
  app.on('window-all-closed', () => app.quit())
  let ended = false
  app.on('before-quit', (event) => {
    quitting = true
    if (ended || core === undefined) return
    event.preventDefault()
    void core.close().then(() => {
      ended = true
      installUpdate()
      app.quit()
    })
  })

  const [[changed]] = await Promise.all([
    changedPrograms(resolve(fromHere('../..'))),
    app.whenReady(),
  ])
  if (changed !== undefined)
    return failToStart(`Its file ${changed} was changed or is missing. Install Keydesk again.`)
  if (app.isPackaged && selfCheck === null) app.setAsDefaultProtocolClient('keydesk')
  const dataDir =
    (selfCheck === null && app.commandLine.getSwitchValue('data')) || app.getPath('userData')
  protocol.handle('app', createAppProtocol(await readRendererFiles(fromHere('../renderer'))))
  setMenu(app.isPackaged)
  core = startCore(dataDir)
  powerMonitor.on('suspend', () => core?.reportRest('sleep'))
  powerMonitor.on('lock-screen', () => core?.reportRest('screen'))
  window = openWindow({
    preloadPath: fromHere('../preload/index.cjs'),
    iconPath: fromHere('../../resources/icon.png'),
    state: openWindowState(join(dataDir, 'window.json'), () =>
      screen.getAllDisplays().map(({ workArea }) => workArea),
    ),
    hidden: selfCheck !== null,
    connect: () => {
      if (core === undefined) throw new Error('The core is not running')
      return core.connect()
    },
  })
  if (selfCheck !== null) return core.selfCheck()
  notices.showCount()
  openPlace(requestedPlace)
}

main().catch(() =>
  failToStart('An unexpected error stopped Keydesk. Install it again, or contact support.'),
)
