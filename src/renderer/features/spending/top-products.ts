import { type Cents, sumCents } from '../../../../server/api/money.ts'

/** How many products the table shows. The exported file contains all. */
export const shownProducts = 50

type Spending = { cents: Cents; units: number }

/** The first products, and the sum of the others; null if there are none. */
export function topProducts<Product extends Spending>(
  products: readonly Product[],
): { shown: readonly Product[]; others: (Spending & { count: number }) | null } {
  const others = products.slice(shownProducts)
  return {
    shown: products.slice(0, shownProducts),
    others:
      others.length === 0
        ? null
        : {
            count: others.length,
            cents: sumCents(others.map(({ cents }) => cents)),
            units: others.reduce((sum, { units }) => sum + units, 0),
          },
  }
}
