import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import { failure } from '../../failure.ts'
import { startSellerOffers } from '../testing/seller-offers.ts'
import type { SellerOffers } from '../testing/seller-offers.ts'

let world: SellerOffers
let offers: SellerOffers['offers']
beforeAll(async () => {
  world = await startSellerOffers(300)
  offers = world.offers
  await world.catalogue.syncNow('seller')
}, 120_000)
afterEach(() => world.faults.reset())
afterAll(() => world.close())

test('creates offers from a table: reports unreadable lines and uses the others', async () => {
  const found = (
    await world.catalogue.search({
      accountId: 'seller',
      filter: { notSoldByMe: true },
      window: { offset: 0, limit: 3 },
    })
  ).rows
  const [first, second, third] = found.map(({ productId }) => productId)
  const read = await offers.creation.read({
    accountId: 'seller',
    text: `product;price\n${first};12,50\nNo such game;1\n${second};abc\n${third};\n`,
  })
  expect(read).toMatchObject({
    lines: 2,
    wrongCount: 2,
    priced: 1,
  })
  expect(read.wrong.map(({ line }) => line)).toEqual([3, 4])
  const plan = await offers.creation.preview({
    accountId: 'seller',
    source: { tableId: read.tableId },
    price: { by: 'given' },
  })
  expect(plan.rows.map(({ note, subjectId }) => [subjectId, note])).toEqual([
    [first, null],
    [third, 'no-shop-price'],
  ])
  const wish = {
    accountId: 'seller',
    source: { tableId: read.tableId },
    price: { by: 'given' },
    status: 'paused',
  } as const
  const { fingerprint } = await offers.creation.preview(wish)
  const { bulkId } = await offers.creation.start({ ...wish, fingerprint })
  expect((await world.ended(bulkId)).counts).toMatchObject({ done: 1 })
  expect(world.rows().find((row) => row.productId === first)).toMatchObject({
    priceCents: 1250,
    status: 'paused',
  })
  const after = await offers.creation.preview({
    accountId: 'seller',
    source: { tableId: read.tableId },
    price: { by: 'given' },
  })
  expect(after.rows[0]).toMatchObject({ verdict: 'left-out', note: 'own-offer' })
})

test('never creates an offer again whose response was lost while the list can’t be read @long', async () => {
  const [product] = (
    await world.catalogue.search({
      accountId: 'seller',
      filter: { notSoldByMe: true },
      window: { offset: 0, limit: 1 },
    })
  ).rows
  const items = [{ productId: product?.productId ?? '', priceCents: cents(905) }]
  let saved = 0
  let failedReads = 0
  world.faults.before = (operation) => {
    if (operation === 'saveOffer') saved += 1
    if (operation !== 'listOffers' || saved === 0 || failedReads++ >= 3) return
    throw failure('OFFLINE', 'No connection.', 'Wait.')
  }
  world.faults.after = (operation) => {
    if (operation === 'saveOffer') throw failure('ANSWER_LOST', 'No answer.', 'Wait.')
  }
  const wish = {
    accountId: 'seller',
    source: { items },
    price: { by: 'given' },
    status: 'paused',
  } as const
  const { fingerprint, summary } = await offers.creation.preview(wish)
  expect(summary.overGuard, 'far from the shop’s price').toBe(1)
  await expect(offers.creation.start({ ...wish, fingerprint })).rejects.toMatchObject({
    problem: { code: 'NOT_CONFIRMED' },
  })
  const { bulkId } = await offers.creation.start({ ...wish, fingerprint, beyondGuard: true })
  expect((await world.ended(bulkId)).counts).toMatchObject({ done: 1 })
  expect(failedReads).toBeGreaterThan(3)
  expect(saved).toBe(1)
}, 60_000)

test('reads a long table in chunks, so that other requests are served in between', async () => {
  const text = Array.from({ length: 5000 }, (_, line) => `prd_none_${line};1,00`).join('\n')
  let turns = 0
  let reading = true
  const count = (): void => {
    turns += 1
    if (reading) setImmediate(count)
  }
  setImmediate(count)
  const read = await offers.creation.read({ accountId: 'seller', text })
  reading = false
  expect(read).toMatchObject({ lines: 0, wrongCount: 5000 })
  expect(turns).toBeGreaterThanOrEqual(10)
})

test('reports a table that the core no longer keeps', async () => {
  const wish = {
    accountId: 'seller',
    source: { tableId: 'gone' },
    price: { by: 'given' },
  } as const
  await expect(offers.creation.preview(wish)).rejects.toMatchObject({
    problem: { code: 'NOT_FOUND' },
  })
})
