import { averageCents, type Cents, timesCents } from '../../../../../server/api/money.ts'
import { DAY_MS } from '../../../../../server/api/time.ts'
import type { ListedOffer } from '../../../../contract/offers/offers.ts'
import { t } from '../../../../contract/localization/localized.ts'
import { formatDuration } from '../../../ui/format.ts'

const WEEK_DAYS = 7

export interface StockNeed {
  offer: ListedOffer
  /** Days until the stock is sold at the pace of the last 7 days; null if the pace is unknown or 0. */
  days: number | null
  /** Average earnings a day over the last 7 days; null if unknown. */
  perDayCents: Cents | null
}

/** How long an offer's stock lasts, and what its sales earn a day. */
export function stockNeed(offer: ListedOffer): StockNeed {
  const sold = offer.soldDays?.reduce((sum, units) => sum + units, 0) ?? null
  return {
    offer,
    days: sold === null || sold === 0 ? null : offer.stock / (sold / WEEK_DAYS),
    perDayCents: sold === null ? null : averageCents(timesCents(offer.priceCents, sold), WEEK_DAYS),
  }
}

/** What a row says about an offer: its keys, earnings and cover, each fact once. */
export function stockTexts({ offer: { stock }, days, perDayCents }: StockNeed): {
  /** Empty if `when` says so. */
  keys: string
  cents: Cents | null | 'blank'
  when: string
} {
  const isEmpty = stock === 0
  const keys = isEmpty ? 'empty' : t('counts.keys', { count: stock })
  if (days === null && perDayCents !== null)
    return { keys, cents: 'blank', when: 'no sales in 7 days' }
  if (isEmpty) return { keys: '', cents: perDayCents, when: keys }
  const when = days === null ? '' : `lasts ${formatDuration(days * DAY_MS)}`
  return { keys, cents: perDayCents, when }
}

/** The shortest cover first; of those that last equally long, what earns most. */
export const byUrgency = (a: StockNeed, b: StockNeed): number =>
  (a.days ?? Infinity) - (b.days ?? Infinity) || (b.perDayCents ?? 0) - (a.perDayCents ?? 0)
