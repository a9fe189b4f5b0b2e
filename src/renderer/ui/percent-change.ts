import type { Cents } from '../../../server/api/money.ts'

/**
 * The change of a price in percent with its sign, such as "+700 %" or "−0.5 %"; "new" from zero.
 */
export function percentChange(from: Cents, to: Cents): string {
  if (from === 0) return 'new'
  const percent = Math.abs(((to - from) * 100) / from)
  return `${to < from ? '−' : '+'}${percent.toFixed(percent < 10 ? 1 : 0)} %`
}
