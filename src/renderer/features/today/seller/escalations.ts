import { DAY_MS } from '../../../../../server/api/time.ts'
import { formatCount } from '../../../ui/format.ts'

/**
 * How many of `total` disputes escalate within 24 hours. `rows` are the first of them by deadline:
 * if all of these escalate and there are more, the exact number is unknown ("100+").
 */
export function escalatingCount(
  rows: readonly { escalatesAt: number | null }[],
  total: number,
  now: number,
): string {
  const count = rows.filter(
    ({ escalatesAt }) => escalatesAt !== null && escalatesAt - now < DAY_MS,
  ).length
  return `${formatCount(count)}${count === rows.length && total > count ? '+' : ''}`
}
