/** Refusals of requests that never reach the framework: rejected by the HTTP parser, or too slow. */
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { errorBody } from '../api/encode.ts'
import { type FieldProblem, validationError } from '../api/errors.ts'
import { jsonContent } from './refusals.ts'

/** How long a client may take to send a request, in milliseconds. The answer can take longer. */
export type ArrivalLimits = {
  /** For the request line and the headers. */
  readonly headMs: number
  /** For the complete request with its body. */
  readonly requestMs: number
  /** The time between two checks of all connections. */
  readonly checkMs: number
  /** How long a refused client can keep its side of the connection open. */
  readonly lingerMs: number
}

/** Enough for the largest body on a slow line; a stalled client can't hold a connection open. */
export const defaultArrival: ArrivalLimits = {
  headMs: 15_000,
  requestMs: 60_000,
  checkMs: 5000,
  lingerMs: 2000,
}

/** The parts of Node's response that are used here. */
type Answer = EventEmitter & { writableFinished: boolean; req: { complete: boolean } }

/**
 * The response that a connection is sending; Node stores it there and takes the next one of a
 * pipeline afterwards.
 */
function answerOf(socket: Socket): Answer | null {
  const answer = '_httpMessage' in socket ? socket._httpMessage : null
  return answer instanceof EventEmitter && 'writableFinished' in answer && 'req' in answer
    ? (answer as Answer)
    : null
}

/**
 * The response to wait for: one to a complete request. An incomplete request is the one that the
 * parser rejected.
 */
function answerBefore(socket: Socket): Answer | null {
  const answer = answerOf(socket)
  return answer !== null && !answer.writableFinished && answer.req.complete ? answer : null
}

/** The problem of a request that never became one. */
const problemOf = (error: NodeJS.ErrnoException): FieldProblem => ({
  field: 'request',
  message:
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? 'must arrive completely in time'
      : 'must be well-formed HTTP',
})

/** Sends the last bytes of a connection, and closes it even if the client never closes its side. */
function endSocket(socket: Socket, bytes: string, lingerMs: number): void {
  socket.end(bytes)
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
}

/** The response to a request that has no reply object, as the bytes of the connection. */
function bytesOf(error: NodeJS.ErrnoException, requestId: string): string {
  const refusal = validationError(problemOf(error))
  const body = JSON.stringify(errorBody(refusal, requestId))
  return [
    `HTTP/1.1 ${refusal.status} Bad Request`,
    `Content-Type: ${jsonContent}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}

/**
 * Refuses requests that the HTTP parser rejected, or that didn't arrive in time. The response is
 * written to the socket, after the responses to earlier requests on the same connection, so that a
 * client doesn't take any of those for refused. A connection on which nothing arrived, or whose
 * request already has a response, is closed without one.
 */
export function createSocketRefusals(newRequestId: () => string, { lingerMs }: ArrivalLimits) {
  /** Connections whose latest response was sent before its request had arrived completely. */
  const answeredEarly = new WeakSet<Socket>()

  function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    const unanswered = socket.writable && socket.bytesRead > 0 && !answeredEarly.has(socket)
    if (error.code === 'ECONNRESET' || !unanswered) {
      socket.destroy()
      return
    }
    const before = answerBefore(socket)
    if (before === null) endSocket(socket, bytesOf(error, newRequestId()), lingerMs)
    else before.once('close', () => setImmediate(refuse, error, socket))
  }

  return {
    refuse,
    register(app: FastifyInstance): void {
      app.addHook('onRequest', (request, _reply, done) => {
        answeredEarly.delete(request.raw.socket)
        done()
      })
      app.addHook('onResponse', (request, _reply, done) => {
        if (!request.raw.complete) answeredEarly.add(request.raw.socket)
        done()
      })
    },
  }
}
