/** Every refusal leaves as the Error body, also those of the framework and of the HTTP parser. */
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorBody } from '../api/encode.ts'
import { ApiError, type FieldProblem, validationError } from '../api/errors.ts'
import type { Log } from '../domain/ports/environment.ts'
import { RateLimitedError } from '../domain/limits/rates.ts'

export const jsonContent = 'application/json; charset=utf-8'

const frameworkProblems: Readonly<Record<string, FieldProblem>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { field: 'Content-Type', message: 'must be application/json' },
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/**
 * The refusal that an error means to the caller: its own, a bad request as the framework saw it, or
 * a defect.
 */
function refusalOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const problem = frameworkProblems[codeOf(error)]
  if (problem !== undefined) return validationError(problem)
  // A body that breaks off or is framed wrongly reaches us as the stream's error, marked 400 by the
  // framework.
  if (error instanceof Error && 'statusCode' in error && error.statusCode === 400)
    return validationError({ field: 'body', message: 'could not be read' })
  return new ApiError('INTERNAL_ERROR')
}

/**
 * Retry-After, and the rates by draft-ietf-httpapi-ratelimit-headers-10: seconds, rounded up so
 * that they agree and waiting is enough.
 */
function rateHeaders({ retryAfterMs, usedUp, rates }: RateLimitedError): Record<string, string> {
  const seconds = Math.ceil(retryAfterMs / 1000)
  return {
    'retry-after': String(seconds),
    'ratelimit-policy': rates
      .map(({ name, limit, windowMs }) => `"${name}";q=${limit};w=${windowMs / 1000}`)
      .join(', '),
    ratelimit: `"${usedUp.name}";r=0;t=${seconds}`,
  }
}

/**
 * Answers with the Error body. Whatever was thrown that is no refusal is logged with the request's
 * id.
 */
export function sendRefusal(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Log,
): void {
  const refusal = refusalOf(error)
  if (refusal.code === 'INTERNAL_ERROR') {
    log.error('a request failed unexpectedly', {
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url,
      error: error instanceof Error ? error.stack : String(error),
    })
  }
  if (refusal instanceof RateLimitedError) reply.headers(rateHeaders(refusal))
  if (refusal.code === 'UNAUTHORIZED') reply.header('www-authenticate', 'Bearer')
  reply
    .code(refusal.status)
    .header('content-type', jsonContent)
    .send(JSON.stringify(errorBody(refusal, request.id)))
}

/** A response of Node's, as far as it matters here. */
type Answer = EventEmitter & { writableFinished: boolean; req: { complete: boolean } }

/**
 * The answer that a connection is busy with; Node keeps it there and takes the next of a pipeline
 * afterwards.
 */
function answerOf(socket: Socket): Answer | null {
  const answer = '_httpMessage' in socket ? socket._httpMessage : null
  return answer instanceof EventEmitter && 'writableFinished' in answer && 'req' in answer
    ? (answer as Answer)
    : null
}

/**
 * The answer to wait for: one to a request that came whole. A request that is not whole is the very
 * one that the parser gave up on.
 */
function answerBefore(socket: Socket): Answer | null {
  const answer = answerOf(socket)
  return answer !== null && !answer.writableFinished && answer.req.complete ? answer : null
}

/**
 * A request that the HTTP parser gave up on has no reply object: the answer is written to its
 * socket, after the answers of the requests that came before it over the same connection, so that
 * none of them is taken for refused.
 */
export function refuseOnSocket(
  error: NodeJS.ErrnoException,
  socket: Socket,
  requestId: string,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const before = answerBefore(socket)
  if (before !== null) {
    before.once('close', () => setImmediate(refuseOnSocket, error, socket, requestId))
    return
  }
  const refusal = validationError({ field: 'request', message: 'must be well-formed HTTP' })
  const body = JSON.stringify(errorBody(refusal, requestId))
  socket.end(
    [
      `HTTP/1.1 ${refusal.status} Bad Request`,
      `Content-Type: ${jsonContent}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
