import { EventEmitter } from 'node:events'
import { MessageChannelMainDouble } from './message-port-main.ts'
import { strict } from './strict.ts'
import { utilityProcess as utilityProcessDouble } from './utility-process.ts'
import { createWebContents } from './web-contents.ts'

/**
 * A strict double of the parts of Electron 45 that main uses. It records main's calls. The parts
 * that carry the product (protocol handler, preload, ports, the core's process) are the real, built
 * ones.
 */
type WindowOptions = { webPreferences: Record<string, unknown> } & Record<string, unknown>
type Listener = (...values: unknown[]) => void
type Handler = (request: Request) => Response | Promise<Response>

/** Main's calls, for the tests. */
export const calls = {
  userData: '',
  /** Command-line switches, without their dashes. */
  switches: [] as string[],
  removedSwitches: [] as string[],
  privileges: [] as { scheme: string; privileges: Record<string, boolean> }[],
  protocols: new Map<string, Handler>(),
  windows: [] as {
    options: WindowOptions
    loaded: string
    web: ReturnType<typeof createWebContents>
    events: EventEmitter
    shown: number
    /** Whether the system keeps the window out of recordings, in order of main's calls. */
    protection: boolean[]
  }[],
  openedOutside: [] as string[],
  errorBoxes: [] as string[],
  menus: [] as unknown[],
  clipboard: '',
  /** The formats beside the clipboard's text. */
  clipboardFormats: [] as string[],
  /** System notifications that were shown. */
  notices: [] as { title: string; body: string; click: () => void }[],
  /** Counts on the dock or task bar, in order. */
  badges: [] as number[],
  /** URL schemes registered with the system for the app. */
  schemes: [] as string[],
  /** The system's proxy rule, and the addresses it was queried for. */
  proxies: { rules: 'DIRECT', asked: [] as string[] },
  /** Whether the app has quit: either nothing prevented `quit()`, or `exit()` was called. */
  ended: false,
  exitStatus: null as number | null,
  /** The programs that start when the app has quit. */
  relaunches: [] as { execPath?: string; args?: string[] }[],
}

const appEvents = new EventEmitter()
const ipcEvents = new EventEmitter()
let isReady = false

export const app = strict('app', {
  isPackaged: true,
  commandLine: strict('commandLine', {
    getSwitchValue: (_name: string) => '',
    hasSwitch: (name: string) => calls.switches.includes(name),
    removeSwitch(name: string) {
      if (isReady) throw new Error('Chromium has read its switches')
      calls.removedSwitches.push(name)
    },
  }),
  requestSingleInstanceLock: () => true,
  on: (event: string, listener: Listener) => void appEvents.on(event, listener),
  async whenReady() {
    await Promise.resolve()
    isReady = true
  },
  async resolveProxy(url: string) {
    if (!isReady) throw new Error('Proxies are known after the app is ready')
    calls.proxies.asked.push(url)
    return calls.proxies.rules
  },
  setPath(name: string, path: string) {
    if (name !== 'userData') throw new Error(`The Electron double has no path ${name}`)
    if (isReady) throw new Error('Set the folder before the app is ready')
    calls.userData = path
  },
  getPath(name: string) {
    if (name !== 'userData') throw new Error(`The Electron double has no path ${name}`)
    return calls.userData
  },
  quit() {
    let held = false
    appEvents.emit('before-quit', {
      preventDefault: () => {
        held = true
      },
    })
    if (!held) calls.ended = true
  },
  relaunch: (options: (typeof calls.relaunches)[number] = {}) =>
    void calls.relaunches.push(options),
  exit: (status: number) => {
    calls.ended = true
    calls.exitStatus = status
  },
  setBadgeCount(count: number) {
    if (!isReady) throw new Error('Badges are shown after the app is ready')
    calls.badges.push(count)
    return true
  },
  setAsDefaultProtocolClient(scheme: string) {
    calls.schemes.push(scheme)
    return true
  },
})

/**
 * App events from the system: `second-instance` with the other's arguments, `open-url`,
 * `window-all-closed`.
 */
export const emitAppEvent = (event: string, given?: string[] | string): void =>
  void appEvents.emit(event, { preventDefault: () => {} }, given)

export const protocol = strict('protocol', {
  registerSchemesAsPrivileged(schemes: typeof calls.privileges) {
    if (isReady) throw new Error('Register privileged schemes before the app is ready')
    calls.privileges.push(...schemes)
  },
  handle(scheme: string, handler: Handler) {
    if (!isReady) throw new Error('Handle protocols after the app is ready')
    calls.protocols.set(scheme, handler)
  },
})

export const ipcMain = strict('ipcMain', {
  on: (channel: string, listener: Listener) => void ipcEvents.on(channel, listener),
  off: (channel: string, listener: Listener) => void ipcEvents.off(channel, listener),
})

/** Sends a message to main as if a frame had sent it. */
export const sendToMain = (
  event: { sender: unknown; senderFrame: unknown },
  channel: string,
): void => void ipcEvents.emit(channel, event)

/** Reports a new page to main, as Electron does for each one, whoever created it. */
export const createPage = (web: ReturnType<typeof createWebContents>): void =>
  void appEvents.emit('web-contents-created', {}, web.contents)

/** Called with `new`. */
export function BrowserWindow(options: WindowOptions) {
  if (!isReady) throw new Error('Open windows after the app is ready')
  const record: (typeof calls.windows)[number] = {
    options,
    loaded: '',
    web: createWebContents(sendToMain),
    events: new EventEmitter(),
    shown: 0,
    protection: [],
  }
  calls.windows.push(record)
  createPage(record.web)
  return strict('BrowserWindow', {
    webContents: record.web.contents,
    loadURL: async (url: string) => {
      record.loaded = url
    },
    once: (event: string, listener: Listener) => void record.events.once(event, listener),
    on: (event: string, listener: Listener) => void record.events.on(event, listener),
    show: () => {
      record.shown++
    },
    focus: () => {},
    setContentProtection: (enable: boolean) => void record.protection.push(enable),
    maximize: () => {},
    restore: () => {},
    isMinimized: () => false,
    isMaximized: () => false,
    getBounds: () => ({ x: 0, y: 0, width: 1440, height: 900 }),
  })
}

/** No window of the app has the focus. */
BrowserWindow.getFocusedWindow = () => null

/** Called with `new`. */
export function Notification(options: { title: string; body: string }) {
  const events = new EventEmitter()
  return strict('Notification', {
    once: (event: string, listener: Listener) => void events.once(event, listener),
    show: () => void calls.notices.push({ ...options, click: () => void events.emit('click') }),
  })
}
Notification.isSupported = () => true

export const Menu = strict('Menu', {
  buildFromTemplate: (template: readonly object[]) => template,
  setApplicationMenu: (menu: unknown) => {
    calls.menus.push(menu)
  },
})

export const dialog = strict('dialog', {
  showErrorBox: (_title: string, text: string) => void calls.errorBoxes.push(text),
})

export const shell = strict('shell', {
  openExternal: async (url: string) => void calls.openedOutside.push(url),
})

/** Only Windows draws badges. */
export const nativeImage = strict('nativeImage', {})

export const screen = strict('screen', {
  getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }],
})

const powerEvents = new EventEmitter()
export const powerMonitor = strict('powerMonitor', {
  on: (event: string, listener: Listener) => void powerEvents.on(event, listener),
})

/** Events of the power monitor: `suspend`, `lock-screen`. */
export const emitPowerEvent = (event: string): void => void powerEvents.emit(event)

/** Called with `new`. */
export function ClipboardItem(items: Record<string, string>) {
  return strict('ClipboardItem', {
    types: Object.keys(items),
    getType: async (type: string) => new Blob([items[type] ?? '']),
  })
}

export const clipboard = strict('clipboard', {
  async write(data: ReturnType<typeof ClipboardItem>[]) {
    const [item, ...more] = data
    if (item === undefined || more.length > 0) throw new Error('Only one item is modelled')
    calls.clipboard = await (await item.getType('text/plain')).text()
    calls.clipboardFormats = item.types.filter((type) => type !== 'text/plain')
  },
  async writeText(_text: string) {
    throw new Error('Main writes texts with their formats')
  },
  readText: async () => calls.clipboard,
  clear: () => {
    calls.clipboard = ''
    calls.clipboardFormats = []
  },
})

export const MessageChannelMain = MessageChannelMainDouble
export const utilityProcess = utilityProcessDouble
