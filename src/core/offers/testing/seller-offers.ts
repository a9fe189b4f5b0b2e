import type { OfferRow } from '../../../contract/offers/offers.ts'
import type { Bulk } from '../../../contract/offers/offer-bulk.ts'
import { catalogueFeature, catalogueSchema } from '../../catalogue/catalogue.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { startBackend } from '../../mirror/testing/backend.ts'
import type { DemoBackend } from '../../mirror/testing/backend.ts'
import { createMirrorHarness } from '../../mirror/testing/harness.ts'
import type { MirrorHarness } from '../../mirror/testing/harness.ts'
import { IN_FLIGHT_MS } from '../../journaled-send/journaled-send.ts'
import { outboxFeature, outboxSchema } from '../../outbox/outbox.ts'
import type { Outbox } from '../../outbox/outbox.ts'
import { salesSchema } from '../../sales/sales.ts'
import { createFaultyConnection } from '../../testing/faulty-connection.ts'
import { skippingClock } from '../../testing/skipping-clock.ts'
import { startFeature } from '../../testing/start-feature.ts'
import type { Started } from '../../testing/start-feature.ts'
import { offersFeature, offersSchemas } from '../offers.ts'
import type { Offers } from '../offers.ts'

export interface SellerOffers extends Pick<DemoBackend, 'seller' | 'dashboard'> {
  harness: MirrorHarness
  catalogue: Started<Catalogue>
  offers: Started<Offers>
  outbox: Started<Outbox>
  /** The faults of the connection to the service. */
  faults: ReturnType<typeof createFaultyConnection>
  rows(): OfferRow[]
  /** Skips the time in which changes without a response can still arrive. */
  landFlights(): void
  /** Waits until a bulk change is complete. */
  ended(bulkId: string): Promise<Bulk>
  close(): Promise<void>
}

/** Starts the feature for the account `seller` of a demo service, whose offers are synced. */
export async function startSellerOffers(products: number): Promise<SellerOffers> {
  const backend = await startBackend(products)
  const faults = createFaultyConnection()
  const { clock, skip } = skippingClock()
  const harness = createMirrorHarness({
    clock,
    schemas: [catalogueSchema, ...offersSchemas, outboxSchema, salesSchema],
    wrap: faults.wrap,
  })
  const catalogue = startFeature(catalogueFeature, harness.context, {})
  const outbox = startFeature(outboxFeature, harness.context, {})
  const offers = startFeature(offersFeature, harness.context, {
    outbox,
    priceRules: { limitsOf: () => null },
  })
  const { baseUrl, demo, seller, dashboard } = backend
  harness.add({ id: 'seller', role: 'seller', baseUrl, key: demo.sellerKey })
  harness.begin('seller')
  await offers.syncNow('seller')
  return {
    harness,
    catalogue,
    offers,
    outbox,
    faults,
    rows: () => offers.list({ accountId: 'seller', window: { offset: 0, limit: 500 } }).rows,
    landFlights: () => skip(IN_FLIGHT_MS),
    async ended(bulkId) {
      for (;;) {
        const found = offers.bulks
          .list({ accountId: 'seller' })
          .find((bulk) => bulk.bulkId === bulkId)
        if (found === undefined) throw new Error('the change is gone')
        if (found.state === 'done') return found
        await new Promise((resolve) => {
          setTimeout(resolve, 5)
        })
      }
    },
    seller,
    dashboard,
    async close() {
      await harness.close(offers, catalogue)
      await backend.stop()
    },
  }
}
