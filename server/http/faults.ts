/**
 * Request faults set through the dashboard interface, as a caller sees them: delayed, refused, or
 * cut off. A refused or cut-off request has no effect, unless the fault waits until the operation was
 * carried out (`afterCommit`).
 */
import { setTimeout as delay } from 'node:timers/promises'
import { callbackify } from 'node:util'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, errorTable, isErrorCode } from '../api/errors.ts'
import { nameOfFault, SUPPLIER_DOWN } from '../domain/faults/faults.ts'
import type { Faults, RequestFault } from '../domain/faults/faults.ts'
import type { PendingWaits } from './call.ts'
import { addRetryAfter, jsonContent } from './refusals.ts'
import { pathOf, zoneOf } from './access/zones.ts'

/** The wait that a RATE_LIMITED fault reports; headers and details agree (Decision 19). */
const RETRY_AFTER_S = 1
const limitedHeaders = {
  'retry-after': String(RETRY_AFTER_S),
  'ratelimit-policy': `"fault";q=1;w=${RETRY_AFTER_S}`,
  ratelimit: `"fault";r=0;t=${RETRY_AFTER_S}`,
}

/** The most typical code of each status. */
const codeOf = (status: number): string =>
  status === 503
    ? 'SERVICE_UNAVAILABLE'
    : status >= 500
      ? 'INTERNAL_ERROR'
      : (Object.entries(errorTable).find(([, kind]) => kind.status === status)?.[0] ??
        'VALIDATION_ERROR')

const statusOf = (code: string): number => (isErrorCode(code) ? errorTable[code].status : 500)

/** The refusal that a fault specifies; null if it specifies none. */
function refusalOf({ status, code }: RequestFault): { status: number; code: string } | null {
  if (status !== undefined) return { status, code: code ?? codeOf(status) }
  return code === undefined ? null : { status: statusOf(code), code }
}

/** Sets the status and headers of a refusal, and returns its body. */
function prepareRefusal(
  { status, code }: { status: number; code: string },
  requestId: string,
  reply: FastifyReply,
): string {
  const message = isErrorCode(code) ? errorTable[code].message : 'A fault set for testing.'
  const limited = status === 429
  if (limited) reply.headers(limitedHeaders)
  addRetryAfter(reply, code)
  const error = {
    code,
    message,
    ...(limited ? { details: { retryAfterMs: RETRY_AFTER_S * 1000 } } : {}),
    requestId,
  }
  reply.code(status).header('content-type', jsonContent).removeHeader('content-length')
  return JSON.stringify({ error })
}

function cut(request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack()
  request.raw.socket.destroy()
}

/** Whether the fault has sent a response or cut the connection. */
async function strike(
  fault: RequestFault,
  request: FastifyRequest,
  reply: FastifyReply,
  waits: PendingWaits,
): Promise<boolean> {
  if (fault.latencyMs !== undefined)
    await delay(fault.latencyMs, undefined, { signal: waits.signalFor(reply) }).catch(
      () => undefined,
    )
  if (fault.afterCommit === true) {
    request.lostAnswer = fault
    return false
  }
  if (fault.dropConnection === true) {
    cut(request, reply)
    return true
  }
  const refusal = refusalOf(fault)
  if (refusal !== null) reply.send(prepareRefusal(refusal, request.id, reply))
  return refusal !== null
}

/**
 * Replaces the response of an operation that was carried out, as when a proxy or the network fails
 * on the way back. Returns the body to send.
 */
function loseAnswer(
  fault: RequestFault,
  request: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
): unknown {
  if (fault.dropConnection === true) {
    cut(request, reply)
    return body
  }
  const refusal = refusalOf(fault)
  return refusal === null ? body : prepareRefusal(refusal, request.id, reply)
}

/**
 * Applies the active faults to admitted requests before any other work. Dashboard paths are exempt.
 */
export function registerFaults(
  app: FastifyInstance,
  faults: Pick<Faults, 'takeFor'>,
  waits: PendingWaits,
): void {
  const striking = callbackify(strike)
  app.addHook('onRequest', (request, reply, done) => {
    const path = pathOf(request.url)
    const fault = zoneOf(path) === 'dashboard' ? null : faults.takeFor(request.method, path)
    if (fault === null) return done()
    request.fault = nameOfFault(fault)
    return striking(fault, request, reply, waits, (error, isAnswered) => {
      if (error !== null || !isAnswered) done(error ?? undefined)
    })
  })
  app.addHook('onSend', (request, reply, body, done) => {
    const fault = request.lostAnswer
    done(null, fault === null ? body : loseAnswer(fault, request, reply, body))
  })
  // Only a supplier that is down makes an operation of the two APIs unavailable.
  app.addHook('onError', (request, _reply, error, done) => {
    if (error instanceof ApiError && error.code === 'SERVICE_UNAVAILABLE')
      request.fault ??= zoneOf(request.url) === 'dashboard' ? null : SUPPLIER_DOWN
    done()
  })
}
