import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { cents } from '../../../server/api/money.ts'
import type { ListedOffer, OfferRow } from '../../contract/offers/offers.ts'
import { failure } from '../failure.ts'
import { problemOfFailure } from '../testing/failures.ts'
import { startSellerOffers } from './testing/seller-offers.ts'
import type { SellerOffers } from './testing/seller-offers.ts'

let world: SellerOffers
let offers: SellerOffers['offers']
let catalogue: SellerOffers['catalogue']
let faults: SellerOffers['faults']
let seller: SellerOffers['seller']
beforeAll(async () => {
  world = await startSellerOffers(500)
  ;({ offers, catalogue, faults, seller } = world)
  await catalogue.syncNow('seller')
}, 120_000)
afterEach(() => faults.reset())
afterAll(() => world.close())

const list = (more: object = {}) =>
  offers.list({ accountId: 'seller', window: { offset: 0, limit: 500 }, ...more })
const row = (offerId: string): OfferRow => offers.offer({ accountId: 'seller', offerId })

test('creates an offer from the catalogue, distinguishes creation from update, and removes it again', async () => {
  const product = (await catalogue.search({ accountId: 'seller', filter: { notSoldByMe: true } }))
    .rows[0]
  const productId = product?.productId ?? ''
  const made = await offers.create({ accountId: 'seller', productId, priceCents: cents(1234) })
  expect(made).toMatchObject({
    created: true,
    offer: { productId, priceCents: 1234, status: 'active', stock: 0, name: product?.name },
  })
  expect(catalogue.product({ accountId: 'seller', productId }).offerId).toBe(made.offer?.offerId)
  expect(
    await offers.create({ accountId: 'seller', productId, priceCents: cents(1300) }),
  ).toMatchObject({
    created: false,
    offer: { offerId: made.offer?.offerId ?? '', priceCents: 1300 },
  })

  faults.after = (operation) => {
    if (operation === 'saveOffer') throw failure('ANSWER_LOST', 'No answer.', 'Wait.')
  }
  expect(
    await offers.create({ accountId: 'seller', productId, priceCents: cents(1400) }),
  ).toMatchObject({
    created: false,
    offer: { priceCents: 1400 },
  })
  faults.after = () => {}

  expect(await offers.remove({ accountId: 'seller', offerId: made.offer?.offerId ?? '' })).toEqual({
    paused: false,
  })
  expect(catalogue.product({ accountId: 'seller', productId }).offerId).toBeNull()
  expect(
    (await problemOfFailure(Promise.resolve().then(() => row(made.offer?.offerId ?? '')))).code,
  ).toBe('NOT_FOUND')
})

test('doesn’t queue a new offer that may exist: the response was lost, and the list can’t be read', async () => {
  const product = (await catalogue.search({ accountId: 'seller', filter: { notSoldByMe: true } }))
    .rows[0]
  const productId = product?.productId ?? ''
  let away = false
  faults.before = () => {
    if (away) throw failure('OFFLINE', 'No connection.', 'Wait.')
  }
  faults.after = (operation) => {
    if (operation !== 'saveOffer') return
    away = true
    throw failure('ANSWER_LOST', 'No answer.', 'Wait.')
  }
  expect(
    await problemOfFailure(
      offers.create({ accountId: 'seller', productId, priceCents: cents(777) }),
    ),
  ).toMatchObject({ code: 'ANSWER_LOST' })
  faults.reset()
  await offers.syncNow('seller')
  const offerId = list().rows.find((each) => each.productId === productId)?.offerId ?? ''
  expect(row(offerId)).toMatchObject({ priceCents: 777, pending: null })
  await offers.remove({ accountId: 'seller', offerId })
})

test('refuses to delete an offer with stock, and pauses one with sales', async () => {
  const stocked = list().rows.find((each) => each.stock > 0 && each.sold === 0)
  if (stocked !== undefined)
    expect(
      await problemOfFailure(offers.remove({ accountId: 'seller', offerId: stocked.offerId })),
    ).toMatchObject({ code: 'OFFER_HAS_STOCK', status: 409 })
  const sold = list().rows.find((each) => (each.sold ?? 0) > 0) as OfferRow
  expect(await offers.remove({ accountId: 'seller', offerId: sold.offerId })).toEqual({
    paused: true,
  })
  expect(row(sold.offerId).status).toBe('paused')
})

test('marks an offer whose product left the catalogue, until the product returns', async () => {
  const { offerId, productId } = list().rows.find(
    (each) => each.isCheapest === true && each.stock > 0,
  ) as ListedOffer
  const remove = (removed: boolean) =>
    world.dashboard('PATCH', `/products/${productId}`, { removed })
  await remove(true)
  await offers.syncNow('seller')
  expect(row(offerId)).toMatchObject({
    unavailable: true,
    isCheapest: null,
    lowestCustomerCents: null,
  })
  await remove(false)
  await offers.syncNow('seller')
  expect(row(offerId)).toMatchObject({ isCheapest: true })
  expect(row(offerId)).not.toHaveProperty('unavailable')
})

test('removes an offer from the list after another console deleted it', async () => {
  // The lost request of a test above can be for the same product.
  world.landFlights()
  const product = (await catalogue.search({ accountId: 'seller', filter: { notSoldByMe: true } }))
    .rows[1]
  const { offer } = await offers.create({
    accountId: 'seller',
    productId: product?.productId ?? '',
    priceCents: cents(900),
  })
  if (offer === null) throw new Error('not created')
  await seller('DELETE', `/offers/${offer.offerId}`)
  await offers.syncNow('seller')
  expect(list({ query: offer.offerId }).total).toBe(0)
  expect(catalogue.product({ accountId: 'seller', productId: offer.productId }).offerId).toBeNull()
})
