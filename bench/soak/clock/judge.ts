import { REPLY_HOLD_MS } from '../../../src/contract/disputes/disputes.ts'
import type { ServiceAccess } from '../support/service-access.ts'
import type { Rest, Wanted } from '../orders/placing.ts'
import type { serviceOf } from '../orders/truth.ts'
import type { Replied } from './jobs.ts'
import type { Executed } from './network.ts'

export type Sums = { lost: number; twice: number; wrong: number }
export type Note = (what: string) => void

/** Each imported key is on the service once. */
export async function judgeImport(
  service: ServiceAccess,
  sellerKey: string,
  offerIds: readonly string[],
  keys: readonly string[],
  note: Note,
): Promise<Sums> {
  const there: string[] = []
  for (const offerId of offerIds) {
    const taken = await service.seller(sellerKey, 'POST', `/offers/${offerId}/withdraw`, {})
    there.push(...(taken as { keys: string[] }).keys)
  }
  const lost = keys.filter((key) => !there.includes(key)).length
  const twice = there.length - new Set(there).size
  if (lost + twice > 0) note(`import: ${lost} keys are missing, ${twice} are there twice`)
  return { lost, twice, wrong: 0 }
}

/** Each order is at the service once if the console says so, and not at all if it doesn't. */
export async function judgeOrders(
  service: ReturnType<typeof serviceOf>,
  wanted: readonly Wanted[],
  rest: Rest,
  note: Note,
): Promise<Sums> {
  const orders = await service.orders()
  const sums = { lost: 0, twice: 0, wrong: rest.open }
  for (const { externalId } of wanted) {
    const count = orders.get(externalId)?.length ?? 0
    const isPlaced = rest.attempts[externalId]?.state === 'placed'
    sums.lost += Number(isPlaced && count === 0)
    sums.twice += Math.max(0, count - 1)
    sums.wrong += Number(!isPlaced && count > 0)
  }
  sums.wrong += Number(rest.balanceCents !== (await service.balanceCents()))
  if (sums.lost + sums.twice + sums.wrong > 0) note(`orders: ${JSON.stringify(sums)}`)
  return sums
}

/** Each price is on the service, and was sent once. */
export async function judgePrices(
  service: ServiceAccess,
  sellerKey: string,
  expected: ReadonlyMap<string, { cents: number; applied: boolean }>,
  executed: Executed,
  note: Note,
): Promise<Sums> {
  const sums = { lost: 0, twice: 0, wrong: 0 }
  for (const [offerId, { cents, applied }] of expected) {
    const offer = (await service.seller(sellerKey, 'GET', `/offers/${offerId}`)) as {
      price: number
    }
    const isThere = Math.round(offer.price * 100) === cents
    const times = executed.get(`PATCH /v1/seller/offers/${offerId}`)?.length ?? 0
    if (isThere !== applied) note(`price of ${offerId}: ${offer.price}, not ${cents / 100}`)
    sums.lost += Number(applied && !isThere)
    sums.wrong += Number(!applied && isThere)
    if (times > 1) note(`price of ${offerId}: sent ${times} times`)
    sums.twice += Number(times > 1)
  }
  return sums
}

const resolutions = { reply: null, 'replace-stock': 'replaced', refund: 'refunded' } as const

/**
 * Each reply is among the messages once, and its key or refund was sent once, not before the time to
 * undo it was over.
 */
export async function judgeReplies(
  service: ServiceAccess,
  sellerKey: string,
  replied: readonly Replied[],
  executed: Executed,
  note: Note,
): Promise<Sums> {
  const sums = { lost: 0, twice: 0, wrong: 0 }
  for (const { disputeId, text, outcome, isPartly, askedAt } of replied) {
    const { messages, resolution } = (await service.seller(
      sellerKey,
      'GET',
      `/disputes/${disputeId}`,
    )) as { messages: { author: string; body: string }[]; resolution: { type: string } | null }
    const times = messages.filter(({ author, body }) => author === 'seller' && body === text).length
    const actions = ['replace', 'refund'].reduce(
      (sum, what) =>
        sum + (executed.get(`POST /v1/seller/disputes/${disputeId}/${what}`)?.length ?? 0),
      0,
    )
    const type = isPartly ? null : resolutions[outcome]
    if (times !== 1 || actions > 1 || (resolution?.type ?? null) !== type)
      note(`${disputeId}: ${times} answers, ${actions} actions, ${resolution?.type ?? 'open'}`)
    const sentAt = executed.get(`POST /v1/seller/disputes/${disputeId}/messages`)?.at(-1)
    const heldMs = sentAt === undefined ? REPLY_HOLD_MS : sentAt - askedAt
    // A reply from before the last one, whose response was lost, has no hold of its own here.
    const isEarly = heldMs >= 0 && heldMs < REPLY_HOLD_MS * 0.9
    if (isEarly) note(`${disputeId}: sent after ${Math.round(heldMs)} ms`)
    sums.wrong += Number(isEarly)
    sums.lost += Number(times === 0) + Number(type !== null && resolution === null)
    sums.twice += Number(times > 1) + Number(actions > 1)
    sums.wrong += Number(resolution !== null && resolution.type !== type)
  }
  return sums
}
