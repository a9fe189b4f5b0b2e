import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Client, createClient } from './api/client/client.ts'
import { type OperationId, operationIds } from './api/endpoints/endpoints.ts'
import { cents } from './api/money.ts'
import { startSandbox } from './sandbox.ts'
import type { Sandbox } from './sandbox-types.ts'
import { fetchTransport } from './fetch-transport.ts'
import { checkedTransport } from './testing/checked-transport.ts'
import { testOptions } from './testing/sandbox-options.ts'

let sandbox: Sandbox
let origin = ''
/** Operations whose responses were checked against the contract. */
const seen = new Set<OperationId>()
const checked = checkedTransport(seen)

const clientAt = (baseUrl: string, key: string): Client<AbortSignal> =>
  createClient({ baseUrl, key, send: checked })
const clientOf = (key: string): Client<AbortSignal> => clientAt(`${origin}/v1`, key)

const log = {
  info: () => undefined,
  error: (message: string, fields?: object) => expect.fail(`${message} ${JSON.stringify(fields)}`),
}

beforeAll(async () => {
  sandbox = await startSandbox(testOptions({ world: { seed: 'demo', products: 60 } }), log)
  origin = sandbox.ready.baseUrl.replace('/v1', '')
})
afterAll(() => sandbox.stop())

describe('every response matches the contract', () => {
  it('from creating an account to a sold key', async () => {
    const dashboard = clientOf(sandbox.ready.dashboardToken)
    const product = (
      await dashboard.createProduct({
        body: {
          name: 'Quillmere Zwölf',
          platform: 'Steam',
          region: 'Global',
          productType: 'game',
          deliveryType: 'key',
          releaseDate: '2020-02-29',
        },
      })
    ).body
    await dashboard.changeProduct({
      params: { id: product.id },
      body: {
        description: 'A harbour.',
        activation: { excludedCountries: ['US'], allowedCountryCount: null },
      },
    })

    const shop = (
      await dashboard.createSeller({ body: { name: 'Shop', commission: { keys: 12.5 } } })
    ).body
    await dashboard.changeSeller({ params: { id: shop.id }, body: { status: 'active' } })
    await dashboard.getSellerAccount({ params: { id: shop.id } })
    await dashboard.listSellers({ query: { limit: 2 } })
    const sellerKey = (await dashboard.createSellerKey({ params: { id: shop.id } })).body
    await dashboard.listSellerKeys({ params: { id: shop.id } })

    const seller = clientOf(sellerKey.key)
    await seller.getSeller({})
    expect(
      (await seller.listSellerProducts({ query: { search: 'QUILLMERE zw' } })).body.results,
    ).toMatchObject([{ productId: product.id, shopPrice: null }])
    const saved = await seller.saveOffer({ body: { productId: product.id, price: cents(1000) } })
    expect(saved).toMatchObject({
      status: 201,
      body: { created: true, offer: { customerPrice: 1125 } },
    })
    expect(
      (await seller.saveOffer({ body: { productId: product.id, price: cents(999) } })).status,
    ).toBe(200)
    const { id } = saved.body.offer
    expect(
      (
        await seller.uploadKeys(
          { params: { id }, body: { keys: ['A-1', 'A-2', 'A-2', 'A-3'] } },
          { idempotencyKey: 'upload-1' },
        )
      ).body,
    ).toMatchObject({ added: 3, duplicates: 1, stock: 3 })
    await seller.changeOffer({ params: { id }, body: { price: cents(1001) } })
    expect((await seller.getOffer({ params: { id } })).body).toMatchObject({
      stock: 3,
      isCheapest: true,
    })
    await seller.listOffers({ query: { status: 'active' } })
    expect((await seller.withdrawKeys({ params: { id }, body: { count: 1 } })).body).toMatchObject({
      count: 1,
      keys: ['A-1'],
      stock: 2,
    })

    const buyer = (
      await dashboard.createPartner({
        body: { name: 'Buyer', perOrderLimit: null, priceFactor: 1.05 },
      })
    ).body
    await dashboard.changePartner({
      params: { id: buyer.id },
      body: { ipAllowlist: ['127.0.0.0/8'] },
    })
    await dashboard.getPartner({ params: { id: buyer.id } })
    await dashboard.listPartners({})
    const { reference } = (
      await dashboard.createTopUpReference({ params: { id: buyer.id }, body: { mode: 'live' } })
    ).body
    await dashboard.createTopUp({
      params: { id: buyer.id },
      body: { mode: 'live', amount: cents(10_000), reference },
    })
    await expect(
      dashboard.createTopUp({
        params: { id: buyer.id },
        body: { mode: 'live', amount: cents(1), reference },
      }),
    ).rejects.toMatchObject({ code: 'REFERENCE_USED', status: 409 })
    await dashboard.resetTestBalance({ params: { id: buyer.id }, body: { amount: cents(500) } })
    const partnerKey = (
      await dashboard.createPartnerKey({ params: { id: buyer.id }, body: { mode: 'live' } })
    ).body
    await dashboard.listPartnerKeys({ params: { id: buyer.id } })

    const partner = clientOf(partnerKey.key)
    await partner.ping({})
    const { price } = (await partner.getProduct({ params: { id: product.id } })).body
    // 10.01 and 12.5 % are 11.26; times 1.05, half up, 11.82.
    expect(price).toBe(1182)
    const ordered = await partner.createOrder(
      {
        query: { wait: 10 },
        body: {
          externalId: 'shop-1',
          items: [{ productId: product.id, qty: 2, maxUnitPrice: price }],
        },
      },
      { idempotencyKey: 'order-1-1' },
    )
    expect(ordered.body).toMatchObject({ status: 'completed', total: 2364 })
    expect((await partner.getBalance({})).body.balance).toBe(10_000 - 2364)
    await partner.getOrder({ params: { id: ordered.body.id } })
    await partner.listOrders({ query: { externalId: 'shop-1' } })
    const { keys } = (await partner.getOrderKeys({ params: { id: ordered.body.id } })).body
    expect(keys.map(({ value }) => value)).toEqual(['A-2', 'A-3'])
    await dashboard.listPartnerLedger({ params: { id: buyer.id }, query: { mode: 'live' } })
    await dashboard.listPartnerEmails({ params: { id: buyer.id } })
    expect((await dashboard.verifyLedger({})).body).toMatchObject({
      ok: true,
      sums: { live: 0, test: 0 },
    })

    expect((await seller.listSales({})).body).toMatchObject({
      total: 2,
      results: [{ status: 'pending', price: 1001 }, { orderId: ordered.body.id }],
    })
    expect((await seller.getSellerBalance({})).body).toMatchObject({
      pending: 2002,
      available: 0,
      upcomingReleases: [{ sales: 2, amount: 2002 }],
    })
    const claimOf = async (index: number) =>
      (
        await dashboard.createClaim({
          body: {
            orderId: ordered.body.id,
            keyId: keys[index]?.id ?? '',
            message: 'It says used.',
          },
        })
      ).body.disputeId
    const [replaced, refunded] = [await claimOf(0), await claimOf(1)]
    expect((await seller.listDisputes({ query: { status: 'open' } })).body).toMatchObject({
      total: 2,
    })
    await seller.answerDispute({
      params: { id: replaced },
      body: { body: 'Another one is on its way.' },
    })
    await dashboard.addOutsideMessage({
      params: { id: refunded },
      body: { author: 'customer', body: 'Money, please.' },
    })
    expect(
      (await dashboard.escalateDispute({ params: { id: refunded }, body: { reason: 'Urgent.' } }))
        .body,
    ).toMatchObject({ status: 'escalated' })
    expect(
      (
        await seller.replaceKey(
          { params: { id: replaced }, body: { key: 'A-4' } },
          { idempotencyKey: 'replace-1' },
        )
      ).body,
    ).toMatchObject({ status: 'resolved' })
    expect(
      (await seller.refundDispute({ params: { id: refunded } }, { idempotencyKey: 'refund-1' }))
        .body,
    ).toMatchObject({ resolution: { type: 'refunded' } })
    const sent = (await partner.getOrderKeys({ params: { id: ordered.body.id } })).body.keys[2]
    const another = (
      await dashboard.createClaim({
        body: { orderId: ordered.body.id, keyId: sent?.id ?? '', message: 'This one too.' },
      })
    ).body
    const rejected = { params: { id: another.disputeId } }
    expect((await dashboard.rejectDispute(rejected)).body).toMatchObject({
      resolution: { type: 'rejected' },
    })
    expect((await seller.getDispute(rejected)).body).toMatchObject({
      status: 'resolved',
      messages: [{ author: 'customer' }],
    })
    expect((await dashboard.listAllDisputes({})).body.total).toBeGreaterThanOrEqual(3)
    expect((await seller.deleteOffer({ params: { id } })).body).toMatchObject({ status: 'paused' })
    await dashboard.revokePartnerKey({ params: { id: buyer.id, keyId: partnerKey.id } })
    await expect(partner.ping({})).rejects.toMatchObject({ code: 'UNAUTHORIZED', status: 401 })
    await dashboard.revokeSellerKey({ params: { id: shop.id, keyId: sellerKey.id } })
  })

  it('for the complete demo catalogue, by page and by cursor', async () => {
    const partner = clientOf(sandbox.ready.demo?.partnerTestKey ?? '')
    const byPage = (await partner.listProducts({ query: { limit: 100 } })).body
    let cursor: string | null = null
    const ids: string[] = []
    for (let more = true; more;) {
      const page: typeof byPage = (
        await partner.listProducts({ query: { limit: 7, ...(cursor === null ? {} : { cursor }) } })
      ).body
      ids.push(...page.results.map(({ id }) => id))
      cursor = page.nextCursor
      more = page.hasMore
    }
    expect(ids).toEqual(byPage.results.map(({ id }) => id))
    await partner.getMeta({})
  })

  it('for webhooks: an event reaches a receiver on this computer, and a failed one is retried', async () => {
    const dashboard = clientOf(sandbox.ready.dashboardToken)
    const { id } = (await dashboard.createPartner({ body: { name: 'Listener' } })).body
    const answers = [200, 503]
    const deliveries: (string | undefined)[] = []
    const receiver = createServer((request, response) => {
      deliveries.push(String(request.headers['x-svc-delivery']))
      response.writeHead(answers.shift() ?? 204).end()
    })
    await once(receiver.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
    await dashboard.putWebhook({ params: { id }, body: { url } })
    expect((await dashboard.getWebhook({ params: { id } })).body.url).toBe(url)
    const list = async () => (await dashboard.listDeliveries({ params: { id } })).body.results
    const attempted = (times: number) =>
      vi.waitFor(async () => expect((await list())[0]?.attempts).toHaveLength(times), 5000)

    const key = (await dashboard.createPartnerKey({ params: { id }, body: { mode: 'test' } })).body
      .key
    const { deliveryId = '' } = (await clientOf(key).testWebhook({})).body
    await attempted(1)
    expect(await list()).toMatchObject([
      { id: deliveryId, event: 'webhook.test', status: 'delivered' },
    ])
    const again = (await dashboard.resendDelivery({ params: { id, deliveryId } })).body.deliveryId
    expect(again).toBe(deliveryId)
    await attempted(2)
    await dashboard.advanceClock({ body: { ms: 10_000 } })
    expect(await list()).toMatchObject([
      {
        id: deliveryId,
        status: 'delivered',
        attempts: [{ status: 200 }, { status: 503 }, { status: 204 }],
      },
    ])
    const last = (await dashboard.testPartnerWebhook({ params: { id }, body: { mode: 'live' } }))
      .body.deliveryId
    await attempted(1)
    expect(deliveries).toEqual([deliveryId, deliveryId, deliveryId, last])
    await dashboard.deleteWebhook({ params: { id } })
    receiver.close()
  })

  it('for the request log, which contains no key that was ever shown', async () => {
    const dashboard = clientOf(sandbox.ready.dashboardToken)
    const { id } = (await dashboard.createPartner({ body: { name: 'Watched' } })).body
    const { key } = (await dashboard.createPartnerKey({ params: { id }, body: { mode: 'live' } }))
      .body
    await clientOf(key).ping({})
    const { results } = (await dashboard.listRequests({ query: { path: '/v1/ping', status: 200 } }))
      .body
    expect(results[0]).toMatchObject({ account: id, response: { partnerId: id } })
    const log = JSON.stringify((await dashboard.listRequests({ query: { limit: 100 } })).body)
    expect(log).toContain(`/dashboard/partners/${id}/keys`)
    for (const secret of [key, sandbox.ready.dashboardToken, '"A-1"', '"A-2"', '"A-3"'])
      expect(log).not.toContain(secret)
  })

  it('for faults: a fault set to happen once happens once', async () => {
    const dashboard = clientOf(sandbox.ready.dashboardToken)
    const { id } = (await dashboard.createPartner({ body: { name: 'Unlucky' } })).body
    const partner = clientOf(
      (await dashboard.createPartnerKey({ params: { id }, body: { mode: 'test' } })).body.key,
    )
    await dashboard.putFaults({
      body: [
        { match: { method: 'GET', path: '/v1/balance' }, times: 1, status: 503 },
        { supplierDown: true },
      ],
    })
    await expect(partner.getBalance({})).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      status: 503,
    })
    await partner.getBalance({})
    expect((await dashboard.getFaults({})).body).toMatchObject([
      { hits: 1 },
      { supplierDown: true },
    ])
    await expect(
      partner.createOrder({
        body: { externalId: 'a-1', items: [{ productId: 'x', qty: 1, maxUnitPrice: cents(100) }] },
      }),
    ).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect((await dashboard.clearFaults({})).body).toEqual([])
  })

  it('for snapshots: a restore returns the saved data', async () => {
    const dashboard = clientOf(sandbox.ready.dashboardToken)
    const before = (await dashboard.listPartners({})).body.total
    const saved = (await dashboard.createSnapshot({ body: { name: 'before-1' } })).body
    const { id } = (await dashboard.createPartner({ body: { name: 'Forgotten' } })).body
    expect((await dashboard.listSnapshots({})).body.results).toEqual([saved])
    expect((await dashboard.restoreSnapshot({ params: { name: 'before-1' } })).body).toEqual(saved)
    expect((await dashboard.listPartners({})).body.total).toBe(before)
    await expect(dashboard.getPartner({ params: { id } })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect((await clientOf(sandbox.ready.demo?.sellerKey ?? '').getSeller({})).body.status).toBe(
      'active',
    )
    expect((await dashboard.compareSnapshot({ params: { name: 'before-1' } })).body).toMatchObject({
      from: 'before-1',
      to: null,
    })
    await dashboard.deleteSnapshot({ params: { name: 'before-1' } })
    expect((await dashboard.listSnapshots({})).body.results).toEqual([])
  })

  it('for the world file of a repeatable sandbox', async () => {
    const other = await startSandbox(testOptions({ repeatable: { seed: 'one', at: 0 } }), log)
    const { baseUrl, dashboardToken } = other.ready
    expect((await clientAt(baseUrl, dashboardToken).getWorldFile({})).body.requests).toEqual([])
    await other.stop()
  })

  it('for the explanation of a refusal, and the request that passes instead', async () => {
    const dashboard = clientOf(sandbox.ready.dashboardToken)
    const id = 'ord_none'
    await expect(
      clientOf(sandbox.ready.demo?.partnerLiveKey ?? '').getOrder({ params: { id } }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const { results } = (
      await dashboard.listRequests({ query: { path: `/v1/orders/${id}`, status: 404 } })
    ).body
    const params = { id: results[0]?.requestId ?? '' }
    const { checks } = (await dashboard.explainRequest({ params })).body
    expect(checks.map(({ result }) => result)).toContain('failed')
    const { body } = await dashboard.runSuggestion({ params })
    expect(body).toMatchObject({ status: 200, code: null })
  })

  it('for a certificate that is canceled', async () => {
    const dashboard = clientOf(sandbox.ready.dashboardToken)
    const url = 'http://127.0.0.1:9/hook'
    await dashboard.startCertificate({ body: { url, probe: url, schedules: 1 } })
    await dashboard.cancelCertificate({})
    expect((await dashboard.getCertificate({})).body).toMatchObject({ state: 'canceled', url })
  })

  it('for branches: one starts with all data, and its changes stay in it', async () => {
    const dashboard = clientOf(sandbox.ready.dashboardToken)
    await dashboard.advanceClock({ body: { ms: 60_000 } })
    const before = (await dashboard.listPartners({})).body.total
    const { body: branch } = await dashboard.createBranch({ body: { name: 'a test' } })
    expect(branch).toMatchObject({ name: 'a test', replay: null })
    const inBranch = (key: string): Client<AbortSignal> =>
      createClient({ baseUrl: branch.baseUrl, key, send: fetchTransport })
    expect((await dashboard.listBranches({})).body.results).toEqual([branch])

    const logged = await dashboard.listRequests({ query: { path: '/dashboard/branches' } })
    expect(logged.body.results.length).toBeGreaterThan(0)
    expect(JSON.stringify(logged.body)).not.toContain(branch.dashboardToken)

    const other = inBranch(branch.dashboardToken)
    expect((await other.listPartners({})).body.total).toBe(before)
    expect((await other.getClock({})).body.offsetMs).toBe(
      (await dashboard.getClock({})).body.offsetMs,
    )
    await other.createPartner({ body: { name: 'Only here' } })
    await other.advanceClock({ body: { ms: 3_600_000 } })
    // Its stock is sealed with the key of its own folder, so that its orders are delivered.
    const partner = inBranch(branch.demo?.partnerLiveKey ?? '')
    const { results } = (await partner.listProducts({ query: { inStock: true, limit: 100 } })).body
    const product = results.find(({ deliveryType }) => deliveryType === 'key')
    const { body: order } = await partner.createOrder({
      query: { wait: 5 },
      body: {
        externalId: 'in-branch',
        items: [{ productId: product?.id ?? '', qty: 1, maxUnitPrice: product?.price ?? cents(0) }],
      },
    })
    expect(order.status).toBe('completed')

    expect((await dashboard.listPartners({})).body.total).toBe(before)
    expect((await dashboard.getClock({})).body.offsetMs).toBeLessThan(3_600_000)
    await expect(
      clientOf(sandbox.ready.demo?.partnerLiveKey ?? '').getOrder({ params: { id: order.id } }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })

    await dashboard.deleteBranch({ params: { id: branch.id } })
    expect((await dashboard.listBranches({})).body.results).toEqual([])
    await expect(other.getClock({})).rejects.toThrow(/no response/)
    await expect(dashboard.deleteBranch({ params: { id: branch.id } })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('for the simulated market: start, status, stop', async () => {
    const dashboard = clientOf(sandbox.ready.dashboardToken)
    expect((await dashboard.getMarket({})).body).toMatchObject({
      running: false,
      seed: null,
      since: null,
      nextDueAt: null,
      competitors: [],
      shops: [],
    })
    const { body } = await dashboard.startMarket({ body: { seed: 7, intensity: 1 } })
    expect(body).toMatchObject({ running: true, seed: 7, intensity: 1, sellers: 8, customers: 400 })
    await dashboard.advanceClock({ body: { ms: 6 * 3_600_000 } })
    expect((await dashboard.getMarket({})).body.counts?.priceChanges).toBeGreaterThan(0)

    const partner = clientOf(sandbox.ready.demo?.partnerLiveKey ?? '')
    const product = (await partner.listProducts({})).body.results.find(
      ({ inStock, deliveryType }) => inStock && deliveryType === 'key',
    )
    const items = [
      { productId: product?.id ?? '', qty: 1, maxUnitPrice: product?.price ?? cents(1) },
    ]
    const order = (
      await partner.createOrder({ query: { wait: 10 }, body: { externalId: 'to-complain', items } })
    ).body
    const [unit] = (await partner.getOrderKeys({ params: { id: order.id } })).body.keys
    const unhappy = { body: { orderId: order.id, keyId: unit?.id ?? '' } }
    expect((await dashboard.complain(unhappy)).status).toBe(201)
    await expect(dashboard.complain(unhappy)).rejects.toMatchObject({
      code: 'CLAIM_EXISTS',
      status: 409,
    })
    expect((await dashboard.stopMarket({})).body).toMatchObject({
      running: false,
      seed: 7,
      nextDueAt: null,
    })
  })

  it.each(Object.entries({ seed: '', intensity: 11, sellers: 41, customers: -1 }))(
    'for the simulated market, with %s of %j rejected',
    async (field, value) => {
      const headers = {
        authorization: `Bearer ${sandbox.ready.dashboardToken}`,
        'content-type': 'application/json',
      }
      const answer = await fetch(`${origin}/dashboard/market`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ seed: 1, intensity: 1, [field]: value }),
      })
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({
        error: {
          code: 'VALIDATION_ERROR',
          details: [{ field, message: expect.stringMatching(/^must be .* to /) }],
        },
      })
    },
  )

  it('for the clock and a reset', async () => {
    const dashboard = clientOf(sandbox.ready.dashboardToken)
    await dashboard.getClock({})
    await dashboard.advanceClock({ body: { ms: 1000 } })
    const { demo } = (await dashboard.reset({ body: { seed: 'demo', products: 30 } })).body
    expect((await clientOf(demo?.sellerKey ?? '').getSeller({})).body.status).toBe('active')
  })

  it('for every operation', () => {
    expect(operationIds.filter((id) => !seen.has(id))).toEqual([])
  })
})

describe('pictures', () => {
  it('are drawn only for paths that products refer to', async () => {
    const { demo } = sandbox.ready
    const dashboard = clientOf(sandbox.ready.dashboardToken)
    const key = (await dashboard.reset({})).body.demo?.partnerTestKey ?? demo?.partnerTestKey ?? ''
    const [product] = (await clientOf(key).listProducts({ query: { limit: 1 } })).body.results
    const cover = await fetch(product?.coverImage ?? '')
    expect(cover.headers.get('content-type')).toBe('image/png')
    expect([...new Uint8Array(await cover.arrayBuffer()).slice(0, 4)]).toEqual([137, 80, 78, 71])
    for (const path of [
      'covers/unknown.png',
      'covers/..%2f..%2fx.png',
      `screenshots/${product?.id}-99.png`,
      'x',
    ])
      expect((await fetch(`${origin}/media/${path}`)).status).toBe(404)
  })
})
