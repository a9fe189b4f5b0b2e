import { RPCLink as PortLink } from '@orpc/client/message-port'
import { RPCLink as SocketLink } from '@orpc/client/websocket'
import type { ClientLink } from '@orpc/client'

/** One open line to the core. `closed` resolves when it is gone; then a new one is asked for. */
export type Line = { link: ClientLink<Record<never, never>>; closed: Promise<void> }

/** The page has neither a session nor an address that could be exchanged for one. */
export class NoSession extends Error {}

const sessionEntry = 'keydesk.session'

/** Opens a line to the core: a message port in Electron, a WebSocket in the browser host. */
export function openLine(): Promise<Line> {
  return location.protocol === 'http:' ? openSocket() : openPort()
}

function openPort(): Promise<Line> {
  return new Promise((resolve) => {
    const receive = (event: MessageEvent): void => {
      const port = event.ports[0]
      if (event.source !== window || event.data?.type !== 'keydesk:port' || port === undefined) return
      window.removeEventListener('message', receive)
      const gone = new AbortController()
      const closed = new Promise<void>((done) => port.addEventListener('close', () => done()))
      // Chromium tells a page nothing of a port whose other end has died; main does, and this makes it the event that a link waits for.
      window.addEventListener('message', (told) => {
        if (told.source !== window || told.data?.type !== 'keydesk:lost') return
        port.close()
        port.dispatchEvent(new Event('close'))
      }, { signal: gone.signal })
      void closed.then(() => gone.abort())
      const link = new PortLink({ port })
      port.start()
      resolve({ link, closed })
    }
    window.addEventListener('message', receive)
    window.postMessage({ type: 'keydesk:connect' }, window.origin)
  })
}

async function openSocket(): Promise<Line> {
  const session = await sessionKey()
  const socket = new WebSocket(`ws://${location.host}/rpc`, ['keydesk', `session.${session}`])
  const closed = new Promise<void>((done) => socket.addEventListener('close', () => done()))
  const opened = await Promise.race([closed.then(() => false), new Promise<boolean>((resolve) => { socket.addEventListener('open', () => resolve(true)) })])
  if (!opened) {
    // A page isn't told why a socket was refused. A session ends with the console that gave it, and no waiting brings it back.
    const { status } = await fetch('/session/check', { method: 'POST', headers: { Authorization: `Bearer ${session}` } })
    if (status !== 401) throw new Error('The console does not answer')
    sessionStorage.removeItem(sessionEntry)
    throw new NoSession()
  }
  return { link: new SocketLink({ websocket: socket }), closed }
}

/** The session of this tab: kept in its own storage, or the address's token exchanged for one. The token leaves the address at once. */
async function sessionKey(): Promise<string> {
  const address = new URL(location.href)
  const token = address.searchParams.get('token')
  if (token !== null) {
    address.searchParams.delete('token')
    history.replaceState(history.state, '', address)
    const answer = await fetch('/session', { method: 'POST', body: token })
    if (answer.ok) sessionStorage.setItem(sessionEntry, await answer.text())
  }
  const kept = sessionStorage.getItem(sessionEntry)
  if (kept === null) throw new NoSession()
  return kept
}
