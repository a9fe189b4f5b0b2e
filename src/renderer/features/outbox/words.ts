import type { OutboxEntry, OutboxFacts } from '../../../contract/outbox.ts'
import { formatCents, formatClock, formatMoment } from '../../ui/format.ts'

/** One cell: what it says, and in grey below it since when or why. */
export interface Said {
  text: string
  detail: string
  tone?: 'warn' | 'bad' | 'quiet'
}

export const kindWords = {
  'offer-price': 'Price',
  'offer-status': 'Status',
  'offer-new': 'New offer',
  'dispute-answer': 'Answer',
} as const satisfies Record<OutboxEntry['kind'], string>

/** `15:03` today, with its day before. */
export const whenOf = (at: number, now: number): string =>
  new Date(at).toDateString() === new Date(now).toDateString()
    ? formatClock(at)
    : formatMoment(at, now)

const price = (cents: number | null): string => (cents === null ? 'no price' : formatCents(cents))
const messages = (count: number | null): string =>
  count === 1 ? '1 message' : `${count ?? 0} messages`
const isBehind = (facts: OutboxFacts | null): boolean => (facts?.leadCents ?? 0) < 0
/** Whether what changed is not the price but where it stands. */
const leadChanged = ({ seen, present }: OutboxEntry): boolean =>
  present !== null &&
  present.priceCents === seen.priceCents &&
  present.leadCents !== null &&
  seen.leadCents !== null &&
  isBehind(seen) !== isBehind(present)
const standing = (facts: OutboxFacts): string => (isBehind(facts) ? ', behind' : ', leading')

/** What the person saw when changing it. */
export function seenSays(entry: OutboxEntry, now: number): Said {
  const { kind, seen } = entry
  const detail = `seen ${whenOf(entry.seenAt, now)}`
  switch (kind) {
    case 'offer-price':
      return {
        text: `${price(seen.priceCents)}${leadChanged(entry) ? standing(seen) : ''}`,
        detail,
      }
    case 'offer-status':
      return { text: seen.status ?? 'unknown', detail }
    case 'offer-new':
      return { text: 'in the catalogue', detail }
    case 'dispute-answer':
      return { text: messages(seen.messages), detail }
  }
}

/**
 * What the service said last. Neither who changed it nor when is known, only since when it may
 * have.
 */
export function presentSays(entry: OutboxEntry, now: number): Said {
  const { kind, seen, present, verdict } = entry
  const since = whenOf(entry.seenAt, now)
  if (entry.presentAt === null) return { text: '–', detail: 'not compared yet', tone: 'quiet' }
  if (present === null)
    return {
      text: kind === 'offer-new' ? 'Left the catalogue' : 'Not there any more',
      detail: `removed since ${since}`,
      tone: 'bad',
    }
  const same: Said = { text: factsSay(entry, present), detail: 'unchanged' }
  switch (verdict) {
    case 'gone':
      return { text: factsSay(entry, present), detail: `changed since ${since}`, tone: 'bad' }
    case 'decide':
      return leadChanged(entry)
        ? {
            text: `${price(present.priceCents)}${standing(present)}`,
            detail: leadDetail(present),
            tone: 'warn',
          }
        : {
            text: factsSay(entry, present),
            detail:
              kind === 'dispute-answer' && present.messages !== seen.messages
                ? `written since ${since}`
                : `changed since ${since}`,
            tone: 'warn',
          }
    case 'already':
      return {
        text: factsSay(entry, present),
        detail:
          kind === 'offer-new' || factsSay(entry, present) !== factsSay(entry, seen)
            ? `changed since ${since}`
            : 'unchanged',
        tone: 'quiet',
      }
    case 'ready':
    case 'uncompared':
      return same
  }
}

function factsSay({ kind }: OutboxEntry, facts: OutboxFacts): string {
  switch (kind) {
    case 'offer-price':
      return price(facts.priceCents)
    case 'offer-status':
      return facts.status ?? 'unknown'
    case 'offer-new':
      return facts.priceCents === null ? 'no offer yet' : `Offer at ${price(facts.priceCents)}`
    case 'dispute-answer':
      return facts.status === 'resolved' ? 'resolved' : messages(facts.messages)
  }
}

function leadDetail({ customerCents, leadCents }: OutboxFacts): string {
  if (customerCents === null || leadCents === null || leadCents >= 0)
    return 'it would be sold first'
  return `best is ${formatCents(customerCents + leadCents)}, you ${formatCents(customerCents)}`
}

/** What the person wants, and what it does to the lead where that is known. */
export function wantedSays(entry: OutboxEntry, now: number): Said {
  const { kind, wanted, present } = entry
  const at = whenOf(entry.writtenAt, now)
  switch (kind) {
    case 'offer-price':
      return {
        text: price(wanted.priceCents),
        detail:
          (entry.verdict === 'ready' || leadChanged(entry)
            ? leadEffect(present, wanted.customerCents)
            : null) ?? `typed ${at}`,
      }
    case 'offer-status':
      return { text: wanted.status ?? 'unknown', detail: `chosen ${at}` }
    case 'offer-new':
      return {
        text: `Offer at ${price(wanted.priceCents)}`,
        detail: `typed ${at}${wanted.status === 'paused' ? ', paused' : ''}`,
      }
    case 'dispute-answer':
      return { text: 'Your answer', detail: `written ${at}` }
  }
}

/**
 * What a customer price would do to the lead, as the service stands; null where it can't be known:
 * nobody tells the second-best price while one leads.
 */
export function leadEffect(
  present: OutboxFacts | null,
  customerCents: number | null,
): string | null {
  if (
    present === null ||
    customerCents === null ||
    present.customerCents === null ||
    present.leadCents === null
  )
    return null
  if (present.leadCents >= 0)
    return customerCents <= present.customerCents ? 'keeps the lead' : null
  const lowest = present.customerCents + present.leadCents
  if (customerCents < lowest) return `takes the lead by ${formatCents(lowest - customerCents)}`
  return customerCents === lowest
    ? 'the same as the best price'
    : `still behind, by ${formatCents(customerCents - lowest)}`
}

/** What an entry's verdict means, as a heading. */
export function verdictSays(entry: OutboxEntry): string {
  const { kind, verdict, state } = entry
  if (state === 'sending') return 'It is being sent'
  if (state === 'unknown') return 'We don’t know yet if it arrived'
  switch (verdict) {
    case 'uncompared':
      return 'Not compared with the service yet'
    case 'ready':
      return 'Nothing changed on the service'
    case 'already':
      return 'It is as you want it already'
    case 'gone':
      return kind === 'offer-new'
        ? 'The product can’t be offered any more'
        : 'There is nothing left to change'
    case 'decide': {
      if (kind === 'offer-new') return 'You have an offer for it by now'
      if (kind === 'dispute-answer') return 'The dispute went on while you were offline'
      if (kind === 'offer-status') return 'The status changed while you were offline'
      return leadChanged(entry)
        ? 'The market moved while you were offline'
        : 'The price changed while you were offline'
    }
  }
}
