import type { Context } from '../context.ts'
import { visibleQty } from '../offers/pricing.ts'

export interface Supply {
  /**
   * A change stamp for one batch of changes: the time now, and always past every stamp and cursor
   * given before (Decision 11). Take one per transaction.
   */
  stamp(): number
  /**
   * Makes a product follow from its offers; its `updatedAt` moves only when the outside sees a
   * difference (Decision 12).
   */
  refresh(productId: string, stamp: number): void
  /** Counts the committed changes of the catalogue; equal versions mean equal pages. */
  version(): number
  /** A product's data changed: pages made before are outdated once this transaction is durable. */
  markChanged(): void
  /** Starts anew after the database was emptied or replaced. */
  reload(): void
}

/** What the sellers' offers make of the catalogue. */
export function createSupply({ store, clock }: Context): Supply {
  let last = store.catalogue.lastStamp()
  let version = 0

  function touched(): void {
    store.afterCommit(() => {
      version += 1
    })
  }

  return {
    stamp() {
      last = Math.max(clock.now(), last + 1)
      return last
    },
    refresh(productId, stamp) {
      const product = store.catalogue.supplyOf(productId)
      if (!product) return
      const { lowPrice, units } = store.offers.supplySummary(productId)
      const qty = visibleQty(units)
      const price = lowPrice ?? product.lowPrice
      if (price === product.lowPrice && qty === product.qty) return
      const hidden =
        product.supplyUnknown && price === product.lowPrice && qty > 0 === product.qty > 0
      store.catalogue.setSupply(productId, {
        lowPrice: price,
        qty,
        updatedAt: hidden ? product.updatedAt : stamp,
      })
      touched()
    },
    version: () => version,
    markChanged: touched,
    reload() {
      last = store.catalogue.lastStamp()
      version += 1
    },
  }
}
