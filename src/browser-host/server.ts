import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import { contentSecurityPolicy } from '../platform/content-security-policy.ts'
import type { RendererFile } from '../platform/renderer-files.ts'
import { gate } from './gate.ts'
import type { Sessions } from './session.ts'

export type BrowserServer = {
  /** `http://127.0.0.1:N` */
  origin: string
  /** A new address to open, with its own token. */
  newAddress(): string
  /** Closes the connections of all pages; each requests a new one. */
  disconnectPages(): void
  close(): Promise<void>
}

type Parts = {
  port: number
  sessions: Sessions
  files: ReadonlyMap<string, RendererFile>
  /** Whether the core accepts calls. If not, pages are asked to retry. */
  isReady(): boolean
  /** A page with a valid session; serve oRPC on its socket. */
  onConnection(socket: WebSocket): void
}

/** The largest request body, in bytes: enough for a token. */
const maxBodyBytes = 1024
/** The largest message of a page, in bytes: a base64 chunk of a file plus its envelope. */
const maxMessageBytes = 4 * 1024 * 1024

/**
 * Starts the loopback server of the browser host. Rejects with the system's error when the port is
 * in use.
 */
export async function startServer(parts: Parts): Promise<BrowserServer> {
  const server = createServer()
  await listen(server, parts.port)
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const newAddress = (): string => `${origin}/?token=${parts.sessions.issueToken()}`
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    handleProtocols: () => 'keydesk',
  })
  server.on('request', createRequestListener(parts, origin, newAddress))
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const rejection = gate(request, origin, true)
    if (rejection !== null) return rejectUpgrade(socket, rejection.status)
    if (request.url !== '/rpc') return rejectUpgrade(socket, 404)
    if (!hasValidSession(request, parts.sessions)) return rejectUpgrade(socket, 401)
    if (!parts.isReady()) return rejectUpgrade(socket, 503)
    sockets.handleUpgrade(request, socket, head, (line) => {
      // The library closes a connection that violates the protocol. Without a listener, its error
      // would stop the console.
      line.on('error', () => {})
      parts.onConnection(line)
    })
  })

  return {
    origin,
    newAddress,
    disconnectPages: () => {
      for (const socket of sockets.clients) socket.close(1012)
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets.clients) socket.close(1001)
        server.close(() => resolve())
        server.closeAllConnections()
        for (const socket of sockets.clients) socket.terminate()
      }),
  }
}

/** Serves the screen's files, and exchanges tokens and sessions. */
function createRequestListener(
  parts: Parts,
  origin: string,
  newAddress: () => string,
): (request: IncomingMessage, response: ServerResponse) => void {
  const headers = commonHeaders(origin)

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const rejection = gate(request, origin, false)
    if (rejection !== null) return send(response, rejection.status, rejection.reason)
    const path = new URL(request.url ?? '/', origin).pathname
    if (request.method === 'POST') return post(request, response, path)
    const file = parts.files.get(path === '/' ? '/index.html' : path)
    if (file === undefined) return send(response, 404, 'Not found')
    response.writeHead(200, {
      ...headers,
      'Content-Type': file.contentType,
      'Content-Length': file.bytes.length,
      'Cache-Control': file.immutable ? 'private, max-age=31536000, immutable' : 'no-store',
    })
    response.end(request.method === 'HEAD' ? undefined : file.bytes)
  }

  async function post(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
  ): Promise<void> {
    if (path === '/session') {
      const session = parts.sessions.exchange(await readBody(request))
      return session === null
        ? send(response, 401, 'This address was already used, or is older than a minute')
        : send(response, 200, session)
    }
    const isSession = parts.sessions.isSession(
      request.headers.authorization?.replace(/^Bearer /, '') ?? '',
    )
    if (path === '/session/check')
      return !isSession
        ? send(response, 401, 'No session')
        : parts.isReady()
          ? send(response, 200, 'A session')
          : send(response, 503, 'The core is not ready')
    if (path === '/token')
      return isSession ? send(response, 200, newAddress()) : send(response, 401, 'No session')
    return send(response, 404, 'Not found')
  }

  function send(response: ServerResponse, status: number, text: string): void {
    if (response.headersSent) return void response.destroy()
    response.writeHead(status, {
      ...headers,
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      Connection: 'close',
    })
    response.end(text)
  }

  return (request, response) =>
    void answer(request, response).catch(() => send(response, 500, 'Something went wrong'))
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      server.off('error', reject)
      resolve()
    })
  })
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

/**
 * The page offers two subprotocols: `keydesk`, and `session.` followed by its key. The key is never
 * echoed.
 */
function hasValidSession(request: IncomingMessage, sessions: Sessions): boolean {
  const offered = (request.headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((word) => word.trim())
  const session = offered.find((word) => word.startsWith('session.'))?.slice('session.'.length)
  return offered.includes('keydesk') && session !== undefined && sessions.isSession(session)
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
