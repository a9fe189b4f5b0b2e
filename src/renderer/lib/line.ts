import { RPCLink as PortLink } from '@orpc/client/message-port'
import { RPCLink as SocketLink } from '@orpc/client/websocket'
import type { ClientLink } from '@orpc/client'

/** One open line to the core. `closed` resolves when it is gone; then a new one is asked for. */
export type Line = { link: ClientLink<Record<never, never>>; closed: Promise<void> }

/** The page has neither a session nor an address that could be exchanged for one. */
export class NoSession extends Error {}

/**
 * What a try for a line met: nobody listens at the page's address any more; a console that still
 * opens its core; one that doesn't answer.
 */
export type Met = 'nobody' | 'opening' | 'silence'

/** There is no line yet; another try may get one. */
export class NoLine extends Error {
  readonly met: Met

  constructor(met: Met) {
    super(`No line to the core: ${met}`)
    this.met = met
  }
}

/** Whether this page belongs to the browser host, which a person starts and ends apart from it. */
export const inBrowser = (): boolean => location.protocol === 'http:'

const sessionEntry = 'keydesk.session'
/** How long one try may take, in milliseconds: what hangs longer is begun anew. */
const patienceMs = 10_000

/**
 * Opens a line to the core: a message port in Electron, a WebSocket in the browser host. Throws
 * {@link NoSession} or {@link NoLine}; `stop` ends the try.
 */
export function openLine(stop: AbortSignal): Promise<Line> {
  return inBrowser()
    ? openSocket(AbortSignal.any([stop, AbortSignal.timeout(patienceMs)]))
    : openPort()
}

function openPort(): Promise<Line> {
  return new Promise((resolve) => {
    const receive = (event: MessageEvent): void => {
      const port = event.ports[0]
      if (event.source !== window || event.data?.type !== 'keydesk:port' || port === undefined)
        return
      window.removeEventListener('message', receive)
      const gone = new AbortController()
      const closed = new Promise<void>((done) => port.addEventListener('close', () => done()))
      // Chromium tells a page nothing of a port whose other end has died; main does, and this makes
      // it the event that a link waits for.
      window.addEventListener(
        'message',
        (told) => {
          if (told.source !== window || told.data?.type !== 'keydesk:lost') return
          port.close()
          port.dispatchEvent(new Event('close'))
        },
        { signal: gone.signal },
      )
      void closed.then(() => gone.abort())
      const link = new PortLink({ port })
      port.start()
      resolve({ link, closed })
    }
    window.addEventListener('message', receive)
    window.postMessage({ type: 'keydesk:connect' }, window.origin)
  })
}

async function openSocket(limit: AbortSignal): Promise<Line> {
  const { session, isNew } = await sessionKey()
  if (!isNew) await check(session, limit)
  if (limit.aborted) throw new NoLine('silence')
  const socket = new WebSocket(`ws://${location.host}/rpc`, ['keydesk', `session.${session}`])
  const closed = new Promise<void>((done) => socket.addEventListener('close', () => done()))
  const opened = await new Promise<boolean>((resolve) => {
    socket.addEventListener('open', () => resolve(true))
    void closed.then(() => resolve(false))
    limit.addEventListener('abort', () => resolve(false))
  })
  if (opened) return { link: new SocketLink({ websocket: socket }), closed }
  socket.close()
  throw new NoLine('silence')
}

/**
 * Asks the console before a socket is tried. A page isn't told why one was refused, and after some
 * refusals Chromium holds the next one up for seconds. A session ends with the console that gave
 * it, and no waiting brings it back.
 */
async function check(session: string, limit: AbortSignal): Promise<void> {
  const { status } = await fetch('/session/check', {
    method: 'POST',
    headers: { Authorization: `Bearer ${session}` },
    signal: limit,
  }).catch(() => {
    throw new NoLine(limit.aborted ? 'silence' : 'nobody')
  })
  if (status === 503) throw new NoLine('opening')
  if (status !== 401) return
  sessionStorage.removeItem(sessionEntry)
  throw new NoSession()
}

/**
 * The address's token, until a console said what it is worth: one that ends in between is asked
 * again when it is back.
 */
let token: string | null = null

/**
 * The session of this tab: kept in its own storage, or the address's token exchanged for one. The
 * token leaves the address at once.
 */
async function sessionKey(): Promise<{ session: string; isNew: boolean }> {
  const address = new URL(location.href)
  if (address.searchParams.has('token')) {
    token = address.searchParams.get('token')
    address.searchParams.delete('token')
    history.replaceState(history.state, '', address)
  }
  if (token !== null) {
    const answer = await fetch('/session', { method: 'POST', body: token }).catch(() => {
      throw new NoLine('nobody')
    })
    token = null
    if (answer.ok) {
      const session = await answer.text()
      sessionStorage.setItem(sessionEntry, session)
      return { session, isNew: true }
    }
  }
  const kept = sessionStorage.getItem(sessionEntry)
  if (kept === null) throw new NoSession()
  return { session: kept, isNew: false }
}
