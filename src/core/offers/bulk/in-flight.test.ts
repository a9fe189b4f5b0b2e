import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import type { OfferRow } from '../../../contract/offers/offers.ts'
import { failure } from '../../failure.ts'
import { startSellerOffers } from '../testing/seller-offers.ts'
import type { SellerOffers } from '../testing/seller-offers.ts'
import { unsettledLines } from './sending.ts'
import { bulkStore } from './store.ts'

let world: SellerOffers
let offers: SellerOffers['offers']
let faults: SellerOffers['faults']
beforeAll(async () => {
  world = await startSellerOffers(300)
  ;({ offers, faults } = world)
}, 120_000)
afterEach(() => {
  faults.reset()
  world.landFlights()
})
afterAll(() => world.close())

const active = (): OfferRow[] => world.rows().filter((row) => row.status === 'active')

/** Starts a bulk change that raises the price of an offer by 3 cents. */
async function raised({ offerId }: OfferRow) {
  const wish = {
    accountId: 'seller',
    chosen: { offerIds: [offerId] },
    change: {
      kind: 'price' as const,
      how: { by: 'amount' as const, cents: cents(3) },
      keepFloor: true,
    },
  }
  const { fingerprint } = await offers.bulks.preview(wish)
  return offers.bulks.begin({ ...wish, fingerprint })
}

/** Starts a bulk change of one price, whose first request is in flight until `lose` is called. */
async function inFlight(row: OfferRow) {
  const sent = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  let requests = 0
  faults.before = async (operation) => {
    if (operation !== 'changeOffer') return
    requests += 1
    sent.resolve()
    await held.promise
    throw failure('ANSWER_LOST', 'No answer.', 'Wait.')
  }
  const { bulkId } = await raised(row)
  await sent.promise
  const counts = () =>
    offers.bulks.list({ accountId: 'seller' }).find((bulk) => bulk.bulkId === bulkId)?.counts
  return {
    ref: { accountId: 'seller', bulkId },
    counts,
    lose: () => held.resolve(),
    /** Resolves when a number of requests have been lost. */
    async lost(number: number) {
      await expect.poll(() => requests, { timeout: 10_000 }).toBe(number)
      await shortly()
    },
  }
}
const shortly = () =>
  new Promise((resolve) => {
    setTimeout(resolve, 100)
  })

test.each([
  ['cancel', 'arrives', { done: 1, cancelled: 0, sending: 0 }],
  ['cancel', 'never arrives', { done: 0, cancelled: 1, sending: 0 }],
  ['pause', 'arrives', { done: 1, waiting: 0, sending: 0 }],
  ['pause', 'never arrives', { done: 0, waiting: 1, sending: 0 }],
] as const)(
  'knows after a %s what became of a line without a response that %s',
  async (stop, end, expected) => {
    const [row] = active() as [OfferRow]
    const { ref, counts, lose } = await inFlight(row)
    offers.bulks[stop](ref)
    lose()
    await shortly()
    expect(counts()).toMatchObject({ sending: 1, done: 0 })
    if (end === 'arrives')
      await world.seller('PATCH', `/offers/${row.offerId}`, { price: (row.priceCents + 3) / 100 })
    world.landFlights()
    await expect.poll(counts, { timeout: 10_000 }).toMatchObject(expected)
    offers.bulks.cancel(ref)
  },
)

test('reports a line as rejected after four lost responses only when none can arrive', async () => {
  const [row] = active() as [OfferRow]
  const { ref, counts, lose, lost } = await inFlight(row)
  lose()
  await lost(4)
  expect(counts()).toMatchObject({ sending: 1, refused: 0 })
  await world.seller('PATCH', `/offers/${row.offerId}`, { price: (row.priceCents + 3) / 100 })
  world.landFlights()
  await expect.poll(counts, { timeout: 10_000 }).toMatchObject({ done: 1, refused: 0 })
  const second = await inFlight(row)
  second.lose()
  await second.lost(4)
  world.landFlights()
  await expect.poll(second.counts, { timeout: 10_000 }).toMatchObject({ refused: 1 })
  expect(ref.bulkId).not.toBe(second.ref.bulkId)
})

test('sends a line in flight again if the bulk change is resumed before it has landed', async () => {
  const row = active()[3] as OfferRow
  const { ref, counts, lose } = await inFlight(row)
  offers.bulks.pause(ref)
  lose()
  await shortly()
  faults.reset()
  offers.bulks.resume(ref)
  world.landFlights()
  await expect.poll(counts, { timeout: 10_000 }).toMatchObject({ done: 1, refused: 0 })
})

test('shows and records a change of an offer that waits for a line in flight', async () => {
  const row = active()[4] as OfferRow
  const { offerId, priceCents } = row
  const { ref, lose } = await inFlight(row)
  offers.bulks.cancel(ref)
  lose()
  await shortly()
  faults.reset()
  const wanted = { accountId: 'seller', offerId, priceCents: cents(priceCents + 50) }
  const changed = offers.change(wanted)
  await shortly()
  expect(offers.offer({ accountId: 'seller', offerId }).pending).toMatchObject({
    state: 'saving',
    delayed: true,
  })
  world.landFlights()
  expect(await changed).toMatchObject({ priceCents: priceCents + 50, pending: null })
})

test('reports a line that replaced someone else’s price after its lost response as sent', async () => {
  const row = active()[5] as OfferRow
  const { offerId, priceCents } = row
  const { counts, lose } = await inFlight(row)
  const setPrice = (price: number) =>
    world.seller('PATCH', `/offers/${offerId}`, { price: price / 100 })
  await setPrice(priceCents + 10)
  lose()
  await shortly()
  await setPrice(priceCents + 3)
  world.landFlights()
  await expect.poll(counts, { timeout: 10_000 }).toMatchObject({ done: 1, skipped: 0 })
})

test('meets the lines in flight of every bulk change after a restart', async () => {
  const rows = active().slice(6, 8)
  const db = world.harness.context.mirrors.database('seller')
  const bulkIds: string[] = []
  for (const row of rows) {
    const { bulkId } = await raised(row)
    await world.ended(bulkId)
    bulkIds.push(bulkId)
  }
  const ids = `'${bulkIds.join("','")}'`
  // As a kill leaves two of them: the first one was resumed while the second one ran.
  db.exec(`UPDATE offer_bulks SET state = 'running' WHERE bulk_id IN (${ids});
    UPDATE offer_bulk_lines SET state = 'sending' WHERE number IN
      (SELECT number FROM offer_bulks WHERE bulk_id IN (${ids}))`)
  expect(unsettledLines(bulkStore(db))).toEqual(
    rows.map(({ offerId, priceCents }) => ({
      id: offerId,
      wanted: { priceCents: priceCents + 3, status: null },
    })),
  )
  db.exec(`UPDATE offer_bulks SET state = 'done'; UPDATE offer_bulk_lines SET state = 'done'`)
})
