import { addCents, type Cents, ZERO } from '../../../../../server/api/money.ts'
import type { OutboxEntry } from '../../../../contract/outbox.ts'
import { customerPays } from '../../../lib/commission.ts'
import { formatCents, parseCents } from '../../../ui/format.ts'
import { leadEffect } from '../list/cell-texts.ts'

/** Your change, the service's state, or another price. */
export type Choice = 'mine' | 'theirs' | 'other'

export const hasPrice = ({ kind }: OutboxEntry): boolean =>
  kind === 'offer-price' || kind === 'offer-new'

/** Reads another price. Without a price, `wrong` is the reason, or null for an empty text. */
export function readOtherPrice(text: string): { cents: Cents | null; wrong: string | null } {
  const read = parseCents(text)
  if ('cents' in read && read.cents >= 1 && read.cents <= 10_000_000)
    return { cents: read.cents, wrong: null }
  if (text === '') return { cents: null, wrong: null }
  return {
    cents: null,
    wrong: 'wrong' in read ? read.wrong : 'Enter a price from 0.01 to 100,000.00',
  }
}

/** The value of your change: its price, its status, or the answer. */
export function ownValue(entry: OutboxEntry): string {
  if (entry.kind === 'dispute-answer') return 'Your answer'
  return hasPrice(entry)
    ? formatCents(entry.wanted.priceCents ?? ZERO)
    : (entry.wanted.status ?? '')
}

/** The value on the service; empty if there is none to keep. */
export function serviceValue(entry: OutboxEntry): string {
  const { present, kind } = entry
  if (present === null || kind === 'dispute-answer') return ''
  if (!hasPrice(entry)) return present.status ?? ''
  return present.priceCents === null ? '' : formatCents(present.priceCents)
}

const capitalize = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`

/** The customer price and the lead at a price; null if the commission is unknown. */
function priceEffect(
  { present }: OutboxEntry,
  cents: Cents | null,
  percent: number | null,
): string | null {
  if (cents === null || percent === null) return null
  const customer = customerPays(cents, percent)
  const lead = leadEffect(present, customer)
  return `Customer pays ${formatCents(customer)}.${lead === null ? '' : ` ${capitalize(lead)}`}`
}

/** The effect of sending your change. */
export function ownEffect(entry: OutboxEntry, percent: number | null): string | null {
  if (hasPrice(entry)) return priceEffect(entry, entry.wanted.priceCents, percent)
  return entry.kind === 'dispute-answer' ? 'It is added after the new messages.' : null
}

/** The effect of keeping the service's value. */
export function serviceEffect(entry: OutboxEntry, percent: number | null): string {
  const effect =
    hasPrice(entry) && entry.present !== null
      ? priceEffect(entry, entry.present.priceCents, percent)
      : null
  return effect ?? 'Yours is discarded.'
}

/** The effect of another price, or before one is typed, the price to compare it with. */
export function otherHint(entry: OutboxEntry, cents: Cents | null, percent: number | null): string {
  const effect = priceEffect(entry, cents, percent)
  if (effect !== null) return effect
  const { present } = entry
  return present?.customerCents == null || present.leadCents === null
    ? 'You receive this amount per key.'
    : `The best customer price is now ${formatCents(addCents(present.customerCents, present.leadCents))}.`
}

/** The label of the button for a choice. */
export function submitLabel(entry: OutboxEntry, choice: Choice, otherCents: Cents | null): string {
  switch (choice) {
    case 'theirs':
      return `Keep ${serviceValue(entry) || 'it is'}`
    case 'other':
      return `Send ${otherCents === null ? 'another price' : formatCents(otherCents)}`
    case 'mine':
      return entry.kind === 'dispute-answer' ? 'Send your answer' : `Send ${ownValue(entry)}`
  }
}
