import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import type { OfferRow } from '../../../contract/offers/offers.ts'
import { failure } from '../../failure.ts'
import { emptyFacts } from '../../outbox/outbox.ts'
import type { StoredEntry } from '../../outbox/outbox.ts'
import { problemOfFailure } from '../../testing/failures.ts'
import { startSellerOffers } from '../testing/seller-offers.ts'
import type { SellerOffers } from '../testing/seller-offers.ts'

const accountId = 'seller'

let world: SellerOffers
let offers: SellerOffers['offers']
let outbox: SellerOffers['outbox']
let faults: SellerOffers['faults']
beforeAll(async () => {
  world = await startSellerOffers(500)
  ;({ offers, outbox, faults } = world)
}, 120_000)
afterEach(() => {
  faults.reset()
  world.landFlights()
})
afterAll(() => world.close())

const row = (offerId: string): OfferRow => offers.offer({ accountId, offerId })
/** An offer that can be bought and that no test has changed. */
function untouched(wanted: (row: OfferRow) => boolean = () => true): OfferRow {
  const found = world
    .rows()
    .find((each) => each.status === 'active' && !used.has(each.offerId) && wanted(each))
  if (found === undefined) throw new Error('no such offer')
  used.add(found.offerId)
  return found
}
const used = new Set<string>()
/** Loses the requests of an operation before they reach the service. */
function lose(operation: string): void {
  faults.before = (each) => {
    if (each === operation) throw failure('ANSWER_LOST', 'No answer.', 'Wait.')
  }
}
const change = (offerId: string, priceCents: number) =>
  offers.change({ accountId, offerId, priceCents: cents(priceCents) })
const shortly = () =>
  new Promise((resolve) => {
    setTimeout(resolve, 50)
  })

test('reads the list again to find an offer whose creation had no response', async () => {
  await world.catalogue.syncNow(accountId)
  const { rows } = await world.catalogue.search({ accountId, filter: { notSoldByMe: true } })
  const entry = { kind: 'offer-new', subjectId: rows[0]?.productId ?? '', state: 'unknown' }
  const readCurrent = (state: string) =>
    offers.outboxHandlers['offer-new'].readCurrent(accountId, { ...entry, state } as StoredEntry)
  await offers.syncNow(accountId)
  await world.seller('POST', '/offers', { productId: entry.subjectId, price: 5 })
  // A list that was read a moment ago is recent enough to compare with.
  expect(await readCurrent('waiting')).toMatchObject({ priceCents: null })
  faults.before = (operation) => {
    if (operation === 'listOffers') throw failure('OFFLINE', 'No connection.', 'Wait.')
  }
  expect(await problemOfFailure(readCurrent('unknown'))).toMatchObject({ code: 'ANSWER_LOST' })
  faults.reset()
  expect(await readCurrent('unknown')).toMatchObject({ priceCents: 500 })
})

test('waits for a long list of offers to find a queued offer without a response', async () => {
  const { productId, priceCents } = untouched()
  if (productId === null) throw new Error('no product')
  faults.before = async (operation) => {
    if (operation !== 'listOffers') return
    await shortly()
    world.landFlights()
  }
  const entry = { subjectId: productId, state: 'unknown' } as StoredEntry
  expect(await offers.outboxHandlers['offer-new'].readCurrent(accountId, entry)).toMatchObject({
    priceCents,
  })
})

test('keeps a change from the outbox unknown while it can still arrive', async () => {
  const { offerId, priceCents } = untouched()
  lose('changeOffer')
  const entry = {
    kind: 'offer-price',
    subjectId: offerId,
    wanted: { ...emptyFacts, priceCents: cents(priceCents + 3) },
    present: null,
  } as StoredEntry
  expect(
    await problemOfFailure(offers.outboxHandlers['offer-price'].send(accountId, entry)),
  ).toMatchObject({
    code: 'ANSWER_LOST',
    what: 'It isn’t known yet whether your change was saved.',
  })
  expect(row(offerId).pending).toMatchObject({ state: 'saving', priceCents: priceCents + 3 })
  faults.reset()
  await offers.syncNow(accountId)
  // It lands during this reading, which can miss it.
  faults.after = (operation) => {
    if (operation === 'getOffer') world.landFlights()
  }
  await offers.syncNow(accountId)
  expect(row(offerId).pending).toMatchObject({ state: 'saving' })
  await world.seller('PATCH', `/offers/${offerId}`, { price: (priceCents + 3) / 100 })
  await offers.syncNow(accountId)
  expect(row(offerId)).toMatchObject({ priceCents: priceCents + 3, pending: null })
})

test('sends no other price before a queued one that an earlier run left unknown has landed', async () => {
  const { offerId, priceCents } = untouched()
  lose('changeOffer')
  await change(offerId, priceCents + 1)
  expect(outbox.waiting(accountId, ['offer-price']).get(offerId)).toMatchObject([
    { state: 'unknown' },
  ])
  faults.reset()
  await world.harness.reopen(accountId)
  const later = change(offerId, priceCents + 2)
  await shortly()
  expect(faults.sent).toEqual([])
  world.landFlights()
  expect(await later).toMatchObject({ priceCents: priceCents + 2, pending: null })
  expect(faults.sent).toHaveLength(1)
})

test('shows that the response to a queued change was lost', async () => {
  const { offerId, priceCents } = untouched()
  lose('changeOffer')
  expect((await change(offerId, priceCents + 1)).pending).toMatchObject({
    state: 'waits',
    problem: { code: 'ANSWER_LOST' },
  })
})

test('distinguishes a queued price from a pause whose response was lost', async () => {
  const { offerId, priceCents } = untouched()
  lose('changeOffer')
  expect((await offers.change({ accountId, offerId, status: 'paused' })).pending).toMatchObject({
    lost: ['status'],
  })
  faults.before = () => {
    throw failure('OFFLINE', 'No connection.', 'Wait.')
  }
  const later = change(offerId, priceCents + 5)
  await shortly()
  world.landFlights()
  expect((await later).pending).toMatchObject({
    state: 'waits',
    priceCents: priceCents + 5,
    status: 'paused',
    lost: ['status'],
  })
})

test('sends the former status after a pause without a response, once that has landed', async () => {
  const { offerId } = untouched()
  lose('changeOffer')
  await offers.change({ accountId, offerId, status: 'paused' })
  faults.reset()
  expect(row(offerId).status).toBe('active')
  const later = offers.change({ accountId, offerId, status: 'active' })
  await shortly()
  await world.seller('PATCH', `/offers/${offerId}`, { status: 'paused' })
  world.landFlights()
  expect(await later).toMatchObject({ status: 'active', pending: null })
  expect(await world.seller('GET', `/offers/${offerId}`)).toMatchObject({ status: 'active' })
})

test('says that a change is unknown, not that it wasn’t queued, if it was sent', async () => {
  const { offerId, priceCents } = untouched()
  lose('changeOffer')
  await change(offerId, priceCents + 1)
  const second = problemOfFailure(change(offerId, priceCents + 2))
  await shortly()
  world.landFlights()
  expect(await second).toMatchObject({ code: 'ANSWER_LOST' })
  expect(row(offerId).pending).toMatchObject({ state: 'saving', priceCents: priceCents + 2 })
})

test('lets no other change overtake a removal without a response', async () => {
  const { offerId } = untouched()
  lose('deleteOffer')
  expect(await problemOfFailure(offers.remove({ accountId, offerId }))).toMatchObject({
    code: 'ANSWER_LOST',
    what: 'It isn’t known yet whether the offer was deleted.',
  })
  faults.reset()
  const paused = offers.change({ accountId, offerId, status: 'paused' })
  await shortly()
  expect(faults.sent).toEqual([])
  world.landFlights()
  expect(await paused).toMatchObject({ status: 'paused', pending: null })
})

test('sends a removal only when a change without a response has landed', async () => {
  const { offerId, priceCents } = untouched(({ sold }) => (sold ?? 0) > 0)
  lose('changeOffer')
  await change(offerId, priceCents + 1)
  let isRemoved = false
  faults.before = (operation) => {
    if (operation === 'deleteOffer') isRemoved = true
  }
  const removed = offers.remove({ accountId, offerId })
  await shortly()
  expect(isRemoved).toBe(false)
  world.landFlights()
  expect(await removed).toEqual({ paused: true })
})

test('recognizes a removal without a response by the paused offer', async () => {
  const { offerId } = untouched(({ sold }) => (sold ?? 0) > 0)
  faults.after = (operation) => {
    if (operation === 'deleteOffer') throw failure('ANSWER_LOST', 'No answer.', 'Wait.')
  }
  expect(await offers.remove({ accountId, offerId })).toEqual({ paused: true })
  expect(row(offerId)).toMatchObject({ status: 'paused', pending: null })
})

/** Leaves a bulk change of the price as a kill does, before the request arrives. */
async function leaveBulkOpen({ offerId, priceCents }: OfferRow, byCents: number): Promise<void> {
  const wish = {
    accountId,
    chosen: { offerIds: [offerId] },
    change: {
      kind: 'price' as const,
      how: { by: 'amount' as const, cents: cents(byCents) },
      keepFloor: true,
    },
  }
  const { fingerprint } = await offers.bulks.preview(wish)
  const { bulkId } = await offers.bulks.begin({ ...wish, fingerprint })
  await world.ended(bulkId)
  world.harness.context.mirrors.database(accountId).exec(
    `UPDATE offer_bulk_lines SET state = 'sending' WHERE number =
      (SELECT number FROM offer_bulks WHERE bulk_id = '${bulkId}')`,
  )
  await world.seller('PATCH', `/offers/${offerId}`, { price: priceCents / 100 })
  faults.sent.length = 0
}

test('sends no other price before one of a bulk change that an earlier run left open', async () => {
  const offer = untouched()
  const { offerId, priceCents } = offer
  await leaveBulkOpen(offer, 3)
  await world.harness.reopen(accountId)
  const later = change(offerId, priceCents + 2)
  await shortly()
  expect(faults.sent).toEqual([])
  world.landFlights()
  expect(await later).toMatchObject({ priceCents: priceCents + 2, pending: null })
})

test('sends a queued price again only when a bulk change that an earlier run left open has landed', async () => {
  const offer = untouched()
  const { offerId, priceCents } = offer
  await leaveBulkOpen(offer, 3)
  faults.before = () => {
    throw failure('OFFLINE', 'No connection.', 'Wait.')
  }
  await change(offerId, priceCents + 9)
  faults.reset()
  const [entry] = outbox.waiting(accountId, ['offer-price']).get(offerId) ?? []
  // It was approved and waited for the bulk change.
  outbox.storeOf(accountId).setState(entry?.entryId ?? '', 'sending', null, null)
  await world.harness.reopen(accountId)
  const later = change(offerId, priceCents + 9)
  await shortly()
  expect(faults.sent).toEqual([])
  world.landFlights()
  expect(await later).toMatchObject({ priceCents: priceCents + 9, pending: null })
})

test.each([
  ['price', (priceCents: number) => ({ priceCents: cents(priceCents + 200) })],
  ['pause', () => ({ status: 'paused' as const })],
])('sends a newer %s after the person’s own price without a response has landed', async (_, to) => {
  const { offerId, priceCents } = untouched()
  lose('changeOffer')
  await change(offerId, priceCents + 100)
  faults.reset()
  const wanted = to(priceCents)
  const later = offers.change({
    accountId,
    offerId,
    ...wanted,
    expectedPriceCents: row(offerId).priceCents,
  })
  await shortly()
  expect(faults.sent).toEqual([])
  await world.seller('PATCH', `/offers/${offerId}`, { price: (priceCents + 100) / 100 })
  world.landFlights()
  expect(await later).toMatchObject({ priceCents: priceCents + 100, ...wanted, pending: null })
})

test('rejects a newer price if the price at the service is not the person’s own', async () => {
  const { offerId, priceCents } = untouched()
  lose('changeOffer')
  await change(offerId, priceCents + 100)
  faults.reset()
  const later = problemOfFailure(
    offers.change({
      accountId,
      offerId,
      priceCents: cents(priceCents + 200),
      expectedPriceCents: priceCents,
    }),
  )
  await shortly()
  await world.seller('PATCH', `/offers/${offerId}`, { price: (priceCents + 10) / 100 })
  world.landFlights()
  expect(await later).toMatchObject({ code: 'CHANGED_MEANWHILE' })
})

test.each<[string, (row: OfferRow) => Promise<unknown>]>([
  ['change', ({ offerId, priceCents }) => change(offerId, priceCents + 2)],
  ['removal', ({ offerId }) => offers.remove({ accountId, offerId })],
  [
    'price of the price watch',
    async ({ offerId, priceCents }) => {
      const { state, ...sent } = await offers.pricing.sendPrice(
        accountId,
        offerId,
        cents(priceCents + 2),
        {
          write() {
            throw new Error('nothing is journaled')
          },
        },
        { priority: 'watch' },
      )
      expect(state).toBe('not-done')
      throw 'failure' in sent ? sent.failure : new Error('sent')
    },
  ],
])('doesn’t send a %s that waits when the account closes', async (_, send) => {
  const offer = untouched()
  lose('changeOffer')
  await change(offer.offerId, offer.priceCents + 1)
  faults.reset()
  const waiting = problemOfFailure(send(offer))
  await shortly()
  let isRemoved = false
  faults.before = (operation) => {
    if (operation === 'deleteOffer') isRemoved = true
  }
  await world.harness.reopen(accountId)
  expect(await waiting).toMatchObject({ code: 'CANCELLED', effect: 'Nothing was sent.' })
  expect([faults.sent, isRemoved]).toEqual([[], false])
})

test.each<[string, (offerId: string) => Promise<unknown>]>([
  ['the list', () => offers.syncNow(accountId)],
  [
    'the comparison of a queued change',
    (subjectId) =>
      offers.outboxHandlers['offer-price'].readCurrent(accountId, { subjectId } as StoredEntry),
  ],
  [
    'a refreshed offer',
    (offerId) => offers.pricing.refreshOffer(accountId, offerId, { priority: 'watch' }),
  ],
])('sends a newer change immediately if %s shows the earlier one', async (_, read) => {
  const { offerId, priceCents } = untouched()
  lose('changeOffer')
  await change(offerId, priceCents + 100)
  faults.reset()
  await world.seller('PATCH', `/offers/${offerId}`, { price: (priceCents + 100) / 100 })
  await read(offerId)
  expect(await change(offerId, priceCents + 2)).toMatchObject({ priceCents: priceCents + 2 })
  lose('changeOffer')
  await offers.change({ accountId, offerId, status: 'paused' })
  faults.reset()
  await world.seller('PATCH', `/offers/${offerId}`, { status: 'paused' })
  await read(offerId)
  expect(await change(offerId, priceCents + 3)).toMatchObject({ priceCents: priceCents + 3 })
})

test('waits for a price without a response that was sent again, although the list shows it', async () => {
  const { offerId, priceCents } = untouched()
  lose('changeOffer')
  await change(offerId, priceCents + 1)
  faults.reset()
  await change(offerId, priceCents + 1)
  // It is the price of the second request: the first one can still arrive.
  await offers.syncNow(accountId)
  faults.sent.length = 0
  const later = change(offerId, priceCents + 2)
  await shortly()
  expect(faults.sent).toEqual([])
  world.landFlights()
  expect(await later).toMatchObject({ priceCents: priceCents + 2, pending: null })
})

test.each([
  ['another price', 2],
  ['the price before', 0],
])('shows a change to %s that waited when Keydesk stopped as not saved', async (_, byCents) => {
  const { offerId, priceCents } = untouched()
  lose('changeOffer')
  await change(offerId, priceCents + 1)
  faults.reset()
  const waiting = problemOfFailure(change(offerId, priceCents + byCents))
  await shortly()
  // The list is read although the change waits.
  await offers.syncNow(accountId)
  await world.harness.reopen(accountId)
  await waiting
  expect(row(offerId).pending).toMatchObject({ state: 'saving', priceCents: priceCents + byCents })
  await offers.syncNow(accountId)
  expect(row(offerId).pending).toMatchObject({ state: 'saving' })
  await world.seller('PATCH', `/offers/${offerId}`, { price: (priceCents + 1) / 100 })
  world.landFlights()
  await offers.syncNow(accountId)
  expect(row(offerId)).toMatchObject({
    priceCents: priceCents + 1,
    pending: { state: 'refused', priceCents: priceCents + byCents, problem: { code: 'NOT_SAVED' } },
  })
  expect(faults.sent).toEqual([])
})

test('keeps the record of a change without a response while another one waits for it', async () => {
  const { offerId, priceCents } = untouched()
  lose('changeOffer')
  const entry = {
    kind: 'offer-price',
    subjectId: offerId,
    wanted: { ...emptyFacts, priceCents: cents(priceCents + 3) },
    present: null,
  } as StoredEntry
  await problemOfFailure(offers.outboxHandlers['offer-price'].send(accountId, entry))
  faults.reset()
  const waiting = problemOfFailure(change(offerId, priceCents + 2))
  await shortly()
  await world.harness.reopen(accountId)
  await waiting
  expect(row(offerId).pending).toMatchObject({ state: 'saving', priceCents: priceCents + 3 })
  const later = change(offerId, priceCents + 2)
  await shortly()
  expect(faults.sent).toEqual([])
  world.landFlights()
  expect(await later).toMatchObject({ priceCents: priceCents + 2, pending: null })
})

test('records a change that was made while the earlier one, whose response was lost, was sent', async () => {
  const { offerId, priceCents } = untouched()
  const held = Promise.withResolvers<void>()
  faults.before = async (operation) => {
    if (operation !== 'changeOffer') return
    await held.promise
    throw failure('ANSWER_LOST', 'No answer.', 'Wait.')
  }
  const earlier = change(offerId, priceCents + 1)
  await shortly()
  const later = problemOfFailure(change(offerId, priceCents + 2))
  await shortly()
  held.resolve()
  await earlier
  faults.reset()
  await shortly()
  expect(row(offerId).pending).toMatchObject({ state: 'saving', priceCents: priceCents + 2 })
  await world.harness.reopen(accountId)
  expect(await later).toMatchObject({ code: 'CANCELLED' })
  expect(row(offerId).pending).toMatchObject({ priceCents: priceCents + 2 })
})
