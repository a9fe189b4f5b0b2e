import { longestWaitMs } from '../../../src/core/service-client/schedule/backoff.ts'
import type { ForeignResponse } from '../../../src/core/testing/faulty-proxy.ts'
import { inCents } from '../sync/truth.ts'
import type { Book } from './book.ts'
import type { Exchange } from './network.ts'

/** How long a price that passed its checks may wait for its turn, in milliseconds. */
const CHECKED_FOR_MS = 60_000

/** The longest window of the service's rates, in milliseconds. */
const KNOWN_AFTER_MS = 60_000

export type Finding = { kind: 'lost' | 'twice' | 'wrong'; what: string }

const isReplayed = ({ headers }: Exchange): boolean => headers['idempotent-replayed'] === 'true'
const withoutQuery = (path: string): string => path.split('?', 1)[0] ?? ''

/** The wait that a response asks for: that of the service is more exact than that of its header. */
function askedMs({ headers, body }: ForeignResponse): number | null {
  const exact = /"retryAfterMs":(\d+)/.exec(body)?.[1]
  if (exact !== undefined) return Number(exact)
  const seconds = headers?.['retry-after'] ?? ''
  return /^\d{1,4}$/.test(seconds) ? Number(seconds) * 1000 : null
}

/**
 * Watches the requests of the console: nothing is carried out twice, no waiting time is ignored, no
 * price is below its floor.
 */
export function createWitness(now: () => number, book: Book, note: (finding: Finding) => void) {
  /** Actions that the service carried out, with the Idempotency-Key of each. */
  const carried = new Map<string, string | null>()
  const prices = new Map<string, { cents: number; key: string | null }>()
  /** When each price of an offer was last set by the console itself. */
  const pricedAt = new Map<string, number>()
  /** When the service asked not to request a path, and until when, by key and path. */
  const held = new Map<string, { at: number; until: number }>()
  let started = now()
  /** When the network last delivered a request twice, which the service counts as two. */
  let copied = Number.NEGATIVE_INFINITY
  const floorsSince = new Map<string, { cents: number; at: number }>()

  /** Only the console changes the shop's prices, so a price that is set again was sent twice. */
  function setPrice(offerId: string, cents: number, exchange: Exchange): void {
    const before = prices.get(offerId)
    const { idempotencyKey, isCopy } = exchange
    if (before?.cents === cents && !isCopy && before.key !== idempotencyKey)
      note({ kind: 'twice', what: `${offerId} for ${cents}` })
    if (!isCopy) {
      book.overwritten.delete(offerId)
      pricedAt.set(`${offerId} ${cents}`, now())
    } else if (before?.cents !== cents && (pricedAt.get(`${offerId} ${cents}`) ?? 0) >= started)
      book.overwritten.add(offerId)
    prices.set(offerId, { cents, key: idempotencyKey })
    const floor = floorOf(offerId)
    if (floor !== null && cents < floor)
      note({ kind: 'wrong', what: `${offerId} for ${cents}, below its floor ${floor}` })
  }
  /** The service answers a copy with the stored response, but only to an Idempotency-Key. */
  function once(action: string, { idempotencyKey, isCopy, status }: Exchange): void {
    const before = carried.get(action)
    if (before !== undefined && (isCopy ? status < 300 : before !== idempotencyKey || !before))
      note({ kind: 'twice', what: action })
    // A customer can have filed the claim that the service refuses.
    if (status < 300) carried.set(action, idempotencyKey)
  }
  function actionsOf(exchange: Exchange): string[] {
    const { method, path, sent, status } = exchange
    if (method !== 'POST') return []
    const body = JSON.parse(sent === '' ? '{}' : sent) as Record<string, unknown>
    if (path.endsWith('/dashboard/claims')) return [`claim ${String(body['keyId'])}`]
    if (status >= 300) return []
    if (path.startsWith('/v1/orders')) return [`order ${String(body['externalId'])}`]
    if (path.endsWith('/messages')) return [`answer ${path} ${String(body['body'])}`]
    if (/\/(?:replace|refund)$/.test(path)) return [`action ${path}`]
    if (path.endsWith('/keys')) return (body['keys'] as string[]).map((key) => `key ${path} ${key}`)
    return []
  }
  /** Withdrawn keys can be uploaded again. */
  function forgetWithdrawn({ path, received }: Exchange): void {
    const { keys } = JSON.parse(received) as { keys: string[] }
    for (const key of keys)
      carried.delete(`key ${withoutQuery(path).replace(/withdraw$/, 'keys')} ${key}`)
  }
  const floorOf = (offerId: string): number | null => {
    const cents = book.floors.get(offerId)
    const known = floorsSince.get(offerId)
    if (cents === undefined) floorsSince.delete(offerId)
    else if (known?.cents !== cents) floorsSince.set(offerId, { cents, at: now() })
    const since = floorsSince.get(offerId)
    return since !== undefined && since.at + CHECKED_FOR_MS <= now() ? since.cents : null
  }

  return {
    served(exchange: Exchange): void {
      const { method, path, status, isCopy } = exchange
      if (isCopy) copied = now()
      // A new run doesn't know what the last minute's requests of a killed one were.
      if (status === 429 && now() - Math.max(started, copied) > KNOWN_AFTER_MS)
        note({ kind: 'wrong', what: `over the rate limit: ${method} ${path}` })
      if (status >= 500) note({ kind: 'wrong', what: `the service failed: ${method} ${path}` })
      if (isReplayed(exchange)) return
      if (status === 200 && path.includes('/withdraw')) forgetWithdrawn(exchange)
      for (const action of actionsOf(exchange)) once(action, exchange)
      if (method !== 'PATCH' || status !== 200) return
      const cents = inCents((JSON.parse(exchange.sent) as { price?: number }).price ?? null)
      if (cents !== null) setPrice(/\/offers\/([^/?]+)$/.exec(path)?.[1] ?? '', cents, exchange)
    },
    sending(method: string, path: string, key: string): void {
      for (const offerId of book.floors.keys()) floorOf(offerId)
      const hold = held.get(`${key} ${method} ${withoutQuery(path)}`)
      // A request of the millisecond in which the response arrives may have been on its way.
      if (hold !== undefined && hold.at < now() && now() < hold.until)
        note({
          kind: 'wrong',
          what: `${method} ${path} ${hold.until - now()} ms before Retry-After`,
        })
    },
    receiving(method: string, path: string, key: string, answer: ForeignResponse): void {
      const ms = askedMs(answer)
      if (answer.status === 429 && ms !== null && path.startsWith('/v1/'))
        held.set(`${key} ${method} ${withoutQuery(path)}`, {
          at: now(),
          until: now() + Math.min(longestWaitMs, ms),
        })
    },
    /** A new run of the console knows no earlier responses. */
    restarted(): void {
      started = now()
      held.clear()
    },
  }
}
