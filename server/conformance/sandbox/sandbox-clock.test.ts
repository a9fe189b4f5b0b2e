import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { type RawService, rawShop, refused, startRaw } from '../testing/raw-service.ts'
import { DAY_MS } from '../../api/time.ts'

const service = await startRaw()
const shop = rawShop(service)
afterAll(() => service.stop())

const ask: RawService['dashboard'] = (...given) => service.dashboard(...given)
const clock = async () => (await ask('GET', '/clock')).body
const later = (text: string, ms: number): string => new Date(Date.parse(text) + ms).toISOString()

describe('the clock', () => {
  it('is the computer’s time plus offsetMs', async () => {
    const before = Date.now()
    const { now, offsetMs, ...rest } = await clock()
    expect(rest).toEqual({})
    expect(Date.parse(now) - offsetMs).toBeGreaterThanOrEqual(before)
    expect(Date.parse(now) - offsetMs).toBeLessThanOrEqual(Date.now())
  })

  it('advances by ms or to a date-time with any offset, and returns the new time', async () => {
    const before = await clock()
    const moved = await ask('POST', '/clock/advance', { ms: 1 })
    expect(moved.status).toBe(200)
    expect(moved.body.offsetMs).toBe(before.offsetMs + 1)
    const goal = later(moved.body.now, 90 * 60_000)
    const started = Date.now()
    const there = await ask('POST', '/clock/advance', {
      to: later(goal, 2 * 3_600_000).replace('Z', '+02:00'),
    })
    expect(Date.parse(there.body.now)).toBeGreaterThanOrEqual(Date.parse(goal))
    expect(Date.parse(there.body.now) - Date.parse(goal)).toBeLessThanOrEqual(Date.now() - started)
  })

  it('never goes back: VALIDATION_ERROR unless there is either ms above 0 or a later time in to', async () => {
    const before = await clock()
    for (const [body, field] of [
      [{ to: before.now }, 'to'],
      [{ to: '2020-01-01T00:00:00Z' }, 'to'],
      [{ to: 'tomorrow' }, 'to'],
      [{ to: null }, 'to'],
      [{ ms: 0 }, 'ms'],
      [{ ms: -1 }, 'ms'],
      [{ ms: 1.5 }, 'ms'],
      [{ ms: '5' }, 'ms'],
      [{ ms: 1e300 }, 'ms'],
      [{}, 'body'],
      [undefined, 'body'],
      [{ ms: 1, to: '2999-01-01T00:00:00Z' }, 'body'],
    ] as const)
      expect(refused(await ask('POST', '/clock/advance', body)), JSON.stringify(body)).toEqual([
        400,
        'VALIDATION_ERROR',
        field,
      ])
    expect((await clock()).offsetMs).toBe(before.offsetMs)
  })

  it('executes deliveries, webhook attempts, escalations and releases at their due times, in order', async () => {
    const received: { event: string; signedAt: number }[] = []
    const receiver = createServer((request, response) => {
      const signedAt = Number(/t=(\d+)/.exec(String(request.headers['x-svc-signature']))?.[1])
      received.push({ event: String(request.headers['x-svc-event']), signedAt })
      response.writeHead(received.length < 4 ? 500 : 200).end()
    }).listen(0, '127.0.0.1')
    const [seller, partner] = [await shop.seller(), await shop.partner()]
    const [productId, soon] = [
      await shop.product(),
      await shop.product({ releaseDate: later((await clock()).now, 5 * DAY_MS).slice(0, 10) }),
    ]
    for (const id of [productId, soon]) await shop.offer(seller, id, 1, ['a', 'b'])
    const { id: orderId, keys } = await shop.buy(partner, productId, 2)
    const dispute = await shop.claim(orderId, keys[1]?.id)
    const waiting = (
      await partner.call('POST', '/orders', {
        externalId: `w-${soon}`,
        items: [{ productId: soon, qty: 1, maxUnitPrice: 9 }],
      })
    ).body
    await ask('PUT', `/partners/${partner.id}/webhook`, {
      url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    })

    await shop.advance(30 * DAY_MS)
    const done = (await partner.call('GET', `/orders/${waiting.id}`)).body
    expect(done).toMatchObject({
      status: 'completed',
      completedAt: `${later((await clock()).now, -25 * DAY_MS).slice(0, 10)}T00:00:00.000Z`,
    })
    const escalated = (await seller.call('GET', `/disputes/${dispute}`)).body
    expect(escalated).toMatchObject({
      status: 'escalated',
      updatedAt: later(escalated.openedAt, 3 * DAY_MS),
    })
    const sales = (await seller.call('GET', '/sales')).body.results
    const releasedAt = (keyId: string | undefined) =>
      sales.find((sale: { keyId: string }) => sale.keyId === keyId)
    expect(releasedAt(keys[0]?.id)).toMatchObject({
      status: 'released',
      releasedAt: later(
        keys[0] === undefined
          ? ''
          : (await partner.call('GET', `/orders/${orderId}/keys`)).body.keys[0].deliveredAt,
        7 * DAY_MS,
      ),
    })
    expect(releasedAt(keys[1]?.id)).toMatchObject({ status: 'pending', releasedAt: null })
    expect(sales.find((sale: { orderId: string }) => sale.orderId === waiting.id)).toMatchObject({
      status: 'released',
      releasedAt: later(done.completedAt, 7 * DAY_MS),
    })
    const attempts = (await ask('GET', `/partners/${partner.id}/webhook/deliveries`)).body
      .results[0].attempts
    expect(attempts.map(({ at }: { at: string }) => at)).toEqual(
      [0, 10, 40, 100].map((seconds) => later(done.completedAt, seconds * 1000)),
    )
    expect(received).toEqual(
      attempts.map(() => ({ event: 'order.completed', signedAt: expect.any(Number) })),
    )
    // Receivers compare the signature's time with their own clock.
    for (const { signedAt } of received)
      expect(Math.abs(signedAt * 1000 - Date.now())).toBeLessThan(60_000)
    expect((await ask('GET', '/ledger/verify')).body.ok).toBe(true)
    receiver.close()
  })

  it('handles simultaneous advances one after the other', async () => {
    const before = (await clock()).offsetMs
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => ask('POST', '/clock/advance', { ms: 3_600_000 })),
    )
    expect(answers.map(({ body }) => body.offsetMs - before).toSorted((a, b) => a - b)).toEqual(
      [1, 2, 3, 4, 5].map((hours) => hours * 3_600_000),
    )
  })

  it('delivers an order during an advance, even while a webhook receiver hangs', async () => {
    const partner = await shop.partner()
    const productId = await shop.product()
    await shop.offer(await shop.seller(), productId, 1, ['k'])
    const attempts: ServerResponse[] = []
    const hangs = createServer((_request, response) => void attempts.push(response)).listen(
      0,
      '127.0.0.1',
    )
    await once(hangs, 'listening')
    const listener = await shop.partner()
    await ask('PUT', `/partners/${listener.id}/webhook`, {
      url: `http://127.0.0.1:${(hangs.address() as AddressInfo).port}/`,
    })
    await ask('POST', `/partners/${listener.id}/webhook/test`, { mode: 'live' })
    await expect.poll(() => attempts.length, { timeout: 15_000 }).toBe(1)
    let through = false
    const advance = shop.advance(5000).finally(() => (through = true))
    expect((await shop.buy(partner, productId)).order.status).toBe('completed')
    // The order wasn't delivered because the attempt ended: that attempt is still hanging.
    expect([through, attempts.length, attempts[0]?.destroyed]).toEqual([false, 1, false])
    attempts[0]?.end()
    expect((await advance).status).toBe(200)
    hangs.close()
  })

  it("doesn't affect waiting orders: advancing past the wait ends none, the delivery does", async () => {
    const partner = await shop.partner()
    const productId = await shop.product({
      releaseDate: later((await clock()).now, 2 * DAY_MS).slice(0, 10),
    })
    await shop.offer(await shop.seller(), productId, 1, ['k'])
    let answered = false
    const order = partner
      .call('POST', '/orders?wait=25', {
        externalId: `real-${productId}`,
        items: [{ productId, qty: 1, maxUnitPrice: 9 }],
      })
      .finally(() => (answered = true))
    await expect
      .poll(async () => (await partner.call('GET', '/orders')).body.total, { timeout: 15_000 })
      .toBe(1)
    await shop.advance(60_000)
    expect(answered).toBe(false)
    await shop.advance(3 * DAY_MS)
    expect((await order).body).toMatchObject({ status: 'completed' })
  })

  it('is used by the spend limit of 24 hours and by the claim window', async () => {
    const partner = await shop.partner({ dailyLimit: 5 })
    const productId = await shop.product()
    await shop.offer(await shop.seller(), productId, 2, ['x', 'y', 'z'])
    const { id, keys } = await shop.buy(partner, productId, 2)
    const body = { externalId: 'again', items: [{ productId, qty: 1, maxUnitPrice: 9 }] }
    expect(refused(await partner.call('POST', '/orders', body))).toEqual([
      422,
      'DAILY_LIMIT_EXCEEDED',
    ])
    await shop.advance(DAY_MS)
    expect((await partner.call('POST', '/orders', body)).status).toBe(201)
    await shop.advance(6 * DAY_MS)
    expect(
      refused(await ask('POST', '/claims', { orderId: id, keyId: keys[0]?.id, message: 'Late.' })),
    ).toEqual([422, 'CLAIM_WINDOW_CLOSED'])
  })
})
