import { averageOf } from '../../../../server/api/money.ts'
import type { Cents } from '../../../../server/api/money.ts'
import type { Purchase } from '../parse/read-task.ts'

/** The costs of an offer's ready keys. */
export type OfferPurchase = {
  offerId: string
  keys: number
  priced: number
  unreadable: number
  costCents: Cents | null
  lowestCents: Cents | null
  highestCents: Cents | null
  suppliers: string[]
}

const MOST_SUPPLIERS = 5

type Sum = {
  priced: number
  unreadable: number
  total: bigint
  lowest: Cents | null
  highest: Cents | null
  suppliers: Set<string>
}

/** Sums up the costs of ready keys by offer, while the lines are classified. */
export function createPurchaseSums() {
  const sums = new Map<number, Sum>()
  return {
    /** Adds a key of an offer whose file names a cost or a supplier. */
    add(offer: number, purchase: Purchase): void {
      let sum = sums.get(offer)
      if (sum === undefined)
        sums.set(
          offer,
          (sum = {
            priced: 0,
            unreadable: 0,
            total: 0n,
            lowest: null,
            highest: null,
            suppliers: new Set(),
          }),
        )
      const { costCents, unreadable, supplier } = purchase
      if (unreadable) sum.unreadable++
      if (supplier !== '' && sum.suppliers.size < MOST_SUPPLIERS) sum.suppliers.add(supplier)
      if (costCents === null) return
      sum.priced++
      sum.total += BigInt(costCents)
      if (sum.lowest === null || costCents < sum.lowest) sum.lowest = costCents
      if (sum.highest === null || costCents > sum.highest) sum.highest = costCents
    },
    /**
     * The offers whose keys have a cost or a supplier.
     *
     * @param keysOf the number of all ready keys by offer
     */
    result: (offerIds: readonly string[], keysOf: ReadonlyMap<number, number>): OfferPurchase[] =>
      offerIds.flatMap((offerId, offer) => {
        const sum = sums.get(offer)
        if (sum === undefined || sum.priced + sum.unreadable + sum.suppliers.size === 0) return []
        const { priced, unreadable, total, lowest, highest } = sum
        return [
          {
            offerId,
            keys: keysOf.get(offer) ?? 0,
            priced,
            unreadable,
            costCents: priced === 0 ? null : averageOf(total, priced),
            lowestCents: lowest,
            highestCents: highest,
            suppliers: [...sum.suppliers],
          },
        ]
      }),
  }
}
export type PurchaseSums = ReturnType<typeof createPurchaseSums>
