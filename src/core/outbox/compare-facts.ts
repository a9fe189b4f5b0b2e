import type { OutboxFacts, OutboxKind, OutboxVerdict } from '../../contract/outbox.ts'
import { type Cents, formatEuros } from '../../../server/api/money.ts'

export type Comparison = { verdict: OutboxVerdict; reason: string | null }

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
 * The API reports neither when nor by whom something was changed, so nobody is named.
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
const decide = (reason: string): Comparison => ({ verdict: 'decide', reason })
const gone = (reason: string): Comparison => ({ verdict: 'gone', reason })

const comparators: Record<OutboxKind, Comparator> = {
  'offer-price'(seen, present, wanted) {
    if (present === null) return gone('This offer no longer exists on the service.')
    if (present.priceCents === wanted.priceCents) return already
    if (present.priceCents !== seen.priceCents) {
      return decide(
        `When you changed it, the price was ${euros(seen.priceCents)}. On the service it’s ` +
          `now ${euros(present.priceCents)}, changed in the seller panel or by another ` +
          'program. The service doesn’t report when or by whom. Your price would replace it.',
      )
    }
    if (isBehind(present) !== isBehind(seen)) {
      return decide(
        isBehind(present)
          ? 'The offer was leading when you changed its price. It’s behind now.'
          : 'The offer was behind when you changed its price. It’s leading now.',
      )
    }
    return ready
  },
  'offer-status'(seen, present, wanted) {
    if (present === null) return gone('This offer no longer exists on the service.')
    if (present.status === wanted.status) return already
    return present.status === seen.status
      ? ready
      : decide(
          `The offer was ${seen.status ?? 'unknown'} when you changed it. It’s ${present.status ?? 'unknown'} now.`,
        )
  },
  'offer-new'(_seen, present, wanted) {
    if (present === null) return gone('The product was removed from the catalogue.')
    if (present.priceCents === null) return ready
    return present.priceCents === wanted.priceCents && present.status === wanted.status
      ? already
      : decide(
          (
            `You already have an offer for this product, at ${euros(present.priceCents)}, ` +
            `${present.status ?? ''}. Sending changes that offer.`
          ).replace(', .', '.'),
        )
  },
  'dispute-answer'(seen, present) {
    if (present === null) return gone('This dispute no longer exists on the service.')
    if (present.status === 'resolved')
      return gone('The dispute was resolved and accepts no more messages.')
    if (present.messages !== seen.messages)
      return decide('There are new messages since you wrote. Read them first.')
    return present.status === seen.status
      ? ready
      : decide(
          `The dispute was ${seen.status ?? 'open'} when you wrote. It’s ${present.status ?? 'open'} now.`,
        )
  },
}
