import { atLeast, type Cents } from '../../../../server/api/money.ts'

/** The unit price from a number of units on (Decision 35). */
export type PriceTier = { minQty: number; unitCents: Cents }

/**
 * The unit price of a line of `qty` units; null: unknown. Without tiers, only the price of one unit
 * is known. The listed price can be newer than the tiers, so the higher one counts.
 */
export function unitPriceFor(
  priceCents: Cents | null,
  tiers: readonly PriceTier[],
  qty: number,
): Cents | null {
  if (priceCents === null) return null
  const reached = tiers.filter(({ minQty }) => minQty <= qty).map(({ unitCents }) => unitCents)
  return atLeast(priceCents, ...reached)
}
