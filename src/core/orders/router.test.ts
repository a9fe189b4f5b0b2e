import { PLAIN_EXPORT_PHRASE } from '../../contract/app/vault.ts'
import { createRouterClient } from '@orpc/server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cents } from '../../../server/api/money.ts'
import { createOrdersRouter } from './router.ts'
import { createFakeWorld, orderable, wireOrder } from './testing/fake-service.ts'
import type { FakeWorld } from './testing/fake-service.ts'

const accountId = 'account'
const orderId = 'o1'

let world: FakeWorld
const client = () => createRouterClient(createOrdersRouter(world.orders))
beforeEach(() => {
  world = createFakeWorld([orderable('p1', { priceCents: cents(900) })])
  world.respond['createOrder'] = () => wireOrder(orderId, { externalId: 'R1' })
  world.respond['getOrder'] = () => wireOrder(orderId, { externalId: 'R1' })
  world.respond['getOrderKeys'] = () => ({
    keys: [
      {
        id: 'k1',
        line: 1,
        productId: 'p1',
        deliveryType: 'key',
        contentType: 'text/plain',
        value: 'AAAAA-AAAAA-AAAAA',
        deliveredAt: '2026-01-05T08:00:00.000Z',
      },
    ],
  })
  world.respond['listProducts'] = () => ({ results: [] })
})
afterEach(() => world.close())

const lines = [{ productId: 'p1', qty: 1, maxUnitCents: cents(1000) }]

test('places an order, and reads it with its keys, through the contract', async () => {
  const api = client()
  expect((await api.quote({ accountId, productIds: ['p1'] })).lines).toMatchObject([
    { productId: 'p1', priceCents: 900 },
  ])
  const attempt = await api.place({ accountId, externalId: 'R1', lines })
  expect(attempt).toMatchObject({ state: 'placed', orderId })
  expect(await api.attempts({ accountId })).toEqual([attempt])
  expect(await api.checkAttempt({ accountId, attemptId: attempt.attemptId })).toEqual(attempt)
  expect(await api.list({ accountId })).toMatchObject({ total: 1, rows: [{ orderId }] })
  const { keys } = await api.downloadKeys({ accountId, orderId, acknowledged: true })
  expect(keys).toMatchObject([{ keyId: 'k1', masked: 'AAAAA-•••••-•••••' }])
  expect(await api.order({ accountId, orderId })).toMatchObject({ orderId, keys })
  expect(await api.revealKey({ accountId, orderId, keyId: 'k1' })).toMatchObject({
    value: 'AAAAA-AAAAA-AAAAA',
  })
  expect(await api.keysText({ accountId, orderId, form: 'lines' })).toMatchObject({
    text: 'AAAAA-AAAAA-AAAAA',
  })
  expect(
    await api.exportKeys({ accountId, orderId, form: 'lines', typed: PLAIN_EXPORT_PHRASE }),
  ).toMatchObject({
    fileName: 'keys-of-R1.txt',
  })
  expect(await api.keys({ accountId })).toMatchObject({ total: 1, rows: [{ keyId: 'k1' }] })
  expect(await api.exportList({ accountId })).toMatchObject({ fileName: 'orders-2026-01-05.csv' })
})

test('places and controls a table of orders through the contract', async () => {
  const api = client()
  expect(await api.parseTable({ accountId, text: 'A,p1,1,10' })).toMatchObject({
    atMostCents: 1000,
  })
  const { bulkId } = await api.placeMany({
    accountId,
    name: 'orders.csv',
    orders: [{ externalId: 'A', lines }],
  })
  expect(await api.bulks({ accountId })).toMatchObject([{ bulkId, state: 'running' }])
  expect(await api.controlBulk({ accountId, bulkId, action: 'cancel' })).toMatchObject({
    state: 'cancelled',
  })
  expect(await api.bulk({ accountId, bulkId })).toMatchObject({ bulkId, counts: { left: 1 } })
})

test('selects, marks and exports keys of several orders through the contract', async () => {
  const api = client()
  await api.place({ accountId, externalId: 'R1', lines })
  await api.downloadKeys({ accountId, orderId, acknowledged: true })
  const keys = [{ orderId, keyId: 'k1' }]
  expect(await api.orderIds({ accountId, query: 'r1' })).toEqual({ orderIds: [orderId] })
  expect(await api.orderIds({ accountId, query: 'other' })).toEqual({ orderIds: [] })
  expect(await api.keyRefs({ accountId })).toMatchObject({ keys })
  expect(await api.keysOfOrders({ accountId, orderIds: [orderId] })).toMatchObject({ keys })
  const { marked, before } = await api.markHandedOver({ accountId, keys, note: 'shop order 17' })
  expect(marked).toBe(1)
  expect(await api.describeKeys({ accountId, keys })).toMatchObject({ handed: 1 })
  await api.restoreHandedOver({ accountId, marks: before })
  expect(await api.describeKeys({ accountId, keys })).toMatchObject({ handed: 0 })
  const { base64 } = await api.exportSelectedKeys({
    accountId,
    keys,
    form: 'lines',
    typed: PLAIN_EXPORT_PHRASE,
  })
  expect(Buffer.from(base64, 'base64').toString()).toContain('AAAAA-AAAAA-AAAAA')
})

test('reads the results of a table of orders, and the lines to repeat, through the contract', async () => {
  const api = client()
  const orders = [{ externalId: 'A', lines }]
  const { bulkId } = await api.placeMany({ accountId, name: 'orders.csv', orders })
  await api.controlBulk({ accountId, bulkId, action: 'cancel' })
  expect(await api.bulkResults({ accountId, bulkId })).toMatchObject({ total: 1, failed: 1 })
  const { base64 } = await api.exportBulk({ accountId, bulkId })
  expect(Buffer.from(base64, 'base64').toString()).toContain('A')
  expect(await api.bulkRetry({ accountId, bulkId })).toMatchObject({
    previous: [{ externalId: 'A', productId: 'p1', maxUnitCents: 1000 }],
  })
})
