import { EventEmitter } from 'node:events'
import { MessageChannelMainDouble } from './message-port-main.ts'
import { strict } from './strict.ts'
import { utilityProcess as utilityProcessDouble } from './utility-process.ts'
import { createWebContents } from './web-contents.ts'

/**
 * A strict double of what main uses of Electron 45. It records what main asks for; the parts that carry the product (protocol handler,
 * preload, ports, the core's process) are the real, built ones.
 */
export type WindowOptions = { webPreferences: Record<string, unknown>; minWidth: number; minHeight: number; show: boolean } & Record<string, unknown>

/** What main did, for the test to look at. */
export const seen = {
  userData: '',
  privileges: [] as { scheme: string; privileges: Record<string, boolean> }[],
  protocols: new Map<string, (request: Request) => Response | Promise<Response>>(),
  windows: [] as { options: WindowOptions; loaded: string; web: ReturnType<typeof createWebContents>; events: EventEmitter; shown: number }[],
  openedOutside: [] as string[],
  errorBoxes: [] as string[],
  menus: 0,
  quits: 0,
}

const appEvents = new EventEmitter()
const ipcEvents = new EventEmitter()
let isReady = false

export const app = strict('app', {
  isPackaged: true,
  commandLine: strict('commandLine', { getSwitchValue: (_name: string) => '' }),
  requestSingleInstanceLock: () => true,
  on: (event: string, listener: (...values: never[]) => void) => void appEvents.on(event, listener),
  whenReady: async () => { isReady = true },
  getPath(name: string) {
    if (name !== 'userData') throw new Error(`The Electron double has no path ${name}`)
    return seen.userData
  },
  quit() {
    seen.quits++
    appEvents.emit('before-quit', { preventDefault: () => {} })
  },
  exit: () => { seen.quits++ },
})

export const protocol = strict('protocol', {
  registerSchemesAsPrivileged(schemes: typeof seen.privileges) {
    if (isReady) throw new Error('Privileged schemes are registered before the app is ready')
    seen.privileges.push(...schemes)
  },
  handle(scheme: string, handler: (request: Request) => Response | Promise<Response>) {
    if (!isReady) throw new Error('Protocols are handled after the app is ready')
    seen.protocols.set(scheme, handler)
  },
})

export const ipcMain = strict('ipcMain', {
  on: (channel: string, listener: (...values: never[]) => void) => void ipcEvents.on(channel, listener),
  off: (channel: string, listener: (...values: never[]) => void) => void ipcEvents.off(channel, listener),
})

/** Sends a message to main as if a frame had sent it. */
export const sendToMain = (event: { sender: unknown; senderFrame: unknown }, { channel }: { channel: string }): void => void ipcEvents.emit(channel, event)

export class BrowserWindow {
  readonly #record: (typeof seen.windows)[number]

  constructor(options: WindowOptions) {
    if (!isReady) throw new Error('Windows open after the app is ready')
    this.#record = { options, loaded: '', web: createWebContents(sendToMain), events: new EventEmitter(), shown: 0 }
    seen.windows.push(this.#record)
    return strict('BrowserWindow', this)
  }

  get webContents() { return this.#record.web.contents }
  async loadURL(url: string): Promise<void> { this.#record.loaded = url }
  once(event: string, listener: () => void): void { this.#record.events.once(event, listener) }
  on(event: string, listener: () => void): void { this.#record.events.on(event, listener) }
  show(): void { this.#record.shown++ }
  focus(): void {}
  maximize(): void {}
  restore(): void {}
  isMinimized(): boolean { return false }
  isMaximized(): boolean { return false }
  getBounds() { return { x: 0, y: 0, width: 1440, height: 900 } }
}

export const Menu = strict('Menu', {
  buildFromTemplate: (template: readonly object[]) => template,
  setApplicationMenu: () => { seen.menus++ },
})

export const dialog = strict('dialog', { showErrorBox: (_title: string, text: string) => void seen.errorBoxes.push(text) })

export const shell = strict('shell', { openExternal: async (url: string) => void seen.openedOutside.push(url) })

export const MessageChannelMain = MessageChannelMainDouble
export const utilityProcess = utilityProcessDouble
