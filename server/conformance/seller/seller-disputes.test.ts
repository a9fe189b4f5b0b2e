import { createHash } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { rawShop, refused, startRaw } from '../testing/raw-service.ts'

const service = await startRaw()
const shop = rawShop(service)
afterAll(() => service.stop())

const HOUR = 3_600_000
const DAY = 24 * HOUR
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const later = (text: string, ms: number): string => new Date(Date.parse(text) + ms).toISOString()
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

/** A seller that sold `units` of three to a partner at 11.00 and receives 10.00 for each. */
async function sold(units = 1) {
  const seller = await shop.seller()
  const productId = await shop.product({ name: `Sold ${shop.next()}` })
  const offerId = await shop.offer(seller, productId, 10, ['K-1', 'K-2', 'K-3'])
  const partner = await shop.partner()
  const { id: orderId, keys } = await shop.buy(partner, productId, units)
  const dispute = async (id: string) => (await seller.call('GET', `/disputes/${id}`)).body
  const sales = async () => (await seller.call('GET', '/sales')).body.results
  const money = async () => (await seller.call('GET', '/balance')).body
  const say = (id: string, author: string, body = 'Well?') =>
    service.dashboard('POST', `/disputes/${id}/messages`, { author, body })
  return {
    seller,
    productId,
    offerId,
    partner,
    orderId,
    keys,
    dispute,
    sales,
    money,
    say,
    claim: (index = 0, more: object = {}) => shop.claim(orderId, keys[index]?.id, more),
  }
}

describe('a sale', () => {
  it('has every field by its name, and is released exactly 7 days after delivery', async () => {
    const { sales, money, productId, offerId, orderId, keys, partner } = await sold()
    const [sale] = await sales()
    const { name, deliveredAt } = {
      name: sale.name,
      deliveredAt: (await partner.call('GET', `/orders/${orderId}/keys`)).body.keys[0].deliveredAt,
    }
    expect(sale).toEqual({
      id: expect.stringMatching(/^sal_/),
      offerId,
      productId,
      name,
      orderId,
      keyId: keys[0]?.id,
      price: 10,
      customerPrice: 11,
      status: 'pending',
      soldAt: instant,
      releaseAt: later(deliveredAt, 7 * DAY),
      releasedAt: null,
      keySha256: sha256('K-1'),
    })
    expect(await money()).toEqual({
      currency: 'EUR',
      pending: 10,
      available: 0,
      upcomingReleases: [{ date: sale.releaseAt.slice(0, 10), amount: 10, sales: 1 }],
    })
    await service.dashboard('POST', '/clock/advance', { to: later(sale.releaseAt, 5 * DAY) })
    expect(await sales()).toMatchObject([{ status: 'released', releasedAt: sale.releaseAt }])
    expect(await money()).toEqual({
      currency: 'EUR',
      pending: 0,
      available: 10,
      upcomingReleases: [],
    })
  })

  it('in dispute is released when the dispute is resolved, at that time', async () => {
    const { sales, money, claim } = await sold()
    const id = await claim()
    expect(await sales()).toMatchObject([{ status: 'pending', releaseAt: null }])
    await shop.advance(9 * DAY)
    expect(await money()).toEqual({
      currency: 'EUR',
      pending: 10,
      available: 0,
      upcomingReleases: [],
    })
    const { resolution } = (await service.dashboard('POST', `/disputes/${id}/reject`)).body
    expect(await sales()).toMatchObject([{ status: 'released', releasedAt: resolution.at }])
    expect(await money()).toMatchObject({ pending: 0, available: 10 })
  })

  it('refunded after its release takes its price from the available balance', async () => {
    const { seller, partner, claim, money, keys, orderId, productId, offerId } = await sold()
    await shop.advance(6 * DAY)
    // Its replacement is delivered 6 days later, so that it can be claimed after the original sale
    // was released.
    await seller.call('POST', `/disputes/${await claim()}/replace`, { fromStock: true })
    await shop.advance(2 * DAY)
    expect(await money()).toMatchObject({ available: 10 })
    const sent = (await partner.call('GET', `/orders/${orderId}/keys`)).body.keys[1]
    expect(sent).toMatchObject({ line: 1, productId, value: 'K-2' })
    const again = await shop.claim(orderId, sent.id)
    const before = (await partner.call('GET', '/balance')).body.balance
    expect((await seller.call('POST', `/disputes/${again}/refund`)).body).toMatchObject({
      keyId: sent.id,
      offerId,
      status: 'resolved',
      resolution: { type: 'refunded' },
    })
    expect((await partner.call('GET', '/balance')).body.balance).toBe(before + 11)
    expect(await money()).toMatchObject({ pending: 0, available: 0 })
    expect(keys[0]?.value).toBe('K-1')
  })

  it('counts upcoming releases by day, oldest first', async () => {
    const { seller, partner, productId, money } = await sold()
    await shop.advance(2 * DAY)
    await shop.buy(partner, productId, 2)
    const { upcomingReleases, pending } = await money()
    expect(
      upcomingReleases.map(({ amount, sales }: { amount: number; sales: number }) => [
        amount,
        sales,
      ]),
    ).toEqual([
      [10, 1],
      [20, 2],
    ])
    expect(Date.parse(upcomingReleases[1].date) - Date.parse(upcomingReleases[0].date)).toBe(
      2 * DAY,
    )
    expect(pending).toBe(30)
    const ids = await Promise.all(
      [1, 2].map(async (page) => (await seller.call('GET', `/sales?limit=2&page=${page}`)).body),
    )
    expect(
      ids.map(({ total, totalPages, hasMore, results }) => [
        total,
        totalPages,
        hasMore,
        results.length,
      ]),
    ).toEqual([
      [3, 2, true, 2],
      [3, 2, false, 1],
    ])
    const soldAt = ids.flatMap(({ results }) =>
      results.map((sale: { soldAt: string }) => sale.soldAt),
    )
    expect(soldAt).toEqual(soldAt.toSorted().toReversed())
  })
})

describe('a dispute', () => {
  it('has every field by its name; a list shows it without its messages', async () => {
    const { seller, claim, dispute, sales, offerId, orderId, keys, productId } = await sold()
    const [{ id: saleId, name }] = await sales()
    const id = await claim()
    const { messages, ...listed } = await dispute(id)
    expect(listed).toEqual({
      id: expect.stringMatching(/^dsp_/),
      saleId,
      offerId,
      orderId,
      keyId: keys[0]?.id,
      productId,
      name,
      status: 'open',
      reason: 'It says used.',
      openedAt: instant,
      updatedAt: listed.openedAt,
      escalatesAt: later(listed.openedAt, 72 * HOUR),
      keySha256: sha256('K-1'),
      resolution: null,
    })
    expect(messages).toEqual([
      {
        id: expect.stringMatching(/^msg_/),
        author: 'customer',
        body: 'It says used.',
        createdAt: listed.openedAt,
        attachments: [],
      },
    ])
    expect((await seller.call('GET', '/disputes')).body.results).toEqual([listed])
  })

  it('accepts an answer with 201, rejects an empty one, and lists messages oldest first', async () => {
    const { seller, claim, dispute, say } = await sold()
    const id = await claim()
    const answer = await seller.call('POST', `/disputes/${id}/messages`, {
      body: ' A new one is coming. ',
    })
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^msg_/),
        author: 'seller',
        body: expect.stringContaining('A new one is coming.'),
        createdAt: instant,
        attachments: [],
      },
    ])
    await say(id, 'support')
    await say(id, 'customer')
    for (const body of ['', '  \n ', null, 7, undefined])
      expect(refused(await seller.call('POST', `/disputes/${id}/messages`, { body }))).toEqual([
        400,
        'VALIDATION_ERROR',
        'body',
      ])
    const { messages } = await dispute(id)
    expect(messages.map(({ author }: { author: string }) => author)).toEqual([
      'customer',
      'seller',
      'support',
      'customer',
    ])
    const times = messages.map(({ createdAt }: { createdAt: string }) => createdAt)
    expect(times).toEqual(times.toSorted())
  })

  it('accepts a message once per Idempotency-Key, also when it arrives twice at the same time', async () => {
    const { seller, claim, dispute } = await sold()
    const id = await claim()
    const answer = (body: string, key = 'answer-0001') =>
      seller.call('POST', `/disputes/${id}/messages`, { body }, { 'idempotency-key': key })
    const [first, second] = await Promise.all([answer('On its way.'), answer('On its way.')])
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text])
    expect(refused(await answer('Something else.'))[1]).toBe('IDEMPOTENCY_CONFLICT')
    expect((await answer('On its way.', 'answer-0002')).status).toBe(201)
    const { messages } = await dispute(id)
    expect(messages.map(({ author }: { author: string }) => author)).toEqual([
      'customer',
      'seller',
      'seller',
    ])
  })

  it('escalates exactly 72 hours after the last customer message without an answer from the seller', async () => {
    const { claim, dispute, say, seller } = await sold(3)
    const [silent, answered] = [await claim(0), await claim(1)]
    await seller.call('POST', `/disputes/${answered}/messages`, { body: 'Tell me more.' })
    await shop.advance(71 * HOUR)
    const { createdAt } = (await say(silent, 'customer')).body
    await say(silent, 'support')
    expect(await dispute(silent)).toMatchObject({
      status: 'open',
      escalatesAt: later(createdAt, 72 * HOUR),
    })
    await shop.advance(30 * DAY)
    expect(await dispute(silent)).toMatchObject({
      status: 'escalated',
      escalatesAt: null,
      updatedAt: later(createdAt, 72 * HOUR),
    })
    expect(await dispute(answered)).toMatchObject({ status: 'open', escalatesAt: null })
  })

  it('escalates by support, stays escalated, and is listed by status', async () => {
    const { claim, dispute, seller, say } = await sold(3)
    const [first, second, third] = [await claim(0), await claim(1), await claim(2)]
    const answer = await service.dashboard('POST', `/disputes/${first}/escalate`, {
      reason: 'No answer.',
    })
    expect(answer).toMatchObject({
      status: 200,
      body: {
        id: first,
        status: 'escalated',
        escalatesAt: null,
        messages: [{ author: 'customer' }, { author: 'support', body: 'No answer.' }],
      },
    })
    await seller.call('POST', `/disputes/${first}/messages`, { body: 'Sorry!' })
    await say(first, 'customer')
    expect(await dispute(first)).toMatchObject({ status: 'escalated', escalatesAt: null })
    await service.dashboard('POST', `/disputes/${second}/reject`)
    const ids = async (status: string) =>
      (await seller.call('GET', `/disputes?status=${status}`)).body.results.map(
        ({ id }: { id: string }) => id,
      )
    expect([await ids('open'), await ids('escalated'), await ids('resolved')]).toEqual([
      [third],
      [first],
      [second],
    ])
  })

  it('is resolved from open and escalated, by replacement, refund or rejection, and accepts nothing more', async () => {
    for (const escalated of [false, true]) {
      const { claim, seller, say, partner, orderId, dispute } = await sold(2)
      const open = async (index: number) => {
        const id = await claim(index)
        if (escalated) await service.dashboard('POST', `/disputes/${id}/escalate`)
        return id
      }
      const [replaced, refunded] = [await open(0), await open(1)]
      expect(
        (await seller.call('POST', `/disputes/${replaced}/replace`, { key: ' NEW ' })).body,
      ).toMatchObject({
        status: 'resolved',
        escalatesAt: null,
        resolution: { type: 'replaced', at: instant },
        messages: [{}],
      })
      expect((await seller.call('POST', `/disputes/${refunded}/refund`)).body).toMatchObject({
        status: 'resolved',
        escalatesAt: null,
        resolution: { type: 'refunded', at: instant },
        messages: [{}],
      })
      const sent = (await partner.call('GET', `/orders/${orderId}/keys`)).body.keys[2]
      expect(sent).toMatchObject({ line: 1, value: 'NEW', status: 'delivered' })
      const rejected = await shop.claim(orderId, sent.id)
      expect(
        (await service.dashboard('POST', `/disputes/${rejected}/reject`, { reason: 'Works.' }))
          .body,
      ).toMatchObject({
        status: 'resolved',
        resolution: { type: 'rejected' },
        messages: [{}, { author: 'support', body: 'Works.' }],
      })
      for (const id of [replaced, refunded, rejected]) {
        const before = await dispute(id)
        for (const [path, body] of [
          ['messages', { body: 'x' }],
          ['replace', { fromStock: true }],
          ['replace', { key: 'Z' }],
          ['refund', undefined],
        ] as const) {
          expect(refused(await seller.call('POST', `/disputes/${id}/${path}`, body)), path).toEqual(
            [409, 'DISPUTE_RESOLVED'],
          )
        }
        for (const path of ['escalate', 'reject'])
          expect(refused(await service.dashboard('POST', `/disputes/${id}/${path}`)), path).toEqual(
            [409, 'DISPUTE_RESOLVED'],
          )
        expect(refused(await say(id, 'customer'))).toEqual([409, 'DISPUTE_RESOLVED'])
        expect(await dispute(id)).toEqual(before)
      }
    }
  })

  it('is replaced by exactly one of key and fromStock: true', async () => {
    const { claim, seller } = await sold()
    const id = await claim()
    for (const body of [
      {},
      { key: 'A', fromStock: true },
      { fromStock: false },
      { fromStock: 'true' },
      { key: 7 },
      { key: null },
      undefined,
    ]) {
      expect(
        refused(await seller.call('POST', `/disputes/${id}/replace`, body)).slice(0, 2),
        JSON.stringify(body),
      ).toEqual([400, 'VALIDATION_ERROR'])
    }
    for (const key of ['', '  ', 'a\u0000b', 'x'.repeat(4097), 'data:image/png;base64,AAAA']) {
      const answer = await seller.call('POST', `/disputes/${id}/replace`, { key })
      expect(refused(answer)).toEqual([400, 'VALIDATION_ERROR', 'key'])
      if (key.trim() !== '') expect(answer.text).not.toContain(key)
    }
  })

  it("rejects an invalid key before it checks the dispute's status or the Idempotency-Key", async () => {
    const { claim, seller } = await sold()
    const id = await claim()
    await seller.call(
      'POST',
      `/disputes/${id}/replace`,
      { fromStock: true },
      { 'idempotency-key': 'replace-01' },
    )
    expect(refused(await seller.call('POST', `/disputes/${id}/replace`, { key: ' ' }))).toEqual([
      400,
      'VALIDATION_ERROR',
      'key',
    ])
    expect(
      refused(
        await seller.call(
          'POST',
          `/disputes/${id}/replace`,
          { key: ' ' },
          { 'idempotency-key': 'replace-01' },
        ),
      ),
    ).toEqual([400, 'VALIDATION_ERROR', 'key'])
  })

  it('uses the oldest unit in stock, or is INSUFFICIENT_STOCK; a used key is DUPLICATE_KEY', async () => {
    const { claim, seller, partner, orderId, offerId, productId } = await sold(2)
    const [first, second] = [await claim(0), await claim(1)]
    for (const key of ['K-1', ' K-3 '])
      expect(refused(await seller.call('POST', `/disputes/${first}/replace`, { key }))).toEqual([
        409,
        'DUPLICATE_KEY',
      ])
    expect(
      (await seller.call('POST', `/disputes/${first}/replace`, { fromStock: true })).status,
    ).toBe(200)
    expect((await partner.call('GET', `/orders/${orderId}/keys`)).body.keys[2].value).toBe('K-3')
    expect((await seller.call('GET', `/offers/${offerId}`)).body).toMatchObject({
      stock: 0,
      sold: 2,
    })
    expect((await partner.call('GET', `/products/${productId}`)).body).toMatchObject({
      inStock: false,
      qty: 0,
    })
    expect(
      refused(await seller.call('POST', `/disputes/${second}/replace`, { fromStock: true })),
    ).toEqual([409, 'INSUFFICIENT_STOCK'])
    expect((await seller.call('GET', `/disputes/${second}`)).body.status).toBe('open')
  })

  it("when refunded credits the unit's price and cancels the sale; the order’s totals don't change", async () => {
    const seller = await shop.seller()
    const productId = await shop.product()
    await shop.offer(seller, productId, 10, ['F-1'])
    const partner = await shop.partner({ priceFactor: 1.5 })
    const { id: orderId, keys } = await shop.buy(partner, productId)
    const id = await shop.claim(orderId, keys[0]?.id)
    expect((await seller.call('POST', `/disputes/${id}/refund`)).status).toBe(200)
    expect((await partner.call('GET', '/balance')).body.balance).toBe(10_000)
    expect((await partner.call('GET', `/orders/${orderId}`)).body).toMatchObject({
      total: 16.5,
      refunded: 0,
      status: 'completed',
    })
    expect((await seller.call('GET', '/sales')).body.results).toMatchObject([
      { status: 'cancelled', releasedAt: null, price: 10 },
    ])
    expect((await seller.call('GET', '/balance')).body).toEqual({
      currency: 'EUR',
      pending: 0,
      available: 0,
      upcomingReleases: [],
    })
    const [entry] = (await service.dashboard('GET', `/partners/${partner.id}/ledger?mode=live`))
      .body.results
    expect(entry).toMatchObject({
      type: 'claim_credit',
      amount: 16.5,
      balanceAfter: 10_000,
      orderId,
    })
    await shop.advance(10 * DAY)
    expect((await seller.call('GET', '/balance')).body).toMatchObject({ pending: 0, available: 0 })
    expect((await service.dashboard('GET', '/ledger/verify')).body).toMatchObject({
      ok: true,
      sums: { live: 0, test: 0 },
    })
  })

  it('of another seller is NOT_FOUND for every call', async () => {
    const { claim, dispute } = await sold()
    const other = await shop.seller()
    const id = await claim()
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['POST', '/messages', { body: 'x' }],
      ['POST', '/replace', { key: 'X' }],
      ['POST', '/replace', { fromStock: true }],
      ['POST', '/refund', undefined],
    ] as const)
      expect(refused(await other.call(method, `/disputes/${id}${path}`, body)), path).toEqual([
        404,
        'NOT_FOUND',
      ])
    expect((await other.call('GET', '/disputes')).body.total).toBe(0)
    expect((await dispute(id)).status).toBe('open')
  })
})
