import { afterEach, beforeEach, expect, test } from 'vitest'
import { cents, toCents } from '../../../../server/api/money.ts'
import { Failure, failure } from '../../failure.ts'
import { createFakeWorld, orderable } from '../testing/fake-service.ts'
import type { FakeWorld } from '../testing/fake-service.ts'

const accountId = 'account'
let world: FakeWorld
let stop: () => void
beforeEach(async () => {
  world = createFakeWorld([
    orderable('p1', { name: 'Ironwharf 3', region: 'Europe', priceCents: cents(900) }),
    orderable('p2', { name: 'Quarry', deliveryType: 'gift', priceCents: cents(500) }),
  ])
  stop = world.ready()
  await world.settle()
})
afterEach(async () => {
  stop()
  await world.close()
})

const line = (productId: string, qty: number, max: number) => ({
  productId,
  qty,
  maxUnitCents: toCents(max),
})
/** Places A, rejects B for the price of p1, and cancels C before it is sent. */
async function placedRejectedAndLeft(): Promise<string> {
  const place = world.respond['createOrder']
  world.respond['createOrder'] = (call) => {
    if (call.input.body.externalId !== 'B') return place?.(call)
    world.jobs.get('orders-id-1')?.controls['cancel']?.()
    throw new Failure(
      failure('PRICE_CHANGED', 'Order not placed: the price went up.', 'Raise the maximum.', {
        details: { productId: 'p1', currentPrice: 9 },
      }).problem,
      { certainty: 'rejected', retry: 'never' },
    )
  }
  const { bulkId } = world.orders.placeMany({
    accountId,
    name: 'weekly.csv',
    orders: [
      { externalId: 'A', lines: [line('p1', 1, 10.1)] },
      { externalId: 'B', lines: [line('p2', 2, 5.05), line('p1', 3, 7)] },
      { externalId: 'C', lines: [line('gone', 1, 1)] },
    ],
  })
  await world.settle()
  return bulkId
}
const results = (bulkId: string, view: 'all' | 'failed' = 'all') =>
  world.orders.bulkResults({ accountId, bulkId, view })

test('keeps a result per line with its product, outcome, reason and next step', async () => {
  const bulkId = await placedRejectedAndLeft()
  const told = results(bulkId)
  expect(told).toMatchObject({
    bulk: { bulkId, name: 'weekly.csv', state: 'cancelled' },
    total: 4,
    failed: 3,
    rows: [
      {
        externalId: 'A',
        line: 1,
        name: 'Ironwharf 3',
        platform: 'Steam',
        region: 'Europe',
        deliveryType: 'key',
        qty: 1,
        maxUnitCents: 1010,
        unitCents: 1000,
        state: 'placed',
        orderId: 'ord-A',
        reason: null,
      },
      { externalId: 'B', line: 1, name: 'Quarry', deliveryType: 'gift', state: 'refused' },
      {
        externalId: 'B',
        line: 2,
        name: 'Ironwharf 3',
        qty: 3,
        unitCents: null,
        state: 'refused',
        reason: { what: 'Order not placed: the price went up.', next: 'Raise the maximum.' },
      },
      { externalId: 'C', line: 1, name: 'gone', platform: '', state: 'left' },
    ],
  })
  expect(results(bulkId, 'failed').rows.map((row) => row.externalId)).toEqual(['B', 'B', 'C'])
  expect(
    world.orders.bulkResults({ accountId, bulkId, window: { offset: 2, limit: 1 } }).rows,
  ).toMatchObject([{ externalId: 'B', line: 2 }])
})

test('writes the results as CSV with a reason and a next step for each line', async () => {
  const bulkId = await placedRejectedAndLeft()
  const { fileName, base64 } = world.orders.exportBulk({ accountId, bulkId })
  expect(fileName).toBe('results-of-weekly.csv')
  expect(Buffer.from(base64, 'base64').toString().split('\r\n')).toEqual([
    'Reference,Line,Product id,Product,Platform,Region,Delivery,Units,Maximum price EUR,' +
      'Charged price EUR,Outcome,Order id,Reason,Next step',
    'A,1,p1,Ironwharf 3,Steam,Europe,key,1,10.10,10.00,Placed,ord-A,,',
    'B,1,p2,Quarry,Steam,Global,gift,2,5.05,,Rejected,,Another line of this order was rejected.,' +
      'Order it again together with the rejected line.',
    'B,2,p1,Ironwharf 3,Steam,Europe,key,3,7.00,,Rejected,,' +
      'Order not placed: the price went up.,Raise the maximum.',
    'C,1,gone,gone,,,,1,1.00,,Not sent,,You cancelled it before it was sent.,Order it again.',
    '',
  ])
})

test('gives the reason of a rejection to the rejected one of two lines of a product', async () => {
  world.respond['createOrder'] = () => {
    throw new Failure(
      failure('OUT_OF_STOCK', 'Order not placed: not enough units.', 'Order fewer.', {
        details: { productId: 'p1', line: 2 },
      }).problem,
      { certainty: 'rejected', retry: 'never' },
    )
  }
  const { bulkId } = world.orders.placeMany({
    accountId,
    name: 'twice.csv',
    orders: [{ externalId: 'A', lines: [line('p1', 1, 10), line('p1', 3, 10)] }],
  })
  await world.settle()
  expect(results(bulkId).rows.map(({ reason }) => reason?.what)).toEqual([
    'Another line of this order was rejected.',
    'Order not placed: not enough units.',
  ])
})

test('lists the lines that were not placed for another try, with their earlier maximum', async () => {
  const bulkId = await placedRejectedAndLeft()
  const draft = world.orders.bulkRetry({ accountId, bulkId })
  expect(draft).toEqual({
    name: 'weekly.csv',
    text: 'reference,product id,units,max\r\nB,p2,2,\r\nB,p1,3,\r\nC,gone,1,\r\n',
    previous: [
      { externalId: 'B', productId: 'p2', maxUnitCents: 505 },
      { externalId: 'B', productId: 'p1', maxUnitCents: 700 },
      { externalId: 'C', productId: 'gone', maxUnitCents: 100 },
    ],
  })
  const { orders } = await world.orders.parseTable({ accountId, text: draft.text })
  expect(orders[0]).toMatchObject({ externalId: 'B', problems: [] })
})

test('records each rejected order of a table in the activity, by reference and product', async () => {
  await placedRejectedAndLeft()
  expect(world.activity).toContainEqual(
    expect.objectContaining({
      what: { code: 'orders.rejected', values: { externalId: 'B' } },
      detail: {
        code: 'orders.rejected-why',
        values: { title: '2 × Quarry and 1 more', reason: 'Order not placed: the price went up.' },
      },
      outcome: 'failed',
      code: 'PRICE_CHANGED',
    }),
  )
  expect(world.activity.filter(({ outcome }) => outcome === 'failed')).toHaveLength(1)
})
