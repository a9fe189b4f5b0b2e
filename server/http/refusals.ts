/** Sends every refusal as the Error body, including those of the framework. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorBody } from '../api/encode.ts'
import {
  ApiError,
  type ErrorCode,
  type FieldProblem,
  isErrorCode,
  validationError,
} from '../api/errors.ts'
import type { Log } from '../domain/ports/environment.ts'
import { RateLimitedError } from '../domain/limits/rates.ts'

export const jsonContent = 'application/json; charset=utf-8'

/** Marks the stored response of an earlier request with the same Idempotency-Key (Decision 42). */
export const replayedHeader = 'idempotent-replayed'

/** Seconds to wait before a retry of a refusal whose end isn't known (Decision 44). */
const RETRY_AFTER_S: Readonly<Partial<Record<ErrorCode, number>>> = {
  IDEMPOTENCY_IN_PROGRESS: 1,
  SERVICE_UNAVAILABLE: 1,
}

/** Adds Retry-After to a refusal with a code that has one. */
export function addRetryAfter(reply: FastifyReply, code: string): void {
  const seconds = isErrorCode(code) ? RETRY_AFTER_S[code] : undefined
  if (seconds !== undefined) reply.header('retry-after', String(seconds))
}

const frameworkProblems: Readonly<Record<string, FieldProblem>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { field: 'Content-Type', message: 'must be application/json' },
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/**
 * Converts an error to a refusal: the service's own, a bad request detected by the framework, or a
 * defect.
 */
export function refusalOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const problem = frameworkProblems[codeOf(error)]
  if (problem !== undefined) return validationError(problem)
  // A truncated or badly framed body arrives as the stream's error, which the framework marks 400.
  if (error instanceof Error && 'statusCode' in error && error.statusCode === 400)
    return validationError({ field: 'body', message: "couldn't be read" })
  return new ApiError('INTERNAL_ERROR')
}

/**
 * Retry-After, and the rates as in draft-ietf-httpapi-ratelimit-headers-10: in seconds, rounded up
 * so that they agree and the wait is long enough.
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

/** Sends the Error body. Any thrown error other than a refusal is logged with the request's id. */
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
      route: request.operation?.endpoint.path ?? request.routeOptions.url,
      error: error instanceof Error ? error.stack : String(error),
    })
  }
  if (refusal instanceof RateLimitedError) reply.headers(rateHeaders(refusal))
  addRetryAfter(reply, refusal.code)
  // Only a stored refusal has the id of the request that was first refused.
  if (refusal.requestId !== null) reply.header(replayedHeader, 'true')
  if (refusal.code === 'UNAUTHORIZED') reply.header('www-authenticate', 'Bearer')
  reply
    .code(refusal.status)
    .header('content-type', jsonContent)
    .send(JSON.stringify(errorBody(refusal, request.id)))
}
