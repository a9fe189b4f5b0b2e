import type { Context } from '../context.ts'
import { visibleQty } from '../offers/pricing.ts'

export interface Supply {
  /**
   * A change stamp for one batch of changes: the current time, but always later than every stamp
   * and cursor issued before (Decision 11). Take one per transaction.
   */
  stamp(): number
  /**
   * Updates a product's price and quantity from its offers. `updatedAt` moves only when partners
   * can see a difference (Decision 12).
   */
  refresh(productId: string, stamp: number): void
  /** Counts the committed changes of the catalogue. Equal versions mean equal pages. */
  version(): number
  /**
   * Reports that a product's data changed: cached pages become invalid once this transaction is
   * durable.
   */
  markChanged(): void
  /** Reads the state again after the database was emptied or replaced. */
  reload(): void
}

/** Derives catalogue prices and quantities from the sellers' offers. */
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
