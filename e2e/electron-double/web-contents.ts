import { EventEmitter } from 'node:events'
import type { BrowserContext, Page, Request as PageRequest } from '@playwright/test'
import { MessagePortMainDouble } from './message-port-main.ts'
import { strict } from './strict.ts'

/**
 * The origin at which Chromium shows the page that Electron serves at `app://keydesk/`: a secure
 * origin that no network serves.
 */
const shownAt = 'https://keydesk.test'
const appOrigin = 'app://keydesk'

type Listener = (...values: unknown[]) => void
type PermissionAnswer = (
  contents: unknown,
  permission: string,
  answer: (granted: boolean) => void,
) => void
type PermissionCheck = (contents: unknown, permission: string) => boolean
type AnyPort = { id: number; data: string | number[] | null }
type Shown = { answer: (request: Request) => Response | Promise<Response>; preload: string }

/**
 * The page in a window: a real Chromium page with main's protocol handler behind its requests, the
 * built preload before its scripts, and Electron's ports bridged to real ones. Navigations, new
 * windows and permissions go to main's listeners as in Electron, and never reach a network.
 */
export function createWebContents(
  sendToMain: (event: { sender: unknown; senderFrame: unknown }, channel: string) => void,
) {
  const events = new EventEmitter()
  const ports = new Map<number, MessagePortMainDouble>()
  const rules: {
    open?: (details: { url: string }) => { action: string }
    request?: PermissionAnswer
    check?: PermissionCheck
    device?: () => boolean
  } = {}
  const refused = { navigations: [] as string[], windows: [] as string[], requests: [] as string[] }
  let page: Page | undefined
  let lastPort = 0

  /** The network that the page's process may use. */
  const network: { webRtc: string; proxy: Record<string, string> } = {
    webRtc: 'default',
    proxy: {},
  }

  const session = strict('Session', {
    setProxy: async (config: Record<string, string>) => {
      network.proxy = config
    },
    setPermissionRequestHandler: (handler: PermissionAnswer) => {
      rules.request = handler
    },
    setPermissionCheckHandler: (handler: PermissionCheck) => {
      rules.check = handler
    },
    setDevicePermissionHandler: (handler: () => boolean) => {
      rules.device = handler
    },
  })

  const toPage = (message: AnyPort): void =>
    void page?.evaluate((each) => window.__keydeskDouble.toPage(each), message).catch(() => {})

  /** Stores main's end of a port and returns the id with which the page creates its own end. */
  function bridge(port: MessagePortMainDouble): number {
    const id = ++lastPort
    const ours = new MessagePortMainDouble(port.handOver())
    ports.set(id, ours)
    ours.on('message', ({ data }: { data: string | Uint8Array | ArrayBuffer }) =>
      toPage({ id, data: typeof data === 'string' ? data : [...new Uint8Array(data)] }),
    )
    ours.on('close', () => {
      ports.delete(id)
      toPage({ id, data: null })
    })
    ours.start()
    return id
  }

  const mainFrame = strict('WebFrameMain', {
    get origin() {
      return page !== undefined && page.url().startsWith(`${shownAt}/`) ? appOrigin : 'null'
    },
    postMessage(
      channel: string,
      message: unknown,
      transferred: readonly MessagePortMainDouble[] = [],
    ) {
      void page?.evaluate(([name, body, ids]) => window.__keydeskDouble.deliver(name, body, ids), [
        channel,
        message,
        transferred.map(bridge),
      ] as const)
    },
  })

  const contents = strict('WebContents', {
    session,
    mainFrame,
    on: (event: string, listener: Listener) => void events.on(event, listener),
    setWebRTCIPHandlingPolicy: (policy: string) => {
      network.webRtc = policy
    },
    setWindowOpenHandler: (handler: NonNullable<typeof rules.open>) => {
      rules.open = handler
    },
  })

  /** Whether main allows the page, or a frame in it, to navigate there. */
  function mayNavigate(url: string, isMainFrame: boolean): boolean {
    let allowed = true
    const details = {
      url,
      isMainFrame,
      preventDefault: () => {
        allowed = false
      },
    }
    events.emit('will-frame-navigate', details)
    if (isMainFrame) events.emit('will-navigate', details)
    return allowed
  }

  /** A new document in the main frame: the ports of the old one are gone. */
  function leaveDocument(): void {
    events.emit('did-start-navigation', { isMainFrame: true, isSameDocument: false })
    for (const port of ports.values()) port.close()
    ports.clear()
  }

  async function serve(request: PageRequest, { answer }: Shown): Promise<Response | null> {
    const url = request.url()
    const frame = request.isNavigationRequest() ? request.frame() : undefined
    const isMainFrame = frame !== undefined && frame.parentFrame() === null
    const ours = url.startsWith(`${shownAt}/`)
    if (frame !== undefined && !ours && !mayNavigate(url, isMainFrame))
      refused.navigations.push(url)
    else if (!ours) refused.requests.push(url)
    if (!ours) return null
    if (isMainFrame) leaveDocument()
    return answer(
      new Request(`${appOrigin}${url.slice(shownAt.length)}`, { method: request.method() }),
    )
  }

  return {
    contents,
    rules,
    network,
    /** Emits an event of this page to main as Electron would; returns whether it has a listener. */
    emit: (event: string, details: object) => events.emit(event, details),
    /**
     * The page's attempts that main blocked; `requests` are those blocked only because there is no
     * network.
     */
    refused,
    /** Shows `url` in the page as the window would. */
    async show(context: BrowserContext, shown: Page, url: string, parts: Shown): Promise<void> {
      page = shown
      context.on('page', (opened) => void (opened === shown ? undefined : opened.close()))
      await shown.exposeBinding('__keydeskToMain', (_source, channel: string) =>
        sendToMain({ sender: contents, senderFrame: mainFrame }, channel),
      )
      await shown.exposeBinding('__keydeskFromPort', (_source, { id, data }: AnyPort) => {
        const port = ports.get(id)
        if (data === null) port?.close()
        else port?.postMessage(typeof data === 'string' ? data : new Uint8Array(data))
      })
      await shown.addInitScript({ path: new URL('page-shim.js', import.meta.url).pathname })
      await shown.addInitScript(
        '(function (require, module, exports) { ' +
          `${parts.preload}\n})(window.__keydeskDouble.require, { exports: {} }, {})`,
      )
      // The page's own requests never arrive here; these are the requests of new windows.
      await context.route('**', async (route) => {
        const opened = route.request().url()
        if (rules.open?.({ url: opened }).action === 'deny') refused.windows.push(opened)
        return route.abort('blockedbyclient')
      })
      await shown.route('**', async (route) => {
        const response = await serve(route.request(), parts)
        // A response without content leaves a page unchanged, like a navigation that main prevents.
        if (response === null)
          return route.request().isNavigationRequest()
            ? route.fulfill({ status: 204 })
            : route.abort('blockedbyclient')
        return route.fulfill({
          status: response.status,
          headers: Object.fromEntries(response.headers),
          body: Buffer.from(await response.arrayBuffer()),
        })
      })
      await shown.goto(url.replace(appOrigin, shownAt))
    },
  }
}
