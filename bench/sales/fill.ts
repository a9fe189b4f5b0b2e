import type { Database } from 'better-sqlite3'
import { cents } from '../../server/api/money.ts'
import { saleFacts } from '../../src/core/sales/sync/facts.ts'
import { saleStore } from '../../src/core/sales/store.ts'
import { benchProduct } from '../support/catalogue.ts'

const DAY = 86_400_000
const WRITTEN_AT_ONCE = 2000
const PRODUCTS = 3000

/**
 * Fills a mirror with a number of sales over a number of days, the newest at `now`, like readings
 * of the service's list: some pending, held or canceled.
 */
export function fillSales(
  db: Database,
  { count, days, now }: { count: number; days: number; now: number },
): void {
  const store = saleStore(db)
  const stepMs = (days * DAY) / count
  for (let from = 0; from < count; from += WRITTEN_AT_ONCE) {
    store.transaction(() => {
      for (let at = from; at < Math.min(count, from + WRITTEN_AT_ONCE); at += 1) {
        const { productId, name } = benchProduct((at * 7919) % PRODUCTS)
        const soldAt = now - at * stepMs
        const isHeld = at % 211 === 0
        const isPending = isHeld || soldAt > now - 7 * DAY
        const isCancelled = !isPending && at % 97 === 0
        const saleId = `sal_${at.toString(36).padStart(8, '0')}`
        store.put(
          saleFacts({
            id: saleId,
            offerId: `off_${(at * 7919) % PRODUCTS}`,
            productId,
            name,
            orderId: `ord_${Math.floor(at / 2)}`,
            keyId: `key_${at}`,
            price: cents(99 + ((at * 31) % 6000)),
            customerPrice: cents(120 + ((at * 31) % 6600)),
            status: isPending ? 'pending' : isCancelled ? 'cancelled' : 'released',
            soldAt: new Date(soldAt).toISOString(),
            releaseAt: isPending ? new Date(soldAt + 7 * DAY).toISOString() : null,
            releasedAt: isPending || isCancelled ? null : new Date(soldAt + 7 * DAY).toISOString(),
          }),
          null,
          1,
          now,
          now,
        )
        if (isHeld)
          store.recordDispute(
            { saleId, disputeId: `dsp_${at}`, unresolved: true, state: 'open', openedAt: null },
            now,
          )
      }
    })
  }
  store.setListing({ nextPage: 1, complete: true, pass: 2 })
  store.setReadAt(now)
}
