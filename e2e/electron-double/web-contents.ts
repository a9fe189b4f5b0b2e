import { EventEmitter } from 'node:events'
import type { Page } from '@playwright/test'
import { MessagePortMainDouble } from './message-port-main.ts'
import { strict } from './strict.ts'

/** Where Chromium shows what Electron serves at `app://keydesk/`: a secure origin that no network answers. */
export const shownAt = 'https://keydesk.test'
const appOrigin = 'app://keydesk'

type Permission = (contents: unknown, permission: string, answer: (granted: boolean) => void) => void

/** The rules main sets on the session, for the test to ask. */
export const sessionRules: { request?: Permission; check?: (contents: unknown, permission: string) => boolean; device?: () => boolean } = {}

const session = strict('Session', {
  setPermissionRequestHandler: (handler: Permission) => { sessionRules.request = handler },
  setPermissionCheckHandler: (handler: (contents: unknown, permission: string) => boolean) => { sessionRules.check = handler },
  setDevicePermissionHandler: (handler: () => boolean) => { sessionRules.device = handler },
})

type FromPage = { channel: string }
type AnyPort = { id: number; data: string | number[] | null }

/**
 * The page in a window: a real Chromium page, with main's protocol handler behind its requests, the built preload before its scripts, and
 * Electron's ports bridged to real ones.
 */
export function createWebContents(sendToMain: (event: { sender: unknown; senderFrame: unknown }, message: FromPage) => void) {
  const events = new EventEmitter()
  const ports = new Map<number, MessagePortMainDouble>()
  const windowOpen: { handler?: (details: { url: string }) => { action: string } } = {}
  let page: Page | undefined
  let lastPort = 0

  const mainFrame = strict('WebFrameMain', {
    get origin() {
      return page !== undefined && page.url().startsWith(shownAt) ? appOrigin : 'null'
    },
    postMessage(channel: string, message: unknown, transferred: readonly MessagePortMainDouble[] = []) {
      const ids = transferred.map((port) => {
        const id = ++lastPort
        const ours = new MessagePortMainDouble(port.handOver())
        ports.set(id, ours)
        ours.on('message', ({ data }: { data: string | Uint8Array | ArrayBuffer }) => {
          const carried = typeof data === 'string' ? data : [...new Uint8Array(data as ArrayBuffer)]
          void page?.evaluate((message_) => window.__keydeskDouble.toPage(message_), { id, data: carried } satisfies AnyPort).catch(() => {})
        })
        ours.on('close', () => void page?.evaluate((message_) => window.__keydeskDouble.toPage(message_), { id, data: null } satisfies AnyPort).catch(() => {}))
        ours.start()
        return id
      })
      void page?.evaluate(([name, body, portIds]) => window.__keydeskDouble.deliver(name, body, portIds), [channel, message, ids] as const)
    },
  })

  const contents = strict('WebContents', {
    session,
    mainFrame,
    on: (event: string, listener: (...values: never[]) => void) => { events.on(event, listener); return contents },
    setWindowOpenHandler: (handler: (details: { url: string }) => { action: string }) => { windowOpen.handler = handler },
  })

  return {
    contents,
    events,
    windowOpen,
    async show(shown: Page, url: string, answer: (request: Request) => Response | Promise<Response>, preload: string): Promise<void> {
      page = shown
      await shown.exposeBinding('__keydeskToMain', (_source, channel: string) => sendToMain({ sender: contents, senderFrame: mainFrame }, { channel }))
      await shown.exposeBinding('__keydeskFromPort', (_source, { id, data }: AnyPort) => {
        const port = ports.get(id)
        if (data === null) port?.close()
        else port?.postMessage(typeof data === 'string' ? data : new Uint8Array(data))
      })
      await shown.addInitScript({ path: new URL('./page-shim.js', import.meta.url).pathname })
      await shown.addInitScript(`(function (require, module, exports) { ${preload}\n})(window.__keydeskDouble.require, { exports: {} }, {})`)
      await shown.route(`${shownAt}/**`, async (route) => {
        const asked = new URL(route.request().url())
        const response = await answer(new Request(`${appOrigin}${asked.pathname}${asked.search}`, { method: route.request().method() }))
        await route.fulfill({ status: response.status, headers: Object.fromEntries(response.headers), body: Buffer.from(await response.arrayBuffer()) })
      })
      await shown.goto(url.replace(appOrigin, shownAt))
    },
  }
}
