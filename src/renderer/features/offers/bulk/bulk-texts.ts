import { t } from '../../../../contract/localization/localized.ts'
import type {
  Bulk,
  BulkChange,
  BulkNote,
  PlanPage,
} from '../../../../contract/offers/offer-bulk.ts'
import { formatCount, formatTimeLeft } from '../../../ui/format.ts'

/** The text for each note about a line, and its tone. */
export const noteTexts: Record<BulkNote, { word: string; tone: 'ok' | 'warn' | 'quiet' }> = {
  'takes-lead': { word: 'Takes the lead', tone: 'ok' },
  'stops-at-floor': { word: 'Stops at floor', tone: 'warn' },
  'stops-at-ceiling': { word: 'Stops at ceiling', tone: 'warn' },
  'below-floor': { word: 'Below floor', tone: 'warn' },
  'above-ceiling': { word: 'Above ceiling', tone: 'warn' },
  'at-floor': { word: 'At floor', tone: 'quiet' },
  'at-ceiling': { word: 'At ceiling', tone: 'quiet' },
  'leads-already': { word: 'Already leading', tone: 'quiet' },
  same: { word: 'No change', tone: 'quiet' },
  'no-best-price': { word: 'Best price unknown', tone: 'warn' },
  'no-commission': { word: 'Commission unknown', tone: 'warn' },
  'too-low': { word: 'Below 0.01', tone: 'warn' },
  'too-high': { word: 'Above 100,000', tone: 'warn' },
  'waits-in-outbox': { word: 'Queued change', tone: 'warn' },
  'being-changed': { word: 'Change in progress', tone: 'warn' },
  'no-stock': { word: 'No keys', tone: 'quiet' },
  'unknown-product': { word: 'Not in the catalogue', tone: 'warn' },
  twice: { word: 'Listed twice', tone: 'warn' },
  'own-offer': { word: 'Already offered', tone: 'quiet' },
  'no-shop-price': { word: 'No known price', tone: 'warn' },
}

const offers = (count: number): string => t('counts.offers', { count })

/** Title, lead and button of the dialog that confirms a bulk change. */
export function confirmationTexts(
  change: BulkChange,
  chosen: number,
  changes: number,
  keys: number,
): { title: string; lead: string; action: string } {
  const keyWord = t('counts.keys', { count: keys })
  switch (change.kind) {
    case 'price':
      return {
        title: `Re-price ${offers(chosen)}`,
        lead: 'Each line shows what you would receive, and whether the offer would lead.',
        action: `Change ${t('counts.prices', { count: changes })}`,
      }
    case 'status':
      return change.status === 'paused'
        ? {
            title: `Pause ${offers(chosen)}?`,
            lead: 'Customers won’t see them. No keys move.',
            action: `Pause ${offers(changes)}`,
          }
        : {
            title: `Activate ${offers(chosen)}?`,
            lead: 'Offers with keys are for sale immediately. No keys move.',
            action: `Activate ${offers(changes)}`,
          }
    case 'withdraw':
      return {
        title: `Withdraw the keys of ${offers(chosen)}?`,
        lead:
          'The service returns keys only once, so they’re saved in your vault first. ' +
          'Afterwards these offers are out of stock.',
        action: `Withdraw ${keyWord}`,
      }
    case 'close':
      return {
        title: `Close ${offers(chosen)}?`,
        lead:
          'Keys are saved in your vault first, then the offers are removed. The service ' +
          'pauses offers that have sales.',
        action: `Close ${offers(changes)}`,
      }
  }
}

/** Shorter changes finish before anyone wonders how long they take. */
const WORTH_NAMING_MS = 10_000

/** How long a planned change takes at the service's limit; null if that is a moment or unknown. */
export function longDuration(page: PlanPage | undefined): string | null {
  const ms = page?.durationMs ?? 0
  return ms < WORTH_NAMING_MS ? null : formatTimeLeft(ms)
}

/** The progress of a bulk change in one line. */
export function bulkProgress({ counts, state }: Bulk): string {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const left = counts.waiting + counts.sending
  const done = `${formatCount(counts.done)} of ${formatCount(total)} done`
  const refused = [
    counts.refused === 0 ? '' : `, ${formatCount(counts.refused)} failed`,
    counts.skipped === 0 ? '' : `, ${formatCount(counts.skipped)} skipped`,
  ].join('')
  if (state === 'paused') return `Paused: ${done}${refused}`
  if (state === 'cancelled')
    return `Canceled: ${done}${refused}, ${formatCount(counts.cancelled)} not sent`
  return left > 0 ? `${done}${refused}, ${formatCount(left)} remaining` : `${done}${refused}`
}

/** Names the button that undoes a bulk change, or that makes an undone one again. */
export function undoLabel(isRedo: boolean, count: number): string {
  const what = count === 0 ? '' : ` ${t('counts.changes', { count })}`
  return isRedo ? `Make${what} again` : `Undo${what}`
}
