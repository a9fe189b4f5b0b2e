import { BrowserWindow, ipcMain, shell } from 'electron'
import type { IpcMainEvent } from 'electron'
import type { PageConnection } from '../core-process/core-process.ts'
import type { Place } from '../security/deep-link.ts'
import { appOrigin, isFromApp } from '../security/sender.ts'
import { denyNavigation } from '../security/navigation.ts'
import { denyNewWindows } from '../security/new-windows.ts'
import { denyPermissions } from '../security/permissions.ts'
import type { WindowState } from './window-state.ts'

type Parts = {
  preloadPath: string
  iconPath: string
  state: WindowState
  /** Opens a new connection to the core. */
  connect(): PageConnection
}

export type AppWindow = {
  /** Brings the window to the front. */
  show(): void
  /** Brings the window to the front and shows a place in it, as soon as its page is loaded. */
  open(place: Place): void
  /**
   * The core behind the page's connection has stopped: tells the page, which requests a new one.
   */
  connectionLost(): void
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
  denyNavigation(contents)
  denyNewWindows(contents, (url) => shell.openExternal(url))
  denyPermissions(contents.session)

  let connection: PageConnection | undefined
  /** The place to show, requested before the page was loaded. */
  let waiting: Place | null = null
  const dropConnection = (): void => {
    connection?.cut()
    connection = undefined
  }
  const hand = (event: IpcMainEvent): void => {
    if (!isFromApp(event, contents)) return
    dropConnection()
    connection = parts.connect()
    event.senderFrame?.postMessage('keydesk:port', null, [connection.port])
    if (waiting !== null) event.senderFrame?.postMessage('keydesk:place', waiting)
    waiting = null
  }
  ipcMain.on('keydesk:connect', hand)
  contents.on('did-start-navigation', (details) => {
    if (details.isMainFrame && !details.isSameDocument) dropConnection()
  })
  window.once('ready-to-show', () => window.show())
  window.on('close', () => parts.state.keep(window.getBounds(), window.isMaximized()))
  window.once('closed', () => {
    ipcMain.off('keydesk:connect', hand)
    dropConnection()
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
      if (connection === undefined) waiting = place
      else contents.mainFrame.postMessage('keydesk:place', place)
    },
    connectionLost() {
      if (connection === undefined) return
      connection = undefined
      contents.mainFrame.postMessage('keydesk:lost', null)
    },
  }
}
