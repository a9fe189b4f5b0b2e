import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY } from '../context.ts'
import { dashboard, partnerCaller, sellerCaller, type TestService } from '../testing/fixture.ts'
import { openShop, type TestShop } from '../testing/shop.ts'

const HOUR = 3_600_000
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])

let test: TestService, shop: TestShop, partner: string, seller: string, product: string
let offer: string
let orderId: string
let keyIds: string[]

/**
 * An order of two units at 11.00, of which the seller gets 10.00 each. One more unit is in stock.
 */
beforeEach(async () => {
  ;({ test, shop, partner, seller, product } = await openShop())
  offer = (await shop.offer(seller, product, 1000)).id
  await shop.upload(seller, offer, ['FIRST', 'SECOND', 'THIRD'])
  orderId = (await shop.order(partner, shop.request(product, 2), 'live', 5)).id
  keyIds = (await shop.keysOf(partner, orderId)).map(({ id }) => id)
})
afterEach(() => test.close())

const advance = (ms: number) => test.run('advanceClock', dashboard, { body: { ms } })
const claim = async (
  keyId = keyIds[0] ?? '',
  more: { message?: string; screenshot?: string; orderId?: string } = {},
) =>
  (
    await test.run('createClaim', dashboard, {
      body: { orderId, keyId, message: 'It says used.', ...more },
    })
  ).body.disputeId
const read = async (id: string, of = seller) =>
  (await test.run('getDispute', sellerCaller(of), { params: { id } })).body
const answer = (id: string, body = 'Sorry!') =>
  test.run('answerDispute', sellerCaller(seller), { params: { id }, body: { body } })
const say = (id: string, author: 'customer' | 'support', body = 'Well?') =>
  test.run('addOutsideMessage', dashboard, { params: { id }, body: { author, body } })
const replace = (id: string, body: { key?: string; fromStock?: true }, key?: string) =>
  test.run(
    'replaceKey',
    sellerCaller(seller),
    { params: { id }, body },
    key === undefined ? {} : { key, path: `/replace/${id}` },
  )
const refund = (id: string, key?: string) =>
  test.run(
    'refundDispute',
    sellerCaller(seller),
    { params: { id } },
    key === undefined ? {} : { key, path: `/refund/${id}` },
  )
const reject = (id: string, reason?: string) =>
  test.run('rejectDispute', dashboard, {
    params: { id },
    body: reason === undefined ? {} : { reason },
  })
const escalate = (id: string, reason?: string) =>
  test.run('escalateDispute', dashboard, {
    params: { id },
    body: reason === undefined ? {} : { reason },
  })
const money = async () => (await test.run('getSellerBalance', sellerCaller(seller))).body
const sales = async () => (await test.run('listSales', sellerCaller(seller))).body.results

describe('a claim', () => {
  it('opens a dispute with complete unit and sale data, the first message and its screenshot', async () => {
    const id = await claim(undefined, { screenshot: png.toString('base64') })
    const sale = (await sales()).find(({ keyId }) => keyId === keyIds[0])
    expect(await read(id)).toEqual({
      id,
      saleId: sale?.id,
      offerId: offer,
      orderId,
      keyId: keyIds[0],
      productId: product,
      name: sale?.name,
      status: 'open',
      reason: 'It says used.',
      openedAt: '2026-03-01T12:00:00.000Z',
      updatedAt: '2026-03-01T12:00:00.000Z',
      escalatesAt: '2026-03-04T12:00:00.000Z',
      resolution: null,
      keySha256: createHash('sha256').update('FIRST').digest('hex'),
      messages: [
        {
          id: expect.stringMatching(/^msg_/),
          author: 'customer',
          body: 'It says used.',
          createdAt: '2026-03-01T12:00:00.000Z',
          attachments: [
            {
              contentType: 'image/png',
              value: png.toString('base64'),
            },
          ],
        },
      ],
    })
  })

  it.each([
    ['image/jpeg', [0xff, 0xd8, 0xff, 0xe0]],
    ['image/gif', [...Buffer.from('GIF89a')]],
    ['image/gif', [...Buffer.from('GIF87a!')]],
  ] as const)('accepts %s, recognized by its first bytes', async (contentType, bytes) => {
    const id = await claim(undefined, { screenshot: Buffer.from(bytes).toString('base64') })
    expect((await read(id)).messages[0]?.attachments).toMatchObject([{ contentType }])
  })

  it.each([
    ['text', Buffer.from('hello')],
    ['nothing', Buffer.from('')],
    ['a torn PNG', png.subarray(0, 7)],
  ])('answers VALIDATION_ERROR for %s as a screenshot', async (_what, bytes) => {
    await expect(claim(undefined, { screenshot: bytes.toString('base64') })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'screenshot' }],
    })
    expect((await test.run('listAllDisputes', dashboard)).body.total).toBe(0)
  })

  it('is accepted until 7 days after delivery, and rejected 1 ms later', async () => {
    await advance(7 * DAY)
    await claim()
    await advance(1)
    await expect(claim(keyIds[1])).rejects.toMatchObject({
      code: 'CLAIM_WINDOW_CLOSED',
      status: 422,
    })
  })

  it('is accepted once per key, settled or not', async () => {
    const id = await claim()
    await expect(claim()).rejects.toMatchObject({ code: 'CLAIM_EXISTS', status: 409 })
    await reject(id)
    await expect(claim()).rejects.toMatchObject({ code: 'CLAIM_EXISTS' })
  })

  it('answers VALIDATION_ERROR for a test order and NOT_FOUND for unknown orders and keys', async () => {
    const { id } = await shop.order(partner, shop.request(product), 'test', 5)
    const [unit] = await shop.keysOf(partner, id, 'test')
    await expect(claim(unit?.id, { orderId: id })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'orderId' }],
    })
    await expect(claim('key_none')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(claim(undefined, { orderId: 'ord_none' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})

describe('disputes', () => {
  it('lists the seller’s own disputes by status, newest first; the dashboard lists all', async () => {
    const first = await claim()
    await advance(HOUR)
    const second = await claim(keyIds[1])
    await reject(first)
    const list = async (query: { status?: 'open' | 'resolved'; limit?: number }, of = seller) =>
      (await test.run('listDisputes', sellerCaller(of), { query })).body
    expect((await list({})).results.map(({ id }) => id)).toEqual([second, first])
    expect(await list({ status: 'open' })).toMatchObject({ total: 1, results: [{ id: second }] })
    expect(await list({ limit: 1 })).toMatchObject({ total: 2, totalPages: 2, hasMore: true })
    const rival = await shop.seller()
    expect((await list({}, rival)).total).toBe(0)
    for (const call of [
      read(first, rival),
      test.run('refundDispute', sellerCaller(rival), { params: { id: second } }),
    ])
      await expect(call).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await test.run('listAllDisputes', dashboard)).body).toMatchObject({
      total: 2,
      results: [{ id: second }, { id: first }],
    })
  })

  it('escalate 72 hours after the last customer message that the seller left unanswered', async () => {
    const id = await claim()
    await advance(71 * HOUR)
    await say(id, 'customer')
    await say(id, 'support')
    await advance(72 * HOUR - 1)
    expect(await read(id)).toMatchObject({
      status: 'open',
      escalatesAt: '2026-03-07T11:00:00.000Z',
    })
    await advance(1)
    expect(await read(id)).toMatchObject({
      status: 'escalated',
      escalatesAt: null,
      updatedAt: '2026-03-07T11:00:00.000Z',
    })
  })

  it('do not escalate once answered, until the customer writes again', async () => {
    const id = await claim()
    expect(await answer(id)).toMatchObject({
      status: 201,
      body: { author: 'seller', body: 'Sorry!', attachments: [] },
    })
    await advance(30 * DAY)
    expect(await read(id)).toMatchObject({ status: 'open', escalatesAt: null })
    await say(id, 'customer')
    await advance(73 * HOUR)
    expect((await read(id)).status).toBe('escalated')
    expect((await read(id)).messages.map(({ author }) => author)).toEqual([
      'customer',
      'seller',
      'customer',
    ])
  })

  it('escalate on request, stay escalated, and can still be answered', async () => {
    const id = await claim()
    expect((await escalate(id, 'No answer.')).body).toMatchObject({
      status: 'escalated',
      messages: [{ author: 'customer' }, { author: 'support', body: 'No answer.' }],
    })
    await answer(id)
    await say(id, 'customer')
    const { updatedAt } = await read(id)
    await advance(HOUR)
    expect((await escalate(id)).body).toMatchObject({
      status: 'escalated',
      escalatesAt: null,
      updatedAt,
    })
  })

  it('reject every change once they are resolved', async () => {
    const id = await claim()
    expect((await reject(id, 'It works.')).body).toMatchObject({
      status: 'resolved',
      escalatesAt: null,
      resolution: { type: 'rejected', at: '2026-03-01T12:00:00.000Z' },
    })
    for (const call of [
      answer(id),
      say(id, 'customer'),
      escalate(id),
      reject(id),
      replace(id, { fromStock: true }),
      refund(id),
    ]) {
      await expect(call).rejects.toMatchObject({ code: 'DISPUTE_RESOLVED', status: 409 })
    }
    expect((await read(id)).messages).toHaveLength(2)
    await advance(10 * DAY)
    expect((await read(id)).status).toBe('resolved')
  })
})

describe('decisions by support', () => {
  it('are explained by their reason without surrounding spaces; an empty one adds no message', async () => {
    const id = await claim()
    await escalate(id, '  No answer. ')
    await advance(HOUR)
    expect((await escalate(id, '   ')).body).toMatchObject({
      status: 'escalated',
      updatedAt: '2026-03-01T13:00:00.000Z',
    })
    expect((await reject(id, ' It works. ')).body.messages.map(({ body }) => body)).toEqual([
      'It says used.',
      'No answer.',
      'It works.',
    ])
  })
})

describe('a replacement', () => {
  it('delivers the oldest unit in stock as one more key of the same line', async () => {
    const id = await claim()
    await advance(1000)
    expect((await replace(id, { fromStock: true })).body).toMatchObject({
      status: 'resolved',
      resolution: { type: 'replaced', at: '2026-03-01T12:00:01.000Z' },
    })
    expect(await shop.keysOf(partner, orderId)).toMatchObject([
      { line: 1, value: 'FIRST' },
      { line: 1, value: 'SECOND' },
      {
        line: 1,
        value: 'THIRD',
        status: 'delivered',
        productId: product,
        deliveredAt: '2026-03-01T12:00:01.000Z',
      },
    ])
    expect(
      (await test.run('getOffer', sellerCaller(seller), { params: { id: offer } })).body,
    ).toMatchObject({ stock: 0, sold: 2 })
    expect(await shop.getOrder(partner, orderId)).toMatchObject({
      status: 'completed',
      refunded: 0,
      items: [{ deliveredQty: 2 }],
    })
    expect(
      (await test.run('getProduct', partnerCaller(partner), { params: { id: product } })).body,
    ).toMatchObject({ qty: 0, inStock: false })
    await expect(replace(await claim(keyIds[1]), { fromStock: true })).rejects.toMatchObject({
      code: 'INSUFFICIENT_STOCK',
    })
  })

  it('requires a valid key that is new for the product and counts as seen afterwards', async () => {
    const id = await claim()
    for (const key of ['FIRST', ' THIRD '])
      await expect(replace(id, { key })).rejects.toMatchObject({
        code: 'DUPLICATE_KEY',
        status: 409,
      })
    await expect(replace(id, { key: '  ' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'key' }],
    })
    await replace(id, { key: ' FOURTH ' })
    expect((await shop.keysOf(partner, orderId)).map(({ value }) => value)).toEqual([
      'FIRST',
      'SECOND',
      'FOURTH',
    ])
    expect(await shop.upload(seller, offer, ['FOURTH'])).toMatchObject({
      added: 0,
      duplicates: 1,
      stock: 1,
    })
  })

  it('runs once per Idempotency-Key, and its errors are replayed', async () => {
    const [first, second] = [await claim(), await claim(keyIds[1])]
    const answers = [
      await replace(first, { fromStock: true }, 'key-00001'),
      await replace(first, { fromStock: true }, 'key-00001'),
    ]
    expect(answers[1]?.json).toBe(answers[0]?.json)
    expect(await shop.keysOf(partner, orderId)).toHaveLength(3)
    await expect(replace(first, { key: 'X' }, 'key-00001')).rejects.toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
    })
    await expect(replace(second, { fromStock: true }, 'key-00002')).rejects.toMatchObject({
      code: 'INSUFFICIENT_STOCK',
    })
    await shop.upload(seller, offer, ['FIFTH'])
    await expect(replace(second, { fromStock: true }, 'key-00002')).rejects.toMatchObject({
      code: 'INSUFFICIENT_STOCK',
    })
  })

  it('can be claimed itself within 7 days of its own delivery; a refund then cancels the original sale', async () => {
    await advance(6 * DAY)
    await replace(await claim(), { fromStock: true })
    await advance(6 * DAY)
    const sent = (await shop.keysOf(partner, orderId))[2]
    const again = await claim(sent?.id)
    const sale = (await sales()).find(({ keyId }) => keyId === keyIds[0])
    expect(await read(again)).toMatchObject({
      saleId: sale?.id,
      keyId: sent?.id,
      keySha256: createHash('sha256').update('THIRD').digest('hex'),
    })
    await refund(again)
    expect((await sales()).map(({ status }) => status).toSorted()).toEqual([
      'cancelled',
      'released',
    ])
    expect(await money()).toMatchObject({ pending: 0, available: 1000 })
  })
})

describe('a refund', () => {
  it('credits the partner the unit price and cancels the pending sale; the order’s figures stay', async () => {
    const id = await claim()
    expect((await refund(id)).body).toMatchObject({
      status: 'resolved',
      resolution: { type: 'refunded' },
    })
    expect(await shop.balance(partner)).toBe(1_000_000 - 1100)
    expect(await money()).toMatchObject({
      pending: 1000,
      available: 0,
      upcomingReleases: [{ amount: 1000, sales: 1 }],
    })
    expect((await sales()).find(({ keyId }) => keyId === keyIds[0])).toMatchObject({
      status: 'cancelled',
      releaseAt: null,
      releasedAt: null,
    })
    expect(await shop.getOrder(partner, orderId)).toMatchObject({
      total: 2200,
      refunded: 0,
      status: 'completed',
    })
    const entries = (
      await test.run('listPartnerLedger', dashboard, {
        params: { id: partner },
        query: { mode: 'live' },
      })
    ).body.results
    expect(entries[0]).toMatchObject({
      type: 'claim_credit',
      amount: 1100,
      balanceAfter: 1_000_000 - 1100,
      orderId,
    })
    expect(await shop.ledger()).toMatchObject({ ok: true, sums: { live: 0, test: 0 } })
  })

  it('takes the amount from the available balance after release', async () => {
    await advance(7 * DAY)
    expect(await money()).toMatchObject({ pending: 0, available: 2000 })
    await refund(await claim())
    expect(await money()).toMatchObject({ pending: 0, available: 1000 })
    expect((await sales()).find(({ keyId }) => keyId === keyIds[0])).toMatchObject({
      status: 'cancelled',
      releasedAt: '2026-03-08T12:00:00.000Z',
    })
    expect(await shop.ledger()).toMatchObject({ ok: true })
  })

  it('runs once per Idempotency-Key', async () => {
    const id = await claim()
    const first = await refund(id, 'key-00001')
    expect((await refund(id, 'key-00001')).json).toBe(first.json)
    expect(await shop.balance(partner)).toBe(1_000_000 - 1100)
  })
})

describe('the release of a sale in dispute', () => {
  it('waits for the resolution, and follows immediately when its date has passed', async () => {
    const id = await claim()
    expect(await money()).toMatchObject({
      pending: 2000,
      upcomingReleases: [{ amount: 1000, sales: 1 }],
    })
    await advance(8 * DAY)
    expect(await money()).toMatchObject({ pending: 1000, available: 1000, upcomingReleases: [] })
    expect((await sales()).find(({ keyId }) => keyId === keyIds[0])).toMatchObject({
      status: 'pending',
      releaseAt: null,
    })
    await reject(id)
    expect(await money()).toMatchObject({ pending: 0, available: 2000 })
    expect((await sales()).find(({ keyId }) => keyId === keyIds[0])).toMatchObject({
      status: 'released',
      releasedAt: '2026-03-09T12:00:00.000Z',
    })
  })

  it('keeps its date when the dispute ends earlier', async () => {
    await replace(await claim(), { fromStock: true })
    expect((await money()).upcomingReleases).toEqual([
      { date: '2026-03-08', amount: 2000, sales: 2 },
    ])
  })
})
