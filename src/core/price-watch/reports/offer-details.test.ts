import { afterEach, beforeEach, expect, test } from 'vitest'
import { HOUR_MS } from '../../../../server/api/time.ts'
import { catalogueSchema } from '../../catalogue/catalogue.ts'
import type { ServiceConnection } from '../../context.ts'
import { createMirrorHarness } from '../../mirror/testing/harness.ts'
import type { MirrorHarness } from '../../mirror/testing/harness.ts'
import { offersFeature, offersSchemas } from '../../offers/offers.ts'
import type { Offers } from '../../offers/offers.ts'
import { outboxFeature, outboxSchema } from '../../outbox/outbox.ts'
import { salesSchema } from '../../sales/sales.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import type { ManualClock } from '../../testing/manual-clock.ts'
import { startFeature } from '../../testing/start-feature.ts'
import type { Started } from '../../testing/start-feature.ts'
import { createPriceEngine } from '../engine/price-engine.ts'
import type { PriceEngine } from '../engine/price-engine.ts'
import { priceRulesFeature } from '../rules/price-rules.ts'
import { priceWatchSchema } from '../schema.ts'
import { offerDetails } from './offer-details.ts'

const accountId = 'a'
let clock: ManualClock
let harness: MirrorHarness
let offers: Started<Offers>
let keeper: PriceEngine
/** The offer as the service reports it. */
let served = { price: 1000, customerPrice: 1100, percent: 10 }
const close: { close(): Promise<void> }[] = []

beforeEach(() => {
  clock = manualClock()
  const call = (async () => ({
    id: 'off_1',
    productId: 'p_1',
    name: 'One',
    price: served.price,
    customerPrice: served.customerPrice,
    status: 'active',
    stock: 5,
    isCheapest: false,
    lowestCustomerPrice: 900,
    commission: { class: 'keys', percent: served.percent, amount: 100 },
  })) as unknown as ServiceConnection['call']
  harness = createMirrorHarness({
    schemas: [catalogueSchema, ...offersSchemas, outboxSchema, salesSchema, priceWatchSchema],
    clock,
    wrap: () => ({ ready: async () => {}, call }),
  })
  const outbox = startFeature(outboxFeature, harness.context, {})
  const priceRules = startFeature(priceRulesFeature, harness.context, {})
  offers = startFeature(offersFeature, harness.context, { outbox, priceRules })
  close.push(offers, outbox, priceRules)
  harness.add({ id: accountId, role: 'seller', baseUrl: 'http://127.0.0.1:1/v1', key: 'svcs_none' })
  keeper = createPriceEngine({ context: harness.context, offers, outbox, priceRules, accountId })
})
afterEach(() => harness.close(...close.splice(0)))

/** Reads the offer an hour later. */
async function read(price: number, customerPrice: number, percent: number): Promise<void> {
  clock.advance(HOUR_MS)
  served = { price, customerPrice, percent }
  await offers.pricing.refreshOffer(accountId, 'off_1', { priority: 'watch' })
}
/** The customer prices of the chart, and whether each is estimated. */
function points() {
  const [watched] = keeper.consider(['off_1'])
  if (watched === undefined) throw new Error('the offer is not watched')
  const ground = { earned: new Map(), proposals: new Map(), sending: new Set<string>() }
  const readings = offers.offer({ accountId, offerId: 'off_1' }).history
  return offerDetails({
    keeper,
    watched,
    ground,
    readings,
    now: clock.now(),
  }).history.points.map(({ customerCents, isEstimated }) => [customerCents, isEstimated])
}

test('shows the customer prices of each time with the commission of that time', async () => {
  await read(1000, 1100, 10)
  await read(900, 1080, 20)
  await read(900, 990, 10)
  expect(points()).toEqual([
    [1100, false],
    [1080, false],
    [990, false],
  ])
})

test('marks customer prices as estimated that an earlier version didn’t record', async () => {
  await read(1000, 1100, 10)
  await read(900, 1080, 20)
  harness.context.mirrors
    .database(accountId)
    .exec('UPDATE offer_history SET customer_cents = NULL WHERE price_cents = 1000')
  expect(points()).toEqual([
    [1200, true],
    [1080, false],
  ])
})
