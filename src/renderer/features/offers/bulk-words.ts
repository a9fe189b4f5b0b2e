import type { Bulk, BulkChange, BulkNote } from '../../../contract/offer-bulk.ts'
import { formatCount } from '../../ui/format.ts'

/** What is said of a line, and how it is marked. */
export const noteWords: Record<BulkNote, { word: string; tone: 'ok' | 'warn' | 'quiet' }> = {
  'takes-lead': { word: 'Takes the lead', tone: 'ok' },
  'stops-at-floor': { word: 'Stops at its floor', tone: 'warn' },
  'stops-at-ceiling': { word: 'Stops at its ceiling', tone: 'warn' },
  'below-floor': { word: 'Below its floor', tone: 'warn' },
  'above-ceiling': { word: 'Above its ceiling', tone: 'warn' },
  'at-floor': { word: 'At its floor', tone: 'quiet' },
  'at-ceiling': { word: 'At its ceiling', tone: 'quiet' },
  'leads-already': { word: 'Leads already', tone: 'quiet' },
  same: { word: 'Is so already', tone: 'quiet' },
  'no-best-price': { word: 'Best price unknown', tone: 'warn' },
  'no-commission': { word: 'Commission unknown', tone: 'warn' },
  'too-low': { word: 'Below 0.01', tone: 'warn' },
  'too-high': { word: 'Above 100,000', tone: 'warn' },
  'waits-in-outbox': { word: 'Waits in the outbox', tone: 'warn' },
  'being-changed': { word: 'Is being changed', tone: 'warn' },
  'no-stock': { word: 'Has no keys', tone: 'quiet' },
  'unknown-product': { word: 'Not in the catalogue', tone: 'warn' },
  twice: { word: 'Twice in the list', tone: 'warn' },
  'own-offer': { word: 'You offer it already', tone: 'quiet' },
  'no-shop-price': { word: 'No price known', tone: 'warn' },
}

const offers = (count: number): string =>
  `${formatCount(count)} ${count === 1 ? 'offer' : 'offers'}`

/** Title, lead and button of the dialog that asks before many offers change. */
export function changeWords(
  change: BulkChange,
  chosen: number,
  changes: number,
  keys: number,
): { title: string; lead: string; action: string } {
  const keyWord = `${formatCount(keys)} ${keys === 1 ? 'key' : 'keys'}`
  switch (change.kind) {
    case 'price':
      return {
        title: `Re-price ${offers(chosen)}`,
        lead: 'Each line shows what you would receive, and whether the offer would lead.',
        action: `Change ${formatCount(changes)} ${changes === 1 ? 'price' : 'prices'}`,
      }
    case 'status':
      return change.status === 'paused'
        ? {
            title: `Pause ${offers(chosen)}?`,
            lead: 'Customers don’t see them any more. No keys move.',
            action: `Pause ${offers(changes)}`,
          }
        : {
            title: `Activate ${offers(chosen)}?`,
            lead: 'Those with keys are for sale at once. No keys move.',
            action: `Activate ${offers(changes)}`,
          }
    case 'withdraw':
      return {
        title: `Withdraw the keys of ${offers(chosen)}?`,
        lead: 'The service gives the keys once. They go into your vault before anything is shown. Nothing is for sale afterwards.',
        action: `Withdraw ${keyWord}`,
      }
    case 'close':
      return {
        title: `Close ${offers(chosen)}?`,
        lead: 'Their keys go into your vault first, then the offers are removed. The service pauses one that has sales.',
        action: `Close ${offers(changes)}`,
      }
  }
}

/** How a change of many stands, in one line. */
export function bulkLine({ counts, state }: Bulk): string {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const left = counts.waiting + counts.sending
  const done = `${formatCount(counts.done)} of ${formatCount(total)} done`
  const refused = counts.refused === 0 ? '' : `, ${formatCount(counts.refused)} not`
  if (state === 'paused') return `Paused: ${done}${refused}`
  if (state === 'cancelled')
    return `Cancelled: ${done}${refused}, ${formatCount(counts.cancelled)} never sent`
  return left > 0 ? `${done}${refused}, ${formatCount(left)} to go` : `${done}${refused}`
}
