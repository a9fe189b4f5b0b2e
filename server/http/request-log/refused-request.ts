/** A refused request, unmasked, to explain it and to find one that passes. It is never shown. */
import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { ApiError, type SeenValues, tolerantErrorBodySchema } from '../../api/errors.ts'
import type { Caller } from '../../api/handlers.ts'
import { type KeyKind, keyKind } from '../../api/key-prefix.ts'
import { RateLimitedError } from '../../domain/limits/rates.ts'
import { clientAddress } from '../access/address.ts'
import { credentialOf, headerValues } from '../access/credentials.ts'
import { type Zone, zoneOf } from '../access/zones.ts'

export type RefusedRequest = {
  readonly requestId: string
  /** The service's time, in milliseconds since 1970. */
  readonly at: number
  readonly zone: Zone
  readonly method: string
  /** Path and query as sent. */
  readonly url: string
  /** Every value of the Idempotency-Key header. */
  readonly idempotencyKeys: readonly string[]
  readonly body: unknown
  /** The size of the body as sent. */
  readonly bytes: number
  readonly address: string
  /** Null if the request wasn't admitted. */
  readonly caller: Caller | null
  /** The key that was presented: its kind, and its hash. Null without a readable one. */
  readonly presented: { readonly kind: KeyKind | null; readonly sha256: string } | null
  readonly fault: string | null
  readonly status: number
  readonly error: z.output<typeof tolerantErrorBodySchema>['error']
  /** Values that the checks compared. */
  readonly seen: SeenValues
  /** The name of the rate that was used up. */
  readonly usedUp: string | null
}

function presentedBy(rawHeaders: readonly string[], zone: Zone): RefusedRequest['presented'] {
  try {
    const key = credentialOf(rawHeaders, zone === 'partner')
    return { kind: keyKind(key), sha256: hash('sha256', key) }
  } catch {
    return null
  }
}

/** A larger body isn't kept. */
const MAX_BYTES = 64 * 1024

/** Null for a large body, and if the response isn't an Error body. */
export function refusedRequest(
  request: FastifyRequest,
  ended: { at: number; status: number; answer: string | Buffer; error: unknown },
): RefusedRequest | null {
  const body = tolerantErrorBodySchema.safeParse(JSON.parse(ended.answer.toString()))
  const bytes = request.body === undefined ? 0 : JSON.stringify(request.body).length
  if (!body.success || bytes > MAX_BYTES) return null
  const { rawHeaders, socket } = request.raw
  const zone = zoneOf(request.url)
  const { error } = ended
  return {
    requestId: request.id,
    at: ended.at,
    zone,
    method: request.method,
    url: request.url,
    idempotencyKeys: headerValues(rawHeaders, 'idempotency-key'),
    body: request.body,
    bytes,
    address: clientAddress(socket.remoteAddress),
    caller: request.caller,
    presented: presentedBy(rawHeaders, zone),
    fault: request.fault,
    status: ended.status,
    error: body.data.error,
    seen: error instanceof ApiError ? error.seen : {},
    usedUp: error instanceof RateLimitedError ? error.usedUp.name : null,
  }
}
