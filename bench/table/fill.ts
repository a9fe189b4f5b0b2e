import type { Database } from 'better-sqlite3'
import { cents } from '../../server/api/money.ts'
import { offerStore } from '../../src/core/offers/store.ts'
import { benchProduct } from '../support/catalogue.ts'

const WRITTEN_AT_ONCE = 2000

/** Fills a mirror with a number of offers, like readings of the service's list. */
export function fillOffers(db: Database, count: number): void {
  const store = offerStore(db)
  for (let from = 0; from < count; from += WRITTEN_AT_ONCE) {
    db.transaction(() => {
      for (let index = from; index < Math.min(count, from + WRITTEN_AT_ONCE); index += 1) {
        const { productId, name, platform, region, productType, deliveryType } = benchProduct(index)
        const priceCents = 99 + ((index * 7919) % 6000)
        const customerCents = Math.round(priceCents * 1.1)
        const isCheapest = index % 3 !== 0
        store.put(
          {
            offerId: `off_${index.toString(36).padStart(6, '0')}`,
            productId,
            name,
            platform,
            region,
            productType,
            deliveryType,
            priceCents: cents(priceCents),
            customerCents: cents(customerCents),
            commission: { class: 'keys', percent: 10 },
            status: index % 19 === 0 ? 'paused' : 'active',
            stock: index % 23 === 0 ? 0 : (index * 31) % 900,
            sold: (index * 17) % 300,
            isCheapest,
            lowestCustomerCents: isCheapest
              ? cents(customerCents)
              : cents(customerCents - 1 - (index % 90)),
            updatedAt: 1_700_000_000_000 + index,
          },
          { askedAt: 1_750_000_000_000, seenAt: 1_750_000_000_000, serviceAhead: 0 },
          1,
        )
      }
    })()
  }
  store.writeSync({ round: 1, pages: Math.ceil(count / 100), lastAt: 1_750_000_000_000 })
}
