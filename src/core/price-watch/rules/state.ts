import type { Cents } from '../../../../server/api/money.ts'
import type { ChangeReason } from '../../../contract/price-watch/price-rules.ts'
import type { OfferFacts, WatchState } from './facts.ts'
import { DAY_MS } from '../../../../server/api/time.ts'

export const isSelling = ({ status, stock }: Pick<OfferFacts, 'status' | 'stock'>): boolean =>
  status === 'active' && stock > 0

/** Whether an offer would be sold first, as far as the service reports it. */
export function leadOf(
  facts: Pick<
    OfferFacts,
    'status' | 'stock' | 'isCheapest' | 'bestCents' | 'bestAt' | 'customerCents'
  >,
  ownSince: number,
): WatchState['lead'] {
  if (!isSelling(facts)) return 'none'
  if (facts.isCheapest !== null) return facts.isCheapest ? 'leading' : 'behind'
  // The best price includes the seller's own. If it equals the own price, it doesn't reveal who
  // sells first.
  return facts.bestCents !== null &&
    (facts.bestAt ?? 0) >= ownSince &&
    facts.bestCents < facts.customerCents
    ? 'behind'
    : 'unknown'
}

/**
 * A state without times in the future. They say that the clock was set back: what happened then
 * counts as if it happened now, and a hold lasts as long as it was meant to.
 */
export function notAfter(state: WatchState | null, now: number): WatchState | null {
  if (state === null) return null
  const { changes, probe, failed, hold, leadSince, ownSince } = state
  const times = [leadSince, ownSince, probe?.at, failed?.at, hold?.since, changes.at(-1)?.at]
  if (times.every((at) => at === undefined || at <= now)) return state
  const aheadMs = Math.max(0, (hold?.since ?? now) - now)
  const clamped = <Stamped extends { at: number }>(each: Stamped): Stamped => ({
    ...each,
    at: Math.min(each.at, now),
  })
  return {
    ...state,
    leadSince: Math.min(leadSince, now),
    ownSince: Math.min(ownSince, now),
    changes: changes.map(clamped),
    probe: probe && clamped(probe),
    failed: failed && clamped(failed),
    hold: hold && {
      ...hold,
      since: Math.min(hold.since, now),
      until: hold.until === null ? null : hold.until - aheadMs,
    },
  }
}

/**
 * The state after an offer was read. A price that this console didn't send was set elsewhere
 * (another console or the seller panel). If a rule changed the offer within the last day, it is
 * held until a person reviews it.
 */
export function observe(before: WatchState | null, facts: OfferFacts, isOurs: boolean): WatchState {
  const at = facts.seenAt
  if (before === null) {
    return {
      lead: leadOf(facts, at),
      leadSince: at,
      ownCents: facts.priceCents,
      ownSince: at,
      changes: [],
      probe: null,
      failed: null,
      hold: null,
      rejected: null,
    }
  }
  let state = before
  if (facts.priceCents !== before.ownCents) {
    const foreign = !isOurs && before.changes.some((change) => change.at > at - DAY_MS)
    state = {
      ...state,
      ownCents: facts.priceCents,
      ownSince: at,
      probe: null,
      rejected: null,
      hold: foreign ? { why: 'foreign', until: null, since: at } : state.hold,
    }
  }
  const lead = leadOf(facts, state.ownSince)
  return lead === state.lead ? state : { ...state, lead, leadSince: at }
}

/** The state after the service accepted a price set by a rule. */
export function afterChange(
  before: WatchState,
  {
    at,
    fromCents,
    toCents,
    reason,
  }: { at: number; fromCents: Cents; toCents: Cents; reason: ChangeReason },
): WatchState {
  const changes = [
    ...before.changes.filter((change) => change.at > at - DAY_MS),
    { at, fromCents, toCents },
  ]
  const lost = reason === 'step-back' ? { cents: fromCents, at } : before.failed
  return {
    ...before,
    ownCents: toCents,
    ownSince: at,
    changes,
    probe: reason === 'raise' ? { fromCents, toCents, at } : null,
    failed: lost,
    rejected: null,
  }
}
