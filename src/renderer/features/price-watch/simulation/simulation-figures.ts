import { cents } from '../../../../../server/api/money.ts'
import { t } from '../../../../contract/localization/localized.ts'
import type { SimulationResult } from '../../../../contract/price-watch/price-simulation.ts'
import { formatCents, formatCount } from '../../../ui/format.ts'

/** Kind of a figure: a share of time, a number, or an amount of money. */
export type Kind = 'share' | 'count' | 'cents'

/** A figure as shown; null is unknown. */
export const said = (value: number | null, kind: Kind): string =>
  value === null
    ? 'unknown'
    : kind === 'share'
      ? `${(value * 100).toFixed(1)} %`
      : kind === 'cents'
        ? formatCents(cents(value))
        : formatCount(value)
/** The difference of two figures as shown, with its sign. */
export function saidDifference(by: number, kind: Kind): string {
  if (kind === 'cents') return formatCents(cents(by), { sign: true })
  if (kind === 'share') return `${by < 0 ? '−' : '+'}${Math.abs(by * 100).toFixed(1)} points`
  return `${by > 0 ? '+' : ''}${formatCount(by)}`
}

const isProfitComplete = ({ profitCents, profitOffers, offers }: SimulationResult): boolean =>
  profitCents !== null && profitOffers === offers.length

/** For which offers the profit is known; empty if it is of all or none. */
export function profitDetail(set: SimulationResult): string {
  const { profitCents, profitOffers, offers } = set
  if (profitCents === null || isProfitComplete(set)) return ''
  return profitOffers === null
    ? 'for offers with a cost'
    : `for ${formatCount(profitOffers)} of ${t('counts.offers', { count: offers.length })}`
}

/** Compares two sets in a few words: by profit if it is known of all offers, or by revenue. */
export function verdict(a: SimulationResult, b: SimulationResult): string {
  const byProfit = isProfitComplete(a) && isProfitComplete(b)
  const money = byProfit
    ? (b.profitCents ?? 0) - (a.profitCents ?? 0)
    : b.revenueCents - a.revenueCents
  const lead = (b.lead ?? 0) - (a.lead ?? 0)
  const amount = money === 0 ? 'the same' : money > 0 ? 'more' : 'less'
  const earns = byProfit ? `B earns ${amount}` : `B has ${amount} revenue`
  return Math.abs(lead) < 0.0005 ? earns : `${earns} and leads ${lead > 0 ? 'more' : 'less'}`
}
