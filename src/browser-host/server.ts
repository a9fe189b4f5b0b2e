import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import { contentSecurityPolicy } from '../platform/content-security-policy.ts'
import type { RendererFile } from '../platform/renderer-files.ts'
import { gate, isFromBrowser, opensTab } from './gate.ts'
import type { Origins } from './gate.ts'
import { listenOnLoopback, portOf } from './loopback.ts'
import { asksTheSystemForLocalhost, browserName } from './sessions/browser-name.ts'
import type { Sessions, TokenKind } from './sessions/sessions.ts'

export type BrowserServer = {
  origins: Origins
  /**
   * A new address to open, with its own token. `onSpent` is called when it was used or has expired.
   */
  newAddress(kind: TokenKind, onSpent?: () => void): string
  /** Closes the connections of all pages; each requests a new one. */
  disconnectPages(): void
  close(): Promise<void>
}

type Parts = {
  port: number
  sessions: Sessions
  files: ReadonlyMap<string, RendererFile>
  /** Whether this computer's system resolves `*.localhost`, for browsers that rely on it. */
  resolvesLocalhost: boolean
  /** Whether the core accepts calls. If not, pages are asked to retry. */
  isReady(): boolean
  /** A page with a valid session; serve oRPC on its socket. */
  onConnection(socket: WebSocket): void
}

/** The largest request body, in bytes: enough for a token. */
const maxBodyBytes = 1024
/** The largest message of a page, in bytes: a base64 chunk of a file plus its envelope. */
const maxMessageBytes = 4 * 1024 * 1024
/** How often idle sessions are ended, in milliseconds. */
const expiryIntervalMs = 60_000
/** Deletes what pages of an origin have stored, including service workers. */
const clearEverything = '"cache", "storage"'
/** The close code for pages whose session has ended. */
const sessionEnded = 4401

/**
 * Starts the loopback server of the browser host. Rejects with the system's error when the port is
 * in use.
 */
export async function startServer(parts: Parts): Promise<BrowserServer> {
  const servers = await listenOnLoopback(parts.port)
  const port = portOf(servers[0])
  const origins: Origins = {
    entry: `http://127.0.0.1:${port}`,
    page: `http://keydesk-${randomBytes(10).toString('hex')}.localhost:${port}`,
  }
  const newAddress: BrowserServer['newAddress'] = (kind, onSpent) =>
    `${origins[kind]}/?token=${parts.sessions.issueToken(kind, onSpent)}`
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    handleProtocols: () => 'keydesk',
  })
  const answer = createRequestListener(parts, origins, newAddress)
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const admission = gate(request, origins, true)
    if ('status' in admission) return rejectUpgrade(socket, admission.status)
    if (request.url !== '/rpc') return rejectUpgrade(socket, 404)
    const key = offeredKey(request)
    const session = key === null ? null : parts.sessions.use(key)
    if (key === null || session === null) return rejectUpgrade(socket, 401)
    if (!parts.isReady()) return rejectUpgrade(socket, 503)
    sockets.handleUpgrade(request, socket, head, (line) => {
      // The library closes a connection that violates the protocol. Without a listener, its error
      // would stop the console.
      line.on('error', () => {})
      line.on('message', () => void parts.sessions.use(key))
      line.on(
        'close',
        parts.sessions.attach(session, () => line.close(sessionEnded)),
      )
      parts.onConnection(line)
    })
  }
  for (const server of servers) server.on('request', answer).on('upgrade', upgrade)
  const expiry = setInterval(() => parts.sessions.expire(), expiryIntervalMs).unref()

  return {
    origins,
    newAddress,
    disconnectPages: () => {
      for (const socket of sockets.clients) socket.close(1012)
    },
    async close() {
      clearInterval(expiry)
      for (const socket of sockets.clients) socket.close(1001)
      const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)))
      for (const server of servers) server.closeAllConnections()
      for (const socket of sockets.clients) socket.terminate()
      await Promise.all(closed)
    },
  }
}

/** Serves the screen's files, and exchanges tokens and sessions. */
function createRequestListener(
  parts: Parts,
  origins: Origins,
  newAddress: BrowserServer['newAddress'],
): (request: IncomingMessage, response: ServerResponse) => void {
  const { sessions } = parts
  const headersOf = new Map(
    [origins.page, origins.entry].map((origin) => [origin, commonHeaders(origin)]),
  )
  const headers = commonHeaders(origins.page)
  /** Whether a session was opened from the fresh origin, whose data must stay from then on. */
  let inUse = false

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const admission = gate(request, origins, false)
    if ('status' in admission) return send(response, admission.status, admission.reason)
    const url = readUrl(request.url ?? '/')
    if (url === null) return send(response, 400, 'Not an address')
    if (request.method === 'POST')
      return post(request, response, { path: url.pathname, origin: admission.origin })
    const opensEntry = admission.origin === origins.entry && url.pathname === '/'
    if (opensEntry && request.method === 'GET' && isFromBrowser(request)) {
      const token = url.searchParams.get('token')
      if (parts.resolvesLocalhost || !asksTheSystemForLocalhost(request.headers['user-agent']))
        return redirect(response, token)
      // Only for a tab: a service worker's own requests look different.
      if (token !== null && opensTab(request)) sessions.allowEntry(token)
    }
    const file = parts.files.get(url.pathname === '/' ? '/index.html' : url.pathname)
    if (file === undefined) return send(response, 404, 'Not found')
    response.writeHead(200, {
      ...headersOf.get(admission.origin),
      'Content-Type': file.contentType,
      'Content-Length': file.bytes.length,
      'Cache-Control': 'no-store',
    })
    response.end(request.method === 'HEAD' ? undefined : file.bytes)
  }

  /**
   * Sends a browser to the fresh origin with another token. A service worker of the old origin
   * can't read the target of a redirect. An unusable token is passed on, so that the page explains
   * it.
   */
  function redirect(response: ServerResponse, token: string | null): void {
    const passed = token === null ? null : (sessions.forward(token) ?? token)
    response.writeHead(303, {
      ...headers,
      Location: `${origins.page}/${passed === null ? '' : `?token=${encodeURIComponent(passed)}`}`,
      'Cache-Control': 'no-store',
      'Clear-Site-Data': clearEverything,
    })
    response.end()
  }

  async function post(
    request: IncomingMessage,
    response: ServerResponse,
    { path, origin }: { path: string; origin: string },
  ): Promise<void> {
    if (path === '/session') {
      const key = sessions.exchange(
        await readBody(request),
        isFromBrowser(request) ? ['page'] : ['page', 'entry'],
        browserName(request.headers['user-agent']),
      )
      if (key === null)
        return send(response, 401, 'This address was already used, or is older than a minute')
      const isFirst = origin === origins.page && !inUse
      inUse ||= isFirst
      return send(response, 200, key, {
        // Clearing storage again would end the sessions of other tabs.
        'Clear-Site-Data': isFirst ? clearEverything : '"cache"',
      })
    }
    const isSession =
      sessions.use(request.headers.authorization?.replace(/^Bearer /, '') ?? '') !== null
    if (path === '/session/check')
      return !isSession
        ? send(response, 401, 'No session')
        : parts.isReady()
          ? send(response, 200, 'A session')
          : send(response, 503, 'The core is not ready')
    if (path === '/token')
      return isSession
        ? send(response, 200, newAddress(origin === origins.page ? 'page' : 'entry'))
        : send(response, 401, 'No session')
    return send(response, 404, 'Not found')
  }

  function send(
    response: ServerResponse,
    status: number,
    text: string,
    more: Record<string, string> = {},
  ): void {
    if (response.headersSent) return void response.destroy()
    response.writeHead(status, {
      ...headers,
      ...more,
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      Connection: 'close',
    })
    response.end(text)
  }

  return (request, response) =>
    void answer(request, response).catch(() => send(response, 500, 'Something went wrong'))
}

function commonHeaders(origin: string): Record<string, string> {
  return {
    'Content-Security-Policy': contentSecurityPolicy([origin, origin.replace('http', 'ws')]),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), usb=(), payment=()',
  }
}

/** An address in a request line, which must be a path; null for anything else. */
function readUrl(path: string): URL | null {
  if (!path.startsWith('/') || path.startsWith('//')) return null
  return URL.parse(path, 'http://127.0.0.1')
}

/**
 * The page offers two subprotocols: `keydesk`, and `session.` followed by its key. The key is never
 * echoed.
 */
function offeredKey(request: IncomingMessage): string | null {
  const offered = (request.headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((word) => word.trim())
  if (!offered.includes('keydesk')) return null
  return offered.find((word) => word.startsWith('session.'))?.slice('session.'.length) ?? null
}

/**
 * Node leaves the upgrade's socket and its errors to us. A client that disconnects at this moment
 * must not stop the console.
 */
function rejectUpgrade(socket: Duplex, status: number): void {
  socket.on('error', () => {})
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const part of request) {
    body += String(part)
    if (body.length > maxBodyBytes) return ''
  }
  return body
}
