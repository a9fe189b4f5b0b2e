import { formatMessage, localized, t } from '../../../../contract/localization/localized.ts'
import { addCents, type Cents, subtractCents } from '../../../../../server/api/money.ts'
import type { OutboxEntry, OutboxEvent, OutboxFacts } from '../../../../contract/outbox.ts'
import { formatCents, formatClock, formatMoment } from '../../../ui/format.ts'

/** One cell: its text, and in gray below it the time or the reason. */
export interface CellText {
  text: string
  detail: string
  tone?: 'warn' | 'bad' | 'quiet'
}

export const kindLabels = {
  'offer-price': 'Price',
  'offer-status': 'Status',
  'offer-new': 'New offer',
  'dispute-answer': 'Answer',
} as const satisfies Record<OutboxEntry['kind'], string>

/** `Price · Steam · Europe · Key`: the kind of change, and the edition of the product. */
export const kindText = ({ kind, subtitle }: Pick<OutboxEntry, 'kind' | 'subtitle'>): string =>
  [kindLabels[kind], subtitle].filter((part) => part !== '').join(' · ')

/** `15:03` today, otherwise with the day before it. */
export const formatWhen = (at: number, now: number): string =>
  new Date(at).toDateString() === new Date(now).toDateString()
    ? formatClock(at)
    : formatMoment(at, now)

const price = (cents: Cents | null): string => (cents === null ? 'no price' : formatCents(cents))
const messages = (count: number | null): string => t('counts.messages', { count: count ?? 0 })
const isBehind = (facts: OutboxFacts | null): boolean => (facts?.leadCents ?? 0) < 0
/** Whether the price is unchanged but its rank has changed. */
const leadChanged = ({ seen, present }: OutboxEntry): boolean =>
  present !== null &&
  present.priceCents === seen.priceCents &&
  present.leadCents !== null &&
  seen.leadCents !== null &&
  isBehind(seen) !== isBehind(present)
const leadState = (facts: OutboxFacts): string => (isBehind(facts) ? ', behind' : ', leading')

/** The state that the person saw when making the change. */
export function seenText(entry: OutboxEntry, now: number): CellText {
  const { kind, seen } = entry
  const detail = `seen ${formatWhen(entry.seenAt, now)}`
  switch (kind) {
    case 'offer-price':
      return {
        text: `${price(seen.priceCents)}${leadChanged(entry) ? leadState(seen) : ''}`,
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
 * The state last read from the service. Only the earliest possible time of a change is known,
 * neither its author nor its time.
 */
export function currentText(entry: OutboxEntry, now: number): CellText {
  const { kind, seen, present, verdict } = entry
  const since = formatWhen(entry.seenAt, now)
  if (entry.presentAt === null) return { text: '–', detail: 'not compared yet', tone: 'quiet' }
  if (present === null)
    return {
      text: kind === 'offer-new' ? 'Removed from the catalogue' : 'No longer exists',
      detail: `removed since ${since}`,
      tone: 'bad',
    }
  const same: CellText = { text: factsText(entry, present), detail: 'unchanged' }
  switch (verdict) {
    case 'gone':
      return { text: factsText(entry, present), detail: `changed since ${since}`, tone: 'bad' }
    case 'decide':
      return leadChanged(entry)
        ? {
            text: `${price(present.priceCents)}${leadState(present)}`,
            detail: leadDetail(present),
            tone: 'warn',
          }
        : {
            text: factsText(entry, present),
            detail:
              kind === 'dispute-answer' && present.messages !== seen.messages
                ? `written since ${since}`
                : `changed since ${since}`,
            tone: 'warn',
          }
    case 'already':
      return {
        text: factsText(entry, present),
        detail:
          kind === 'offer-new' || factsText(entry, present) !== factsText(entry, seen)
            ? `changed since ${since}`
            : 'unchanged',
        tone: 'quiet',
      }
    case 'ready':
    case 'uncompared':
      return same
  }
}

function factsText({ kind }: OutboxEntry, facts: OutboxFacts): string {
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
  if (customerCents === null || leadCents === null || leadCents >= 0) return 'it would sell first'
  return `best is ${formatCents(addCents(customerCents, leadCents))}, yours ${formatCents(customerCents)}`
}

/** The person's change, and its effect on the lead if that is known. */
export function wantedText(entry: OutboxEntry, now: number): CellText {
  const { kind, wanted, present } = entry
  const at = formatWhen(entry.writtenAt, now)
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
 * The effect of a customer price on the lead, given the service's current state. Null where it
 * can't be known: while you lead, the service doesn't report the second-best price.
 */
export function leadEffect(
  present: OutboxFacts | null,
  customerCents: Cents | null,
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
  const lowest = addCents(present.customerCents, present.leadCents)
  if (customerCents < lowest)
    return `takes the lead by ${formatCents(subtractCents(lowest, customerCents))}`
  return customerCents === lowest
    ? 'the same as the best price'
    : `still behind by ${formatCents(subtractCents(customerCents, lowest))}`
}

/** What a discarded change did at the service, by its last event. */
export function discardedText(events: readonly OutboxEvent[]): string {
  const detail = events.at(-1)?.detail ?? localized('outbox.nothing-sent')
  return formatMessage(detail).replace(/\.?$/, '.')
}

/** An entry's verdict as a heading. */
export function verdictTitle(entry: OutboxEntry): string {
  const { kind, verdict, state } = entry
  if (state === 'sending') return 'Sending'
  if (state === 'unknown') return 'Not confirmed'
  switch (verdict) {
    case 'uncompared':
      return 'Not compared with the service yet'
    case 'ready':
      return 'Unchanged on the service'
    case 'already':
      return 'Already as you want it'
    case 'gone':
      return kind === 'offer-new'
        ? 'The product can’t be offered anymore'
        : 'There is nothing left to change'
    case 'decide': {
      if (kind === 'offer-new') return 'You already have an offer for this product'
      if (kind === 'dispute-answer') return 'New activity in the dispute while you were offline'
      if (kind === 'offer-status') return 'The status changed while you were offline'
      return leadChanged(entry)
        ? 'The market moved while you were offline'
        : 'The price changed while you were offline'
    }
  }
}
