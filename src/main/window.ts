import { BrowserWindow, ipcMain, shell } from 'electron'
import type { IpcMainEvent } from 'electron'
import type { Line } from './core-process.ts'
import type { Place } from './security/deep-link.ts'
import { appOrigin, isFromApp } from './security/sender.ts'
import { refuseNavigation } from './security/navigation.ts'
import { refuseNewWindows } from './security/new-windows.ts'
import { refusePermissions } from './security/permissions.ts'
import type { WindowState } from './window-state.ts'

type Parts = {
  preloadPath: string
  iconPath: string
  state: WindowState
  /** Opens a new connection to the core. */
  connect(): Line
}

export type AppWindow = {
  /** Brings the window to the front. */
  show(): void
  /** Brings the window to the front and shows a place in it, as soon as its page is loaded. */
  open(place: Place): void
  /**
   * The core behind the page's connection has stopped: tells the page, which requests a new one.
   */
  lineLost(): void
}

/**
 * Opens the console's only window. Its page is untrusted: it gets a port to the core and nothing
 * else.
 */
export function openWindow(parts: Parts): AppWindow {
  const window = new BrowserWindow({
    ...parts.state.bounds(),
    minWidth: 960,
    minHeight: 640,
    show: false,
    title: 'Keydesk',
    icon: parts.iconPath,
    backgroundColor: '#F1F2F5',
    titleBarStyle: process.platform === 'darwin' ? 'hiddenInset' : 'default',
    autoHideMenuBar: true,
    webPreferences: {
      preload: parts.preloadPath,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
      spellcheck: false,
      navigateOnDragDrop: false,
    },
  })
  const contents = window.webContents
  refuseNavigation(contents)
  refuseNewWindows(contents, (url) => shell.openExternal(url))
  refusePermissions(contents.session)

  let line: Line | undefined
  /** The place to show, requested before the page was loaded. */
  let waiting: Place | null = null
  const dropLine = (): void => {
    line?.cut()
    line = undefined
  }
  const hand = (event: IpcMainEvent): void => {
    if (!isFromApp(event, contents)) return
    dropLine()
    line = parts.connect()
    event.senderFrame?.postMessage('keydesk:port', null, [line.port])
    if (waiting !== null) event.senderFrame?.postMessage('keydesk:place', waiting)
    waiting = null
  }
  ipcMain.on('keydesk:connect', hand)
  contents.on('did-start-navigation', (details) => {
    if (details.isMainFrame && !details.isSameDocument) dropLine()
  })
  window.once('ready-to-show', () => window.show())
  window.on('close', () => parts.state.keep(window.getBounds(), window.isMaximized()))
  window.once('closed', () => {
    ipcMain.off('keydesk:connect', hand)
    dropLine()
  })
  if (parts.state.maximized()) window.maximize()
  void window.loadURL(`${appOrigin}/`)

  function show(): void {
    if (window.isMinimized()) window.restore()
    window.show()
    window.focus()
  }
  return {
    show,
    open(place) {
      show()
      if (line === undefined) waiting = place
      else contents.mainFrame.postMessage('keydesk:place', place)
    },
    lineLost() {
      if (line === undefined) return
      line = undefined
      contents.mainFrame.postMessage('keydesk:lost', null)
    },
  }
}
