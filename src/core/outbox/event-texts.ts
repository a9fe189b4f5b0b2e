import type { OutboxFacts, OutboxKind } from '../../contract/outbox.ts'
import { localized } from '../../contract/localization/localized.ts'
import type { Localized } from '../../contract/localization/localized.ts'
import type { Comparison } from './compare/compare-facts.ts'
import type { StoredEntry } from './store.ts'

type NewEntry = Pick<StoredEntry, 'kind' | 'seen' | 'wanted'>

/** The title of the event of a person's change. */
export const changeTitle = ({ kind, wanted }: Pick<NewEntry, 'kind' | 'wanted'>): Localized => {
  if (kind === 'dispute-answer') return localized('outbox.wrote-answer')
  if (kind === 'offer-status')
    return localized('outbox.chose-status', { status: wanted.status ?? '' })
  return localized('outbox.typed-price', { price: wanted.priceCents ?? 0 })
}

/** The state that a person saw before a change. */
export function seenDetail({ kind, seen }: NewEntry): Localized {
  if (kind === 'offer-new') return localized('outbox.in-catalogue')
  if (kind === 'dispute-answer')
    return localized('outbox.messages', { messages: seen.messages ?? 0 })
  return kind === 'offer-status'
    ? localized('outbox.was-status', { status: seen.status ?? 'unknown' })
    : localized('outbox.price', { price: seen.priceCents ?? 0 })
}

/** Summarizes a comparison in a few words; the reason for a decision is shown with the choices. */
export function comparisonDetail(
  { kind, seen, wanted }: StoredEntry,
  present: OutboxFacts | null,
  { verdict, reason }: Comparison,
): Localized | null {
  if (verdict === 'already') return localized('outbox.already-wanted')
  if (verdict === 'ready') return localized('outbox.unchanged')
  if (kind === 'offer-price' && present !== null && present.priceCents !== seen.priceCents)
    return localized('outbox.neither-price', {
      seen: seen.priceCents ?? 0,
      wanted: wanted.priceCents ?? 0,
    })
  return reason
}

/** The state that a comparison found. */
export function comparisonTitle(kind: OutboxKind, present: OutboxFacts | null): Localized {
  if (present === null) return localized('outbox.compared-gone')
  if (kind === 'offer-status')
    return localized('outbox.compared-status', { status: present.status ?? 'unknown' })
  if (kind === 'dispute-answer')
    return localized('outbox.compared-messages', { messages: present.messages ?? 0 })
  return present.priceCents === null
    ? localized('outbox.compared-no-offer')
    : localized('outbox.compared-price', { price: present.priceCents })
}
