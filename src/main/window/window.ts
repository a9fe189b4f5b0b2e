import { BrowserWindow, ipcMain, shell } from 'electron'
import type { IpcMainEvent } from 'electron'
import type { PageConnection } from '../core-process/core-process.ts'
import type { Place } from '../../platform/deep-link.ts'
import { appOrigin, isFromApp } from '../security/sender.ts'
import { denyNewWindows } from '../security/new-windows.ts'
import { createUserActivation } from '../security/user-activation.ts'
import type { WindowState } from './window-state.ts'

type Parts = {
  preloadPath: string
  iconPath: string
  state: WindowState
  /** Never shows it, for a check without a person. */
  hidden: boolean
  /** Opens a new connection to the core. */
  connect(): PageConnection
}

export type AppWindow = {
  /** Brings the window to the front. */
  show(): void
  /** Brings the window to the front and shows a place in it, as soon as its page is loaded. */
  open(place: Place): void
  /**
   * The core behind the page's connection has stopped: notifies the page, which requests a new one.
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
  const activation = createUserActivation(() => performance.now())
  denyNewWindows(contents, activation, (url) => shell.openExternal(url))

  let connection: PageConnection | undefined
  /** The place to show, requested before the page was loaded. */
  let waiting: Place | null = null
  const dropConnection = (): void => {
    connection?.cut()
    connection = undefined
  }
  const hand = (event: IpcMainEvent): void => {
    dropConnection()
    connection = parts.connect()
    event.senderFrame?.postMessage('keydesk:port', null, [connection.port])
    if (waiting !== null) event.senderFrame?.postMessage('keydesk:place', waiting)
    waiting = null
  }
  /** The preload's messages, accepted from the app's own main frame only. */
  const messages = {
    'keydesk:connect': hand,
    'keydesk:activated': () => activation.report(),
    // While a key is visible, the system keeps the window out of recordings and screenshots.
    'keydesk:secret-shown': () => window.setContentProtection(true),
    'keydesk:secret-hidden': () => window.setContentProtection(false),
  }
  const listeners = Object.entries(messages).map(([channel, act]) => {
    const listener = (event: IpcMainEvent): void => {
      if (isFromApp(event, contents)) act(event)
    }
    ipcMain.on(channel, listener)
    return { channel, listener }
  })
  contents.on('did-start-navigation', (details) => {
    if (!details.isMainFrame || details.isSameDocument) return
    dropConnection()
    window.setContentProtection(false)
  })
  if (!parts.hidden) window.once('ready-to-show', () => window.show())
  window.on('close', () => parts.state.keep(window.getBounds(), window.isMaximized()))
  window.once('closed', () => {
    for (const { channel, listener } of listeners) ipcMain.off(channel, listener)
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
