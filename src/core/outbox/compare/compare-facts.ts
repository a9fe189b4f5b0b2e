import type { OutboxFacts, OutboxKind, OutboxVerdict } from '../../../contract/outbox.ts'
import { localized } from '../../../contract/localization/localized.ts'
import type { Localized } from '../../../contract/localization/localized.ts'
import { type Cents, formatEuros } from '../../../../server/api/money.ts'

export type Comparison = { verdict: OutboxVerdict; reason: Localized | null }

export const emptyFacts: OutboxFacts = {
  priceCents: null,
  customerCents: null,
  leadCents: null,
  status: null,
  messages: null,
}

const euros = (amount: Cents | null): string => (amount === null ? 'no price' : formatEuros(amount))
const isBehind = (facts: OutboxFacts): boolean => (facts.leadCents ?? 0) < 0

/**
 * Compares the service's current state with the state that the person saw when making the change.
 * The API reports neither when nor by whom something was changed, so no one is named.
 *
 * @param present null when the subject no longer exists
 */
export function compareFacts(
  kind: OutboxKind,
  seen: OutboxFacts,
  present: OutboxFacts | null,
  wanted: OutboxFacts,
): Comparison {
  return comparators[kind](seen, present, wanted)
}

type Comparator = (
  seen: OutboxFacts,
  present: OutboxFacts | null,
  wanted: OutboxFacts,
) => Comparison

const ready: Comparison = { verdict: 'ready', reason: null }
const already: Comparison = { verdict: 'already', reason: null }
const decide = (reason: Localized): Comparison => ({ verdict: 'decide', reason })
const gone = (reason: Localized): Comparison => ({ verdict: 'gone', reason })

const comparators: Record<OutboxKind, Comparator> = {
  'offer-price'(seen, present, wanted) {
    if (present === null) return gone(localized('outbox.offer-gone'))
    if (present.priceCents === wanted.priceCents) return already
    if (present.priceCents !== seen.priceCents) {
      return decide(
        localized('outbox.price-changed', {
          seen: euros(seen.priceCents),
          present: euros(present.priceCents),
        }),
      )
    }
    if (isBehind(present) !== isBehind(seen)) {
      return decide(localized(isBehind(present) ? 'outbox.behind-now' : 'outbox.leading-now'))
    }
    return ready
  },
  'offer-status'(seen, present, wanted) {
    if (present === null) return gone(localized('outbox.offer-gone'))
    if (present.status === wanted.status) return already
    return present.status === seen.status
      ? ready
      : decide(
          localized('outbox.status-changed', {
            seen: seen.status ?? 'unknown',
            present: present.status ?? 'unknown',
          }),
        )
  },
  'offer-new'(_seen, present, wanted) {
    if (present === null) return gone(localized('outbox.product-gone'))
    if (present.priceCents === null) return ready
    return present.priceCents === wanted.priceCents && present.status === wanted.status
      ? already
      : decide(
          localized('outbox.offer-exists', {
            price: present.priceCents,
            status: present.status ?? 'none',
          }),
        )
  },
  'dispute-answer'(seen, present) {
    if (present === null) return gone(localized('outbox.dispute-gone'))
    if (present.status === 'resolved') return gone(localized('outbox.dispute-resolved'))
    if (present.messages !== seen.messages) return decide(localized('outbox.new-messages'))
    return present.status === seen.status
      ? ready
      : decide(
          localized('outbox.dispute-status-changed', {
            seen: seen.status ?? 'open',
            present: present.status ?? 'open',
          }),
        )
  },
}
