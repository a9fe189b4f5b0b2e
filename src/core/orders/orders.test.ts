import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { startFeature } from '../testing/start-feature.ts'
import type { Started } from '../testing/start-feature.ts'
import { cents, toCents, ZERO } from '../../../server/api/money.ts'
import { startTestBackend } from '../testing/backend.ts'
import type { TestBackend } from '../testing/backend.ts'
import { createTestContext } from '../testing/context.ts'
import type { TestContext } from '../testing/context.ts'
import { startFaultyProxy } from '../testing/faulty-proxy.ts'
import type { FaultyProxy } from '../testing/faulty-proxy.ts'
import { ordersFeature, ordersSchemas } from './orders.ts'
import { formatMessages } from '../testing/format-messages.ts'
import { proposedMax } from './place/placing.ts'
import type { Orders } from './orders.ts'
import { createOrderStore } from './store.ts'

type Listed = { id: string; price: number; qty: number | null }

let backend: TestBackend
beforeAll(async () => {
  backend = await startTestBackend({ products: 120, noLimits: true })
})
afterAll(() => backend.stop())

describe('orders on the real service, over a network that loses responses', () => {
  let proxy: FaultyProxy
  let test: TestContext
  let orders: Started<Orders>
  let accountId: string
  let product: Listed

  const headers = (): Record<string, string> => ({
    authorization: `Bearer ${backend.ready.demo?.partnerLiveKey}`,
  })
  /** The service's own orders with a reference. */
  const atService = async (
    externalId: string,
  ): Promise<{ id: string; total: number; status: string }[]> => {
    const answer = await fetch(`${backend.ready.baseUrl}/orders?externalId=${externalId}`, {
      headers: headers(),
    })
    return ((await answer.json()) as { results: { id: string; total: number; status: string }[] })
      .results
  }
  const place = (externalId: string, maxUnitCents = product.price * 100, qty = 1) =>
    orders.place({
      accountId,
      externalId,
      lines: [{ productId: product.id, qty, maxUnitCents: cents(Math.round(maxUnitCents)) }],
      waitSeconds: 5,
    })

  beforeEach(async () => {
    proxy = await startFaultyProxy(backend.ready.baseUrl)
    test = await createTestContext({ schemas: ordersSchemas })
    orders = startFeature(ordersFeature, test.context, {
      catalogue: { orderable: () => [] },
      claimRecords: { labels: () => new Map() },
    })
    const account = await test.connect(backend.ready.demo?.partnerLiveKey ?? '', proxy.baseUrl)
    accountId = account.id
    const answer = await fetch(
      `${backend.ready.baseUrl}/products?inStock=true&deliveryType=key&limit=100`,
      { headers: headers() },
    )
    const { results } = (await answer.json()) as { results: Listed[] }
    product = results.toSorted((a, b) => (b.qty ?? 0) - (a.qty ?? 0))[0] ?? {
      id: '',
      price: 0,
      qty: null,
    }
  })
  afterEach(async () => {
    test.quiet()
    await orders.close()
    test.dispose()
    await proxy.close()
  })

  it('places an order once, and the mirror agrees with the service', async () => {
    const attempt = await place('T-plain')
    expect(attempt).toMatchObject({
      state: 'placed',
      problem: null,
      chargedCents: Math.round(product.price * 100),
    })
    const [order] = await atService('T-plain')
    expect(attempt.orderId).toBe(order?.id)
    expect(orders.order({ accountId, orderId: order?.id ?? '' })).toMatchObject({
      externalId: 'T-plain',
      status: 'completed',
      units: 1,
      deliveredUnits: 1,
    })
  })

  it('finishes an order with lost responses, and never places it twice @long', async () => {
    let lost = 0
    proxy.decide = (method, path) =>
      method === 'POST' && path.startsWith('/v1/orders') && lost++ < 2 ? 'lose-answer' : 'pass'
    const attempt = await place('T-lost')
    if (attempt.state === 'unknown')
      await expect
        .poll(
          async () =>
            (await orders.checkAttempt({ accountId, attemptId: attempt.attemptId })).state,
          { timeout: 15_000 },
        )
        .toBe('placed')
    expect(lost).toBeGreaterThanOrEqual(2)
    expect(await atService('T-lost')).toHaveLength(1)
    expect(
      orders.attempts({ accountId }).find((each) => each.externalId === 'T-lost'),
    ).toMatchObject({ state: 'placed', chargedCents: Math.round(product.price * 100) })
  })

  it('finishes an order that a crash left open at the next start, with the same key', async () => {
    const store = createOrderStore(test.context.mirrors.database(accountId))
    // Recorded and sent, then the console was killed before the response: the service has the
    // order.
    const record = {
      attemptId: 'crashed',
      externalId: 'T-crash',
      idempotencyKey: 'crash-key-0001',
      waitSeconds: 0,
      atMostCents: ZERO,
      chargedCents: null,
      state: 'sending' as const,
      orderId: null,
      problem: null,
      writtenAt: Date.now(),
      settledAt: null,
      lines: [{ productId: product.id, name: 'x', qty: 1, maxUnitCents: toCents(product.price) }],
    }
    store.writeAttempt(record)
    const sent = await fetch(`${backend.ready.baseUrl}/orders`, {
      method: 'POST',
      headers: {
        ...headers(),
        'content-type': 'application/json',
        'idempotency-key': 'crash-key-0001',
      },
      body: JSON.stringify({
        externalId: 'T-crash',
        items: [{ productId: product.id, qty: 1, maxUnitPrice: product.price }],
      }),
    })
    expect(sent.status).toBe(201)
    expect(await orders.checkAttempt({ accountId, attemptId: 'crashed' })).toMatchObject({
      state: 'placed',
      orderId: (await atService('T-crash'))[0]?.id,
    })
    expect(await atService('T-crash')).toHaveLength(1)
  })

  it('doesn’t place an old attempt, which can still arrive', async () => {
    const store = createOrderStore(test.context.mirrors.database(accountId))
    store.writeAttempt({
      attemptId: 'old',
      externalId: 'T-old',
      idempotencyKey: 'old-key-00001',
      waitSeconds: 0,
      atMostCents: ZERO,
      chargedCents: null,
      state: 'sending',
      orderId: null,
      problem: null,
      writtenAt: Date.now() - 3_600_000,
      settledAt: null,
      lines: [
        {
          productId: product.id,
          name: 'x',
          qty: 1,
          maxUnitCents: cents(Math.round(product.price * 100)),
        },
      ],
    })
    expect(await orders.checkAttempt({ accountId, attemptId: 'old' })).toMatchObject({
      state: 'unknown',
      problem: { code: 'ANSWER_LOST', effect: 'It is never placed twice.' },
    })
    expect(await atService('T-old')).toHaveLength(0)
  })

  it('explains a rejection, with nothing charged, and lets the reference be used again', async () => {
    const refused = await place('T-price', 1)
    expect(refused).toMatchObject({
      state: 'refused',
      orderId: null,
      chargedCents: null,
      problem: { code: 'PRICE_CHANGED', status: 409 },
    })
    expect(refused.problem?.effect).toMatch(/Nothing was charged/)
    expect(refused.problem?.requestId).toMatch(/./)
    expect((await place('T-price')).state).toBe('placed')
  })

  it('rejects a reference that an order already has, and names that order', async () => {
    const first = await place('T-twice')
    const second = await place('T-twice')
    expect(second).toMatchObject({
      state: 'refused',
      problem: { code: 'DUPLICATE_EXTERNAL_ID', details: { orderId: first.orderId } },
    })
  })

  it('downloads keys into the vault, masked outside and readable without the service', async () => {
    const { orderId } = await place('T-keys', product.price * 100, 2)
    const detail = await orders.downloadKeys({
      accountId,
      orderId: orderId ?? '',
      acknowledged: true,
    })
    expect(detail.keys).toHaveLength(2)
    expect(detail.firstDownloadedAt).toBeTypeOf('number')
    proxy.decide = () => 'cut'
    const answer = await fetch(`${backend.ready.baseUrl}/orders/${orderId}/keys`, {
      headers: headers(),
    })
    const { keys } = (await answer.json()) as { keys: { id: string; value: string }[] }
    for (const { id, value } of keys) {
      expect(orders.revealKey({ accountId, orderId: orderId ?? '', keyId: id }).value).toBe(value)
      expect(JSON.stringify(orders.order({ accountId, orderId: orderId ?? '' }))).not.toContain(
        value,
      )
    }
  })

  it('notifies once about a newly finished order with missing units and its credited amount', async () => {
    const tell = vi.spyOn(test.context.notices, 'notify')
    await expect.poll(() => orders.list({ accountId }).complete, { timeout: 15_000 }).toBe(true)
    expect(orders.list({ accountId, statuses: ['failed'] }).total).toBeGreaterThan(0)
    await backend.dashboard('PUT', '/faults', [
      { deliver: { productId: product.id, failUnits: 1 } },
    ])
    const { orderId } = await place('T-fails', product.price * 100, 2)
    await expect.poll(() => tell.mock.calls.length, { timeout: 15_000 }).toBe(1)
    await backend.dashboard('DELETE', '/faults')
    expect(formatMessages(tell.mock.calls[0]?.[0])).toMatchObject({
      kind: 'order-failed',
      accountId,
      title: 'Order partially delivered: T-fails',
      text: expect.stringContaining(
        `1 of 2 delivered. EUR ${product.price.toFixed(2)} was credited back`,
      ),
      path: `/orders/${orderId}`,
    })
  })

  it('learns a value limit from a rejection, and forgets it after an order exceeded it', async () => {
    const limits = async () => (await orders.quote({ accountId, productIds: [] })).limits
    const { results: partners } = (await backend.dashboard('GET', '/partners')) as {
      results: { id: string }[]
    }
    const partner = partners[0]?.id ?? ''
    expect(await limits()).toEqual({ order: null, day: null })
    await backend.dashboard('PATCH', `/partners/${partner}`, {
      perOrderLimit: 0.01,
      dailyLimit: null,
    })
    expect(await place('T-limit')).toMatchObject({
      state: 'refused',
      problem: { code: 'ORDER_LIMIT_EXCEEDED' },
    })
    expect(await limits()).toMatchObject({ order: { cents: 1 }, day: null })
    await backend.dashboard('PATCH', `/partners/${partner}`, {
      perOrderLimit: null,
      dailyLimit: 0.02,
    })
    expect(await place('T-limit')).toMatchObject({
      state: 'refused',
      problem: { code: 'DAILY_LIMIT_EXCEEDED' },
    })
    await backend.dashboard('PATCH', `/partners/${partner}`, { dailyLimit: null })
    await place('T-limit')
    expect((await limits()).order).toBeNull()
  })

  it('stores the complete history, newest first, searchable by product and reference', async () => {
    await place('T-history')
    await expect
      .poll(() => orders.list({ accountId, query: 'ng-1' }).total, { timeout: 15_000 })
      .toBeGreaterThan(5)
    const all = orders.list({ accountId })
    expect(all.rows.map((row) => row.createdAt)).toEqual(
      all.rows.map((row) => row.createdAt).toSorted((a, b) => b - a),
    )
    expect(Object.values(all.byStatus).reduce((sum, count) => sum + count, 0)).toBe(all.total)
    expect(orders.list({ accountId, query: 'T-HISTORY' }).total).toBe(1)
    expect(
      orders.list({ accountId, statuses: ['failed'] }).rows.every((row) => row.status === 'failed'),
    ).toBe(true)
  })
})

describe('the proposed highest unit price', () => {
  it('is the price plus 1 %, and at least one cent more', () => {
    expect(proposedMax(cents(3316))).toBe(3349)
    expect(proposedMax(cents(10))).toBe(11)
  })
})
