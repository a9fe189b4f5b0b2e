import { RPCLink as PortLink } from '@orpc/client/message-port'
import { RPCLink as SocketLink } from '@orpc/client/websocket'
import type { ClientLink } from '@orpc/client'

/**
 * An open connection to the core. `closed` resolves when it is lost; then the page opens a new one.
 */
export type CoreConnection = { link: ClientLink<Record<never, never>>; closed: Promise<void> }

/** The page has neither a session nor a token to exchange for one. */
export class NoSession extends Error {}

/**
 * Why an attempt to connect failed: nothing listens at the page's address; Keydesk is still opening
 * its data; or it doesn't respond.
 */
export type ConnectFailure = 'nobody' | 'opening' | 'silence'

/** There is no connection yet; another attempt can succeed. */
export class NotConnected extends Error {
  readonly met: ConnectFailure

  constructor(met: ConnectFailure) {
    super(`No connection to the core: ${met}`)
    this.met = met
  }
}

/** Whether the browser host serves this page. A person starts and stops that host separately. */
export const inBrowser = (): boolean => location.protocol === 'http:'

const sessionEntry = 'keydesk.session'
/** Time limit for one attempt in milliseconds. An attempt that hangs longer starts again. */
const attemptTimeoutMs = 10_000

/**
 * Opens a connection to the core: a message port in Electron, a WebSocket in the browser host.
 * Throws {@link NoSession} or {@link NotConnected}; `stop` cancels the attempt.
 */
export function openConnection(stop: AbortSignal): Promise<CoreConnection> {
  return inBrowser()
    ? openSocket(AbortSignal.any([stop, AbortSignal.timeout(attemptTimeoutMs)]))
    : openPort()
}

function openPort(): Promise<CoreConnection> {
  return new Promise((resolve) => {
    const receive = (event: MessageEvent): void => {
      const port = event.ports[0]
      if (event.source !== window || event.data?.type !== 'keydesk:port' || port === undefined)
        return
      window.removeEventListener('message', receive)
      const gone = new AbortController()
      const closed = new Promise<void>((done) => port.addEventListener('close', () => done()))
      // Chromium doesn't notify a page when the other end of a port has died. The main process
      // does, and this handler turns its message into the close event that the RPC link expects.
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

async function openSocket(limit: AbortSignal): Promise<CoreConnection> {
  const { session, isNew } = await sessionKey()
  if (!isNew) await check(session, limit)
  if (limit.aborted) throw new NotConnected('silence')
  const socket = new WebSocket(`ws://${location.host}/rpc`, ['keydesk', `session.${session}`])
  const closed = new Promise<void>((done) => socket.addEventListener('close', () => done()))
  const opened = await new Promise<boolean>((resolve) => {
    socket.addEventListener('open', () => resolve(true))
    void closed.then(() => resolve(false))
    limit.addEventListener('abort', () => resolve(false))
  })
  if (opened) return { link: new SocketLink({ websocket: socket }), closed }
  socket.close()
  throw new NotConnected('silence')
}

/**
 * Checks the session over HTTP before opening a socket. Browsers don't report why a socket was
 * rejected, and after several rejections Chromium delays the next attempt for seconds. A session is
 * valid only until its host stops, so waiting can't restore it.
 */
async function check(session: string, limit: AbortSignal): Promise<void> {
  const { status } = await fetch('/session/check', {
    method: 'POST',
    headers: { Authorization: `Bearer ${session}` },
    signal: limit,
  }).catch(() => {
    throw new NotConnected(limit.aborted ? 'silence' : 'nobody')
  })
  if (status === 503) throw new NotConnected('opening')
  // 403: another start of Keydesk has this port, and this page's origin isn't its own.
  if (status !== 401 && status !== 403) return
  sessionStorage.removeItem(sessionEntry)
  throw new NoSession()
}

/** The id of this tab's session, which is the part of its key that isn't secret; null in Electron. */
export const ownSessionId = (): string | null =>
  sessionStorage.getItem(sessionEntry)?.split('.')[0] ?? null

/**
 * The token from the URL, held until a host has accepted or rejected it. If the host stops in
 * between, the page tries the token again later.
 */
let token: string | null = null

/**
 * The session of this tab, from its session storage or in exchange for the token in the URL. The
 * token is removed from the URL immediately.
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
      throw new NotConnected('nobody')
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
