import { call } from '@orpc/server'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { cents } from '../../../server/api/money.ts'
import type { ListedOffer, OfferRow } from '../../contract/offers/offers.ts'
import { outlookOf } from '../certainty/certainty.ts'
import { Failure, failure } from '../failure.ts'
import { emptyFacts } from '../outbox/outbox.ts'
import type { StoredEntry } from '../outbox/outbox.ts'
import { problemOfFailure } from '../testing/failures.ts'
import { createOffersRouter } from './router.ts'
import { startSellerOffers } from './testing/seller-offers.ts'
import type { SellerOffers } from './testing/seller-offers.ts'

let world: SellerOffers
let offers: SellerOffers['offers']
let catalogue: SellerOffers['catalogue']
let outbox: SellerOffers['outbox']
let faults: SellerOffers['faults']
let seller: SellerOffers['seller']
beforeAll(async () => {
  world = await startSellerOffers(500)
  ;({ offers, catalogue, outbox, faults, seller } = world)
  await catalogue.syncNow('seller')
}, 120_000)
afterEach(() => faults.reset())
afterAll(() => world.close())

const list = (more: object = {}) =>
  offers.list({ accountId: 'seller', window: { offset: 0, limit: 500 }, ...more })
const row = (offerId: string): OfferRow => offers.offer({ accountId: 'seller', offerId })
const active = (): OfferRow =>
  list().rows.find((each) => each.status === 'active' && each.pending === null) as OfferRow

test('mirrors the service’s list exactly, in responses that match the contract', async () => {
  const served = (await seller('GET', '/offers?limit=100')) as {
    results: Record<string, unknown>[]
  }
  const router = createOffersRouter(offers)
  const { rows, total } = await call(router.list, { accountId: 'seller' })
  expect(total).toBe(served.results.length)
  const byId = new Map(served.results.map((offer) => [offer['id'], offer]))
  for (const each of rows) {
    const offer = byId.get(each.offerId) ?? {}
    expect({ ...each, updatedAt: null, seenAt: 0 }).toEqual({
      offerId: offer['id'],
      productId: offer['productId'],
      name: offer['name'],
      platform: offer['platform'],
      region: offer['region'],
      productType: offer['productType'],
      deliveryType: offer['deliveryType'],
      priceCents: Math.round(Number(offer['price']) * 100),
      customerCents: Math.round(Number(offer['customerPrice']) * 100),
      commission: {
        class: (offer['commission'] as { class: string }).class,
        percent: (offer['commission'] as { percent: number }).percent,
      },
      status: offer['status'],
      stock: offer['stock'],
      sold: offer['sold'],
      isCheapest: offer['isCheapest'],
      lowestCustomerCents:
        offer['lowestCustomerPrice'] === null
          ? null
          : Math.round(Number(offer['lowestCustomerPrice']) * 100),
      costCents: null,
      ownFloorCents: null,
      ownCeilingCents: null,
      ceilingCents: null,
      lowAt: null,
      updatedAt: null,
      seenAt: 0,
      pending: null,
      floorCents: null,
      soldDays: null,
    })
    await call(router.offer, { accountId: 'seller', offerId: each.offerId })
  }
})

test('marks the seller’s products in the catalogue', async () => {
  const own = new Set(list().rows.map((each) => each.productId))
  const found = await catalogue.search({ accountId: 'seller', window: { offset: 0, limit: 500 } })
  for (const product of found.rows)
    expect(product.offerId !== null).toBe(own.has(product.productId))
  expect(
    (await catalogue.search({ accountId: 'seller', filter: { notSoldByMe: true } })).total,
  ).toBe(found.total - own.size)
})

test('saves an edit on the service and stores it', async () => {
  const { offerId, priceCents } = active()
  const saved = await offers.change({
    accountId: 'seller',
    offerId,
    priceCents: cents(priceCents + 7),
    expectedPriceCents: priceCents,
  })
  expect(saved).toMatchObject({ priceCents: priceCents + 7, pending: null })
  expect(await seller('GET', `/offers/${offerId}`)).toMatchObject({ price: (priceCents + 7) / 100 })
  expect(
    offers.offer({ accountId: 'seller', offerId }).history.map((each) => each.priceCents),
  ).toEqual([priceCents, priceCents + 7])
  await offers.change({ accountId: 'seller', offerId, status: 'paused' })
  expect(await seller('GET', `/offers/${offerId}`)).toMatchObject({ status: 'paused' })
})

test('shows a change by another console instead of overwriting it', async () => {
  const { offerId, priceCents } = active()
  await seller('PATCH', `/offers/${offerId}`, { price: (priceCents + 100) / 100 })
  const problem = await problemOfFailure(
    offers.change({
      accountId: 'seller',
      offerId,
      priceCents: cents(priceCents - 1),
      expectedPriceCents: priceCents,
    }),
  )
  expect(problem).toMatchObject({
    code: 'CHANGED_MEANWHILE',
    details: { currentPriceCents: priceCents + 100 },
  })
  expect(row(offerId)).toMatchObject({
    priceCents: priceCents + 100,
    pending: {
      state: 'refused',
      priceCents: priceCents - 1,
      problem: { code: 'CHANGED_MEANWHILE' },
    },
  })
  expect(await seller('GET', `/offers/${offerId}`)).toMatchObject({
    price: (priceCents + 100) / 100,
  })

  await seller('PATCH', `/offers/${offerId}`, { price: (priceCents + 200) / 100 })
  await offers.syncNow('seller')
  expect(row(offerId).priceCents).toBe(priceCents + 200)
  await offers.change({
    accountId: 'seller',
    offerId,
    priceCents,
    expectedPriceCents: cents(priceCents + 200),
  })
  expect(row(offerId)).toMatchObject({ priceCents, pending: null })
})

test('journals a change before it sends it', async () => {
  const { offerId, priceCents } = active()
  const seen: unknown[] = []
  faults.before = (operation) => {
    if (operation === 'changeOffer') seen.push(row(offerId).pending)
  }
  await offers.change({ accountId: 'seller', offerId, priceCents: cents(priceCents + 1) })
  expect(seen).toEqual([
    { state: 'saving', priceCents: priceCents + 1, status: null, problem: null },
  ])
})

test('settles a lost response by reading the offer: saved if it arrived, otherwise unknown', async () => {
  const { offerId, priceCents } = active()
  const lost = (): never => {
    throw failure('ANSWER_LOST', 'No answer.', 'Wait.')
  }
  faults.after = (operation) => {
    if (operation === 'changeOffer') lost()
  }
  expect(
    await offers.change({
      accountId: 'seller',
      offerId,
      priceCents: cents(priceCents + 11),
      expectedPriceCents: priceCents,
    }),
  ).toMatchObject({ priceCents: priceCents + 11, pending: null })

  faults.before = (operation) => {
    if (operation === 'changeOffer') lost()
  }
  const changed = await offers.change({
    accountId: 'seller',
    offerId,
    priceCents: cents(priceCents + 12),
  })
  expect(changed).toMatchObject({
    priceCents: priceCents + 11,
    pending: { state: 'waits', priceCents: priceCents + 12 },
  })
  // It can still arrive.
  expect(outbox.list({ accountId: 'seller' }).rows).toMatchObject([
    { subjectId: offerId, state: 'unknown', problem: { code: 'ANSWER_LOST' } },
  ])
})

test('queues a change whose outcome is unknown to be checked before anything else', async () => {
  const { offerId, priceCents } = active()
  let away = false
  faults.before = () => {
    if (away) throw failure('OFFLINE', 'No connection.', 'Wait.')
  }
  faults.after = (operation) => {
    if (operation !== 'changeOffer') return
    away = true
    throw failure('ANSWER_LOST', 'No answer.', 'Wait.')
  }
  expect(
    await offers.change({ accountId: 'seller', offerId, priceCents: cents(priceCents + 2) }),
  ).toMatchObject({ priceCents, pending: { state: 'waits', priceCents: priceCents + 2 } })
  expect(outbox.waiting('seller', ['offer-price']).get(offerId)).toMatchObject([
    { state: 'unknown', problem: { code: 'ANSWER_LOST' } },
  ])
})

test('queues neither price nor status while an earlier status change is being sent', async () => {
  const { offerId, priceCents } = active()
  faults.before = () => {
    throw failure('OFFLINE', 'No connection.', 'Wait.')
  }
  await offers.change({ accountId: 'seller', offerId, status: 'paused' })
  const [entry] = outbox.waiting('seller', ['offer-status']).get(offerId) ?? []
  outbox.storeOf('seller').setState(entry?.entryId ?? '', 'sending', null, null)
  expect(
    await problemOfFailure(
      offers.change({
        accountId: 'seller',
        offerId,
        priceCents: cents(priceCents + 3),
        status: 'paused',
      }),
    ),
  ).toMatchObject({ code: 'CONFLICT', effect: 'Your change wasn’t queued.' })
  expect(outbox.waiting('seller', ['offer-price']).get(offerId)).toBeUndefined()
  outbox.storeOf('seller').setState(entry?.entryId ?? '', 'dropped', null, null)
})

test.each([
  ['an unavailable service', 'changeOffer', 'SERVICE_UNAVAILABLE', 503, 'change'],
  ['a failed read before the change', 'getOffer', 'INTERNAL_ERROR', 500, 'read'],
] as const)(
  'shows a price change as not made after %s, instead of saving it without end',
  async (_name, failing, code, status, kind) => {
    const { offerId, priceCents } = active()
    let isAway = true
    faults.before = (operation) => {
      if (!isAway || (operation !== failing && operation !== 'getOffer')) return
      const { problem } = failure(code, 'Not changed.', 'Try again.', { status })
      throw new Failure(problem, outlookOf(code, status, operation === 'getOffer' ? 'read' : kind))
    }
    const expected = failing === 'getOffer' ? { expectedPriceCents: priceCents } : {}
    expect(
      await problemOfFailure(
        offers.change({
          accountId: 'seller',
          offerId,
          priceCents: cents(priceCents + 7),
          ...expected,
        }),
      ),
    ).toMatchObject({ code })
    expect(row(offerId)).toMatchObject({
      priceCents,
      pending: { state: 'refused', priceCents: priceCents + 7 },
    })
    isAway = false
    expect(Math.round(Number((await seller('GET', `/offers/${offerId}`))['price']) * 100)).toBe(
      priceCents,
    )
  },
)

test('keeps a change from the outbox open, also over a restart, while the offer can’t be read', async () => {
  const [first, second] = list({ sort: { column: 'price', direction: 'desc' } }).rows.filter(
    (each) => each.status === 'active',
  ) as [ListedOffer, ListedOffer]
  let away = false
  faults.before = () => {
    if (away) throw failure('OFFLINE', 'No connection.', 'Wait.')
  }
  for (const [offerId, arrives] of [
    [first.offerId, true],
    [second.offerId, false],
  ] as const) {
    faults.before = (operation) => {
      if (operation === 'changeOffer' && !arrives) {
        away = true
        throw failure('ANSWER_LOST', 'No answer.', 'Wait.')
      }
      if (away) throw failure('OFFLINE', 'No connection.', 'Wait.')
    }
    faults.after = (operation) => {
      if (operation === 'changeOffer') {
        away = true
        throw failure('ANSWER_LOST', 'No answer.', 'Wait.')
      }
    }
    expect(
      await problemOfFailure(
        offers.outboxHandlers['offer-price'].send('seller', {
          subjectId: offerId,
          wanted: { ...emptyFacts, priceCents: cents(row(offerId).priceCents + 3) },
          present: null,
        } as StoredEntry),
      ),
    ).toMatchObject({ code: 'ANSWER_LOST' })
    expect(row(offerId).pending).toMatchObject({
      state: 'saving',
      priceCents: row(offerId).priceCents + 3,
    })
    away = false
  }
  faults.before = () => {}
  faults.after = () => {}
  world.harness.begin('seller')
  await offers.syncNow('seller')
  expect(row(first.offerId)).toMatchObject({ priceCents: first.priceCents + 3, pending: null })
  // Its change can still arrive.
  expect(row(second.offerId)).toMatchObject({ pending: { state: 'saving' } })
  world.landFlights()
  await offers.syncNow('seller')
  expect(row(second.offerId)).toMatchObject({
    priceCents: second.priceCents,
    pending: { state: 'refused', problem: { code: 'NOT_SAVED' } },
  })
})

test('sends another price or status only when an earlier one without a response has landed', async () => {
  const { offerId, priceCents } = active()
  const sent: unknown[] = []
  let isLost = true
  faults.before = (operation, input) => {
    if (operation !== 'changeOffer') return
    sent.push((input as { body: { price: number } }).body.price)
    if (isLost) throw failure('ANSWER_LOST', 'No answer.', 'Wait.')
  }
  const change = (cents_: number) =>
    offers.change({ accountId: 'seller', offerId, priceCents: cents(cents_) })
  await change(priceCents + 1)
  isLost = false
  const later = change(priceCents + 2)
  await new Promise((resolve) => {
    setTimeout(resolve, 50)
  })
  // It waits for the first one.
  expect(sent).toEqual([priceCents + 1])
  world.landFlights()
  expect(await later).toMatchObject({ priceCents: priceCents + 2, pending: null })
  expect(sent).toEqual([priceCents + 1, priceCents + 2])
  const set = (status: 'active' | 'paused') =>
    offers.setStatus('seller', offerId, status, {
      priority: 'watch',
      signal: new AbortController().signal,
    })
  isLost = true
  expect(await problemOfFailure(set('paused'))).toMatchObject({ code: 'ANSWER_LOST' })
  isLost = false
  const activated = set('active')
  await new Promise((resolve) => {
    setTimeout(resolve, 50)
  })
  expect(sent).toHaveLength(3)
  world.landFlights()
  await activated
  expect(row(offerId)).toMatchObject({ status: 'active', pending: null })
  // One that the offer already shows has arrived: the next doesn’t wait.
  faults.after = (operation) => {
    if (operation !== 'changeOffer') return
    faults.after = () => {}
    throw failure('ANSWER_LOST', 'No answer.', 'Wait.')
  }
  expect(await change(priceCents + 3)).toMatchObject({ priceCents: priceCents + 3, pending: null })
  expect(await change(priceCents + 4)).toMatchObject({ priceCents: priceCents + 4, pending: null })
})

test('shows that a change waits until an earlier one without a response has landed', async () => {
  const { offerId, priceCents } = active()
  const saving = { state: 'saving', problem: null, delayed: true }
  const changes = () => world.harness.told.filter(({ id }) => id === offerId).length
  const pause = () =>
    new Promise((resolve) => {
      setTimeout(resolve, 50)
    })
  faults.before = (operation) => {
    if (operation === 'changeOffer') throw failure('ANSWER_LOST', 'No answer.', 'Wait.')
  }
  await offers.change({ accountId: 'seller', offerId, priceCents: cents(priceCents + 1) })
  faults.reset()
  const before = changes()
  const later = offers.change({ accountId: 'seller', offerId, priceCents: cents(priceCents + 2) })
  await pause()
  const delayed = { ...saving, priceCents: priceCents + 2, status: null }
  expect(row(offerId).pending).toEqual(delayed)
  expect(list().rows.find((each) => each.offerId === offerId)?.pending).toEqual(delayed)
  expect(changes()).toBeGreaterThan(before)
  world.landFlights()
  expect(await later).toMatchObject({ priceCents: priceCents + 2, pending: null })
  expect(row(offerId).pending).toBeNull()
})

test('queues a change with the price that the person saw', async () => {
  const { offerId, priceCents } = active()
  await seller('PATCH', `/offers/${offerId}`, { price: (priceCents + 100) / 100 })
  await offers.syncNow('seller')
  expect(row(offerId).priceCents).toBe(priceCents + 100)
  faults.before = () => {
    throw failure('OFFLINE', 'No connection.', 'Wait.')
  }
  // The page still showed the price before.
  await offers.change({
    accountId: 'seller',
    offerId,
    priceCents: cents(priceCents + 5),
    expectedPriceCents: priceCents,
  })
  const entry = outbox.waiting('seller', ['offer-price']).get(offerId)?.[0]
  expect(entry?.seen.priceCents).toBe(priceCents)
  expect(entry?.seen.customerCents).toBeLessThan(row(offerId).customerCents)
})

test('keeps a rejected change visible on the row', async () => {
  const { offerId, priceCents } = active()
  faults.before = (operation) => {
    if (operation === 'changeOffer')
      throw failure(
        'VALIDATION_ERROR',
        'The service does not accept the values.',
        'Correct them.',
        { status: 400 },
      )
  }
  await problemOfFailure(offers.change({ accountId: 'seller', offerId, priceCents: cents(1) }))
  faults.before = () => {}
  await offers.syncNow('seller')
  expect(row(offerId)).toMatchObject({
    priceCents,
    pending: { state: 'refused', priceCents: 1, problem: { code: 'VALIDATION_ERROR' } },
  })
})

test('ignores a page that was read before a change', async () => {
  const { offerId, priceCents } = active()
  let changing: Promise<unknown> | null = null
  faults.after = async (operation) => {
    if (operation === 'listOffers' && changing === null) {
      changing = offers.change({ accountId: 'seller', offerId, priceCents: cents(priceCents + 21) })
      await changing
    }
  }
  world.harness.told.length = 0
  await offers.syncNow('seller')
  expect(row(offerId).priceCents).toBe(priceCents + 21)
  expect(
    world.harness.told.some((change) => change.topic === 'offers' && change.id === offerId),
  ).toBe(true)
})

test('sends edits of one offer one after the other, so that the last one wins', async () => {
  const { offerId, priceCents } = active()
  const sent: string[] = []
  faults.before = (operation) => {
    if (operation === 'changeOffer') sent.push('begin')
  }
  faults.after = (operation) => {
    if (operation === 'changeOffer') sent.push('end')
  }
  await Promise.all(
    [1, 2, 3, 4].map((more) =>
      offers.change({ accountId: 'seller', offerId, priceCents: cents(priceCents + more) }),
    ),
  )
  expect(sent).toEqual(['begin', 'end', 'begin', 'end', 'begin', 'end', 'begin', 'end'])
  expect(row(offerId)).toMatchObject({ priceCents: priceCents + 4, pending: null })
})
