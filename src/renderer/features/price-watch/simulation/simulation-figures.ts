import { cents } from '../../../../../server/api/money.ts'
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
