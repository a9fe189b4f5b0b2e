import { type Cents, roundedEuros } from '../../server/api/money.ts'
import type { Problem } from './base.ts'

type SentLine = { productId: string; maxUnitCents: Cents }

/**
 * The index of the line for which the service rejected an order; null if it named none. The API
 * names the product. Several lines can have it, so the line's number decides where the service adds
 * it. Otherwise it is the first line with a maximum below the reported price, or the last one where
 * units are missing, because lines of one product share its stock.
 */
export function rejectedLineOf(
  { code, details }: Pick<Problem, 'code' | 'details'>,
  lines: readonly SentLine[],
): number | null {
  const { productId, currentPrice, line: number } = details ?? {}
  const numbered = typeof number === 'number' ? number - 1 : null
  if (numbered !== null && lines[numbered]?.productId === productId) return numbered
  const same = [...lines.keys()].filter((at) => lines[at]?.productId === productId)
  const price = typeof currentPrice === 'number' ? roundedEuros(currentPrice) : null
  const below = same.find((at) => price !== null && (lines[at]?.maxUnitCents ?? price) < price)
  return (code === 'OUT_OF_STOCK' ? same.at(-1) : (below ?? same[0])) ?? null
}
