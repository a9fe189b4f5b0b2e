import type { OutboxFacts, OutboxKind } from '../../contract/outbox.ts'
import { formatEuros, ZERO } from '../../../server/api/money.ts'
import type { Comparison } from './compare-facts.ts'
import type { StoredEntry } from './store.ts'

type NewEntry = Pick<StoredEntry, 'kind' | 'seen' | 'wanted'>

/** The title of the event of a person's change. */
export const changeTitle = ({ kind, wanted }: Pick<NewEntry, 'kind' | 'wanted'>): string => {
  if (kind === 'dispute-answer') return 'You wrote an answer'
  if (kind === 'offer-status') return `You chose ${wanted.status ?? ''}`
  return `You typed ${formatEuros(wanted.priceCents ?? ZERO)}`
}

/** The state that a person saw before a change. */
export function seenDetail({ kind, seen }: NewEntry): string {
  if (kind === 'offer-new') return 'In the catalogue'
  if (kind === 'dispute-answer')
    return `${seen.messages ?? 0} ${seen.messages === 1 ? 'message' : 'messages'}`
  return kind === 'offer-status'
    ? `Was ${seen.status ?? 'unknown'}`
    : `Price ${formatEuros(seen.priceCents ?? ZERO)}`
}

/** Summarizes a comparison in a few words; the reason for a decision is shown with the choices. */
export function comparisonDetail(
  { kind, seen, wanted }: StoredEntry,
  present: OutboxFacts | null,
  { verdict, reason }: Comparison,
): string {
  if (verdict === 'already') return 'Already as you want it'
  if (verdict === 'ready') return 'Same as when you changed it'
  if (kind === 'offer-price' && present !== null && present.priceCents !== seen.priceCents)
    return `Neither ${formatEuros(seen.priceCents ?? ZERO)} nor ${formatEuros(wanted.priceCents ?? ZERO)}`
  return reason ?? ''
}

/** The state that a comparison found. */
export function comparisonTitle(kind: OutboxKind, present: OutboxFacts | null): string {
  if (present === null) return 'Compared: no longer exists'
  if (kind === 'offer-status') return `Compared: ${present.status ?? 'unknown'}`
  if (kind === 'dispute-answer')
    return `Compared: ${present.messages ?? 0} ${present.messages === 1 ? 'message' : 'messages'}`
  return present.priceCents === null
    ? 'Compared: no offer'
    : `Compared: ${formatEuros(present.priceCents)}`
}
