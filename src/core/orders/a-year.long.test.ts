import { PLAIN_EXPORT_PHRASE } from '../../contract/app/vault.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFeature } from '../testing/start-feature.ts'
import type { Started } from '../testing/start-feature.ts'
import { cents, fromCents } from '../../../server/api/money.ts'
import type { Cents } from '../../../server/api/money.ts'
import { order as orderSchema } from '../../../server/api/schemas/order.ts'
import { computeTotals } from '../spending/totals.ts'
import { startTestBackend } from '../testing/backend.ts'
import type { TestBackend } from '../testing/backend.ts'
import { createTestContext } from '../testing/context.ts'
import type { TestContext } from '../testing/context.ts'
import { orderFacts } from './sync/order-facts.ts'
import { ordersFeature, ordersSchemas } from './orders.ts'
import type { Orders } from './orders.ts'
import { createOrderStore } from './store.ts'

const year = 365 * 24 * 3600 * 1000
/** Repeatable random numbers (Lehmer's generator, modulo 2^31 - 1). */
let state = 7
const below = (limit: number): number => (state = (state * 48_271) % 2_147_483_647) % limit
const price = (): Cents => (1 + below(250_000)) as Cents

/**
 * An order as the service sends it, with amounts in EUR, and its amounts in cents, computed without
 * fractions.
 */
function wireOrder(index: number) {
  const items = Array.from({ length: 1 + below(4) }, (_, line) => ({
    line: line + 1,
    productId: `prd_${below(500)}`,
    name: `Product ${below(500)}`,
    deliveryType: 'key',
    qty: 1 + below(9),
    cents: price(),
  }))
  const total = items.reduce((sum, { qty, cents }) => sum + BigInt(qty) * BigInt(cents), 0n)
  const failed = index % 20 === 0
  const text = JSON.stringify({
    id: `ord_year_${String(index).padStart(6, '0')}`,
    externalId: `Y-${index}`,
    mode: 'live',
    status: failed ? 'failed' : 'completed',
    currency: 'EUR',
    total: fromCents(Number(total) as Cents),
    refunded: fromCents((failed ? Number(total) : 0) as Cents),
    createdAt: new Date(Date.now() - index * 1000).toISOString(),
    completedAt: new Date().toISOString(),
    failure: null,
    items: items.map(({ cents, ...item }) => ({
      ...item,
      unitPrice: fromCents(cents),
      status: failed ? 'failed' : 'completed',
      deliveredQty: failed ? 0 : item.qty,
    })),
  })
  return { text, total, refunded: failed ? total : 0n }
}

test(
  'adds up 10,000 random orders to the cent: over the wire, in the mirror and in the spending',
  { timeout: 120_000 },
  () => {
    let [charged, refunded] = [0n, 0n]
    const facts = Array.from({ length: 10_000 }, (_, index) => {
      const order = wireOrder(index)
      charged += order.total
      refunded += order.refunded
      return orderFacts(orderSchema.tolerant.parse(JSON.parse(order.text)), Date.now())
    })
    expect(facts.reduce((sum, { totalCents }) => sum + BigInt(totalCents), 0n)).toBe(charged)
    const sums = computeTotals(
      facts.flatMap(({ orderId, createdAt, status, items }) =>
        items.map((item) => ({ ...item, orderId, at: createdAt, status })),
      ),
    )
    expect(BigInt(sums.chargedCents)).toBe(charged)
    expect(BigInt(sums.refundedCents)).toBe(refunded)
    expect(sums.products.reduce((sum, { cents }) => sum + BigInt(cents), 0n)).toBe(
      charged - refunded,
    )
  },
)

let backend: TestBackend
let harness: TestContext
let orders: Started<Orders>
beforeAll(async () => {
  backend = await startTestBackend({ products: 60, noLimits: true })
  harness = await createTestContext({ schemas: ordersSchemas })
  orders = startFeature(ordersFeature, harness.context, {
    catalogue: { orderable: () => [] },
    claimRecords: { labels: () => new Map() },
  })
})
afterAll(async () => {
  harness.quiet()
  await orders.close()
  harness.dispose()
  await backend.stop()
})

test('searches and exports a year of 20,000 orders and reads their keys while the service is down', async () => {
  const { id: accountId } = await harness.connect(
    backend.ready.demo?.partnerLiveKey ?? '',
    backend.ready.baseUrl,
  )
  const { results } = (await (
    await fetch(`${backend.ready.baseUrl}/products?inStock=true&deliveryType=key&limit=100`, {
      headers: { authorization: `Bearer ${backend.ready.demo?.partnerLiveKey}` },
    })
  ).json()) as { results: { id: string; price: number }[] }
  const cheap = results.toSorted((a, b) => a.price - b.price)[0]
  const { orderId } = await orders.place({
    accountId,
    externalId: 'Y-kept',
    lines: [{ productId: cheap?.id ?? '', qty: 1, maxUnitCents: cents(500_000) }],
    waitSeconds: 5,
  })
  const { keys } = await orders.downloadKeys({
    accountId,
    orderId: orderId ?? '',
    acknowledged: true,
  })
  await backend.kill()
  const store = createOrderStore(harness.context.mirrors.database(accountId))
  const some = Array.from({ length: 100 }, (_, index) =>
    orderFacts(orderSchema.tolerant.parse(JSON.parse(wireOrder(index).text)), Date.now()),
  )
  store.transaction(() => {
    for (let index = 0; index < 20_000; index += 1) {
      const facts = some[index % 100]
      const externalId = `Y-${index}`
      if (facts !== undefined)
        store.write({
          ...facts,
          orderId: `ord_year_${index}`,
          externalId,
          search: `${externalId}\n${facts.title}`.toLowerCase(),
          createdAt: Date.now() - year + Math.floor((index / 20_000) * (year - 1000)),
        })
    }
  })
  expect(orders.list({ accountId }).total).toBeGreaterThan(20_000)
  expect(orders.list({ accountId, query: 'y-19999' }).rows).toMatchObject([
    { externalId: 'Y-19999' },
  ])
  expect(
    orders.list({ accountId, query: 'y-', statuses: ['failed'], refunded: true }),
  ).toMatchObject({ total: 1000 })
  const lastMonth = orders.list({ accountId, query: 'y-', from: Date.now() - year / 12 })
  expect(lastMonth.total).toBeGreaterThan(1500)
  expect(lastMonth.total).toBeLessThan(1800)
  const table = Buffer.from(
    orders.exportList({ accountId, query: 'y-1' }).base64,
    'base64',
  ).toString()
  expect(table.split('\r\n').length).toBeGreaterThan(orders.list({ accountId, query: 'y-1' }).total)
  const { value } = orders.revealKey({
    accountId,
    orderId: orderId ?? '',
    keyId: keys[0]?.keyId ?? '',
  })
  expect(value).not.toBe('')
  expect((await orders.keys({ accountId, query: value })).rows).toMatchObject([{ orderId }])
  expect(
    Buffer.from(
      orders.exportKeys({
        accountId,
        orderId: orderId ?? '',
        form: 'lines',
        typed: PLAIN_EXPORT_PHRASE,
      }).base64,
      'base64',
    ).toString(),
  ).toBe(`${value}\n`)
}, 180_000)
