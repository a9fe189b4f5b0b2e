import type { OutboxFacts, OutboxKind, OutboxVerdict } from '../../contract/outbox.ts'
import { cents, formatEuros } from '../../../server/api/money.ts'

export type Judgement = { verdict: OutboxVerdict; reason: string | null }

export const noFacts: OutboxFacts = {
  priceCents: null,
  customerCents: null,
  leadCents: null,
  status: null,
  messages: null,
}

const euros = (amount: number | null): string =>
  amount === null ? 'no price' : formatEuros(cents(amount))
const isBehind = (facts: OutboxFacts): boolean => (facts.leadCents ?? 0) < 0

/**
 * Compares what the service says now with what the person saw when changing it. The API tells
 * neither when nor by whom something was changed, so nobody is named.
 *
 * @param present null when the subject is not there any more
 */
export function judge(
  kind: OutboxKind,
  seen: OutboxFacts,
  present: OutboxFacts | null,
  wanted: OutboxFacts,
): Judgement {
  return judges[kind](seen, present, wanted)
}

type Judge = (seen: OutboxFacts, present: OutboxFacts | null, wanted: OutboxFacts) => Judgement

const ready: Judgement = { verdict: 'ready', reason: null }
const already: Judgement = { verdict: 'already', reason: null }
const decide = (reason: string): Judgement => ({ verdict: 'decide', reason })
const gone = (reason: string): Judgement => ({ verdict: 'gone', reason })

const judges: Record<OutboxKind, Judge> = {
  'offer-price'(seen, present, wanted) {
    if (present === null) return gone('The service does not have this offer any more.')
    if (present.priceCents === wanted.priceCents) return already
    if (present.priceCents !== seen.priceCents) {
      return decide(
        `You changed ${euros(seen.priceCents)}. The service has ${euros(present.priceCents)} now, set in the seller panel or by another program: it doesn’t say when or by whom. Yours would replace it.`,
      )
    }
    if (isBehind(present) !== isBehind(seen)) {
      return decide(
        isBehind(present)
          ? 'The offer led when you changed its price, and is behind now.'
          : 'The offer was behind when you changed its price, and leads now.',
      )
    }
    return ready
  },
  'offer-status'(seen, present, wanted) {
    if (present === null) return gone('The service does not have this offer any more.')
    if (present.status === wanted.status) return already
    return present.status === seen.status
      ? ready
      : decide(
          `The offer was ${seen.status ?? 'unknown'} when you changed it, and is ${present.status ?? 'unknown'} now.`,
        )
  },
  'offer-new'(_seen, present, wanted) {
    if (present === null) return gone('The product left the catalogue.')
    if (present.priceCents === null) return ready
    return present.priceCents === wanted.priceCents && present.status === wanted.status
      ? already
      : decide(
          `You have an offer for this product by now, at ${euros(present.priceCents)}, ${present.status ?? ''}. Sending changes that one.`.replace(
            ', .',
            '.',
          ),
        )
  },
  'dispute-answer'(seen, present) {
    if (present === null) return gone('The service does not have this dispute any more.')
    if (present.status === 'resolved')
      return gone('The dispute was resolved meanwhile and takes no more messages.')
    if (present.messages !== seen.messages)
      return decide('There are new messages since you wrote. Read them first.')
    return present.status === seen.status
      ? ready
      : decide(
          `The dispute was ${seen.status ?? 'open'} when you wrote, and is ${present.status ?? 'open'} now.`,
        )
  },
}
