import type { ChangeReason } from '../../../contract/price-rules.ts'
import type { OfferFacts, WatchState } from './facts.ts'

const DAY_MS = 86_400_000

export const isSelling = ({ status, stock }: Pick<OfferFacts, 'status' | 'stock'>): boolean =>
  status === 'active' && stock > 0

/** Whether an offer would be sold first, as far as the service tells. */
export function leadOf(
  facts: Pick<
    OfferFacts,
    'status' | 'stock' | 'isCheapest' | 'bestCents' | 'bestAt' | 'customerCents'
  >,
  ownSince: number,
): WatchState['lead'] {
  if (!isSelling(facts)) return 'none'
  if (facts.isCheapest !== null) return facts.isCheapest ? 'leading' : 'behind'
  // The best price includes the own one: as low as it says nothing about who sells first.
  return facts.bestCents !== null &&
    facts.bestAt !== null &&
    facts.bestAt >= ownSince &&
    facts.bestCents < facts.customerCents
    ? 'behind'
    : 'unknown'
}

/**
 * What is remembered after an offer was read. A price that this desk did not ask for was set
 * elsewhere: another console, the seller panel. The offer is held until a person has looked, where
 * a rule had changed it within a day.
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

/** What is remembered after a rule's price was sent and taken. */
export function afterChange(
  before: WatchState,
  {
    at,
    fromCents,
    toCents,
    reason,
  }: { at: number; fromCents: number; toCents: number; reason: ChangeReason },
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
