import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { errorBody } from '../../api/encode.ts'
import { ApiError } from '../../api/errors.ts'
import { cents } from '../../api/money.ts'
import {
  createTestClock,
  createTestService,
  partnerCaller,
  sellerCaller,
  type TestService,
} from '../testing/fixture.ts'
import { createShop, openShop, type TestShop } from '../testing/shop.ts'

let test: TestService, shop: TestShop, partner: string, seller: string, product: string
beforeEach(async () => void ({ test, shop, partner, seller, product } = await openShop()))
afterEach(() => test.close())

const refusalOf = async (attempt: Promise<unknown>): Promise<ApiError> => {
  const error: unknown = await attempt.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ApiError)) throw new Error('it was not refused')
  return error
}

describe('the same Idempotency-Key', () => {
  it('returns the first response byte for byte for the same body, and charges once', async () => {
    await shop.offer(seller, product, 1000, 5)
    const body = shop.request(product)
    const place = (key: string, wait?: number) =>
      test.run(
        'createOrder',
        partnerCaller(partner),
        { body, query: wait === undefined ? {} : { wait } },
        { key },
      )
    const first = await place('order-key-1')
    await test.settled()
    expect((await place('order-key-1', 5)).json).toBe(first.json)
    expect(await shop.balance(partner)).toBe(1_000_000 - 1100)
    await expect(place('order-key-2')).rejects.toMatchObject({ code: 'DUPLICATE_EXTERNAL_ID' })
  })

  it('replays the response given after a wait', async () => {
    await shop.offer(seller, product, 1000, 5)
    const body = shop.request(product)
    const place = () =>
      test.run(
        'createOrder',
        partnerCaller(partner),
        { body, query: { wait: 5 } },
        { key: 'waiting-key' },
      )
    const running = place()
    await expect(place()).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_PROGRESS' })
    const first = await running
    expect(first.body.status).toBe('completed')
    expect((await place()).json).toBe(first.json)
  })

  it('conflicts with another body, and is scoped to one account, mode and path', async () => {
    await shop.offer(seller, product, 1000, 9)
    const key = 'shared-key'
    const place = (caller: ReturnType<typeof partnerCaller>) =>
      test.run('createOrder', caller, { body: shop.request(product), query: {} }, { key })
    await place(partnerCaller(partner))
    await expect(place(partnerCaller(partner))).rejects.toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
    })
    expect((await place(partnerCaller(partner, 'test'))).status).toBe(201)
    expect((await place(partnerCaller(await shop.partner()))).status).toBe(201)
  })

  it('replays error responses of an order with their first request id', async () => {
    await shop.offer(seller, product, 1000, 5)
    const body = shop.request(product, 1, cents(1))
    const place = (requestId: string) =>
      test.run(
        'createOrder',
        partnerCaller(partner),
        { body, query: {} },
        { key: 'refused-key', requestId },
      )
    const first = await refusalOf(place('req_a'))
    await test.run('saveOffer', sellerCaller(seller), {
      body: { productId: product, price: cents(1) },
    })
    const second = await refusalOf(place('req_b'))
    expect(JSON.stringify(errorBody(second, 'req_b'))).toBe(
      JSON.stringify(errorBody(first, 'req_a')),
    )
    expect(second.requestId).toBe('req_a')
  })

  it('expires after 24 hours', async () => {
    await shop.offer(seller, product, 1000, 5)
    const place = () =>
      test.run(
        'createOrder',
        partnerCaller(partner),
        { body: shop.request(product), query: {} },
        { key: 'old-key-1' },
      )
    await place()
    test.clock.move(86_400_000 - 1)
    await expect(place()).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
    test.clock.move(1)
    expect((await place()).status).toBe(201)
  })

  it('returns the current order after a kill', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keydesk-'))
    const clock = createTestClock()
    try {
      const before = createTestService({ folder, clock, started: false })
      const first = createShop(before)
      const buyer = await first.partner()
      const item = await first.product()
      await first.offer(await first.seller(), item, 1000, 5)
      const input = { body: first.request(item), query: { wait: 25 } }
      // The wait never ends, so nothing is delivered before the kill.
      void before
        .run('createOrder', partnerCaller(buyer), input, { key: 'killed-key' })
        .catch(() => {})
      while (before.store.orders.count({ partnerId: buyer, mode: 'live' }) === 0)
        await new Promise((resolve) => setImmediate(resolve))
      before.store.close()

      const after = createTestService({ folder, clock })
      await after.settled()
      const replay = await after.run('createOrder', partnerCaller(buyer), input, {
        key: 'killed-key',
      })
      expect(replay.body.status).toBe('completed')
      expect(after.store.orders.count({ partnerId: buyer, mode: 'live' })).toBe(1)
      await after.close()
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('stock', () => {
  it('is uploaded once, and a lost withdrawal response loses no key', async () => {
    const offer = await shop.offer(seller, product, 1000)
    const caller = sellerCaller(seller)
    const upload = () =>
      test.run(
        'uploadKeys',
        caller,
        { params: { id: offer.id }, body: { keys: ['A', 'B', 'C'] } },
        { key: 'upload-1' },
      )
    const first = await upload()
    expect(first.body).toEqual({ added: 3, duplicates: 0, stock: 3 })
    expect((await upload()).json).toBe(first.json)

    const withdraw = (key: string, count: number) =>
      test.run('withdrawKeys', caller, { params: { id: offer.id }, body: { count } }, { key })
    const taken = await withdraw('withdraw-1', 2)
    expect(taken.body).toEqual({ count: 2, keys: ['A', 'B'], stock: 1 })
    expect((await withdraw('withdraw-1', 2)).json).toBe(taken.json)
    await expect(withdraw('withdraw-2', 2)).rejects.toMatchObject({ code: 'INSUFFICIENT_STOCK' })
    await shop.upload(seller, offer.id, ['D'])
    await expect(withdraw('withdraw-2', 2)).rejects.toMatchObject({ code: 'INSUFFICIENT_STOCK' })
  })

  it('in a stored response is deleted when the response expires', async () => {
    const offer = await shop.offer(seller, product, 1000)
    await shop.upload(seller, offer.id, ['SECRET-ONE'])
    const scope = `${seller} POST /withdrawKeys`
    await test.run(
      'withdrawKeys',
      sellerCaller(seller),
      { params: { id: offer.id }, body: {} },
      { key: 'withdraw-9' },
    )
    expect(test.store.idempotency.find(scope, 'withdraw-9')).toMatchObject({ holdsKeys: true })
    await test.run('advanceClock', { kind: 'dashboard' }, { body: { ms: 86_400_000 + 60_000 } })
    expect(test.store.idempotency.find(scope, 'withdraw-9')).toBeUndefined()
  })

  it('checks keys before the Idempotency-Key', async () => {
    const offer = await shop.offer(seller, product, 1000)
    const upload = (keys: string[]) =>
      test.run(
        'uploadKeys',
        sellerCaller(seller),
        { params: { id: offer.id }, body: { keys } },
        { key: 'upload-2' },
      )
    await upload(['GOOD'])
    await expect(upload(['BAD\u0000'])).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    await expect(upload(['OTHER'])).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
  })
})
