import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { balanceEvent, orderEvent, testEvent } from '../../api/schemas/webhook-event.ts'
import type { SendWebhook, WebhookRequest } from '../ports/ordering/webhooks.ts'
import {
  createTestClock,
  createTestService,
  dashboard,
  partnerCaller,
  type TestService,
} from '../testing/fixture.ts'
import { createShop } from '../testing/shop.ts'
import { IN_FLIGHT_PER_ENDPOINT } from './endpoint-queues.ts'

type Answer = Awaited<ReturnType<SendWebhook>>
const ok: Answer = { status: 204, error: null, durationMs: 3 }
const refused: Answer = { status: 500, error: null, durationMs: 3 }

let sent: (WebhookRequest & { at: number })[]
let answer: (request: WebhookRequest, signal: AbortSignal) => Answer | Promise<Answer>
let clock: ReturnType<typeof createTestClock>
let test: TestService
let shop: ReturnType<typeof createShop>
let partner: string

const send: SendWebhook = async (request, signal) => {
  sent.push({ ...request, at: test.service.clock.now() })
  return answer(request, signal)
}

beforeEach(async () => {
  sent = []
  answer = () => ok
  clock = createTestClock()
  test = createTestService({ clock, send })
  shop = createShop(test)
  partner = await shop.partner()
})
afterEach(() => test.close())

const params = () => ({ id: partner })
const register = async (url = 'https://shop.example/hooks') =>
  (await test.run('putWebhook', dashboard, { params: params(), body: { url } })).body
const fire = async () =>
  (await test.run('testPartnerWebhook', dashboard, { params: params(), body: { mode: 'live' } }))
    .body
const deliveries = async () =>
  (await test.run('listDeliveries', dashboard, { params: params() })).body.results
const advance = (ms: number) => test.run('advanceClock', dashboard, { body: { ms } })
const turns = async (count = 20) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
const envelope = ({ body }: { body: string }) => JSON.parse(body)

/** Verifies a signature by the documented scheme, independently of the service's code. */
function verified({ headers, body }: WebhookRequest, secret: string): boolean {
  const [, t = '', v1 = ''] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers['X-SVC-Signature'] ?? '') ?? []
  return (
    createHmac('sha256', Buffer.from(secret, 'utf8'))
      .update(`${t}.${body}`, 'utf8')
      .digest('hex') === v1
  )
}

describe('an endpoint', () => {
  it('has a new secret each time, shown once', async () => {
    const first = await register()
    expect(first).toEqual({
      url: 'https://shop.example/hooks',
      secret: expect.stringMatching(/^whsec_[\w-]{43}$/),
    })
    expect((await register()).secret).not.toBe(first.secret)
    expect((await test.run('getWebhook', dashboard, { params: params() })).json).not.toContain(
      'whsec_',
    )
  })

  it('is rejected in a private network, and NOT_FOUND when there is none', async () => {
    await expect(register('https://192.168.0.1/')).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'url' }],
    })
    await expect(test.run('getWebhook', dashboard, { params: params() })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await expect(test.run('deleteWebhook', dashboard, { params: params() })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('receives nothing more after its removal; pending deliveries have failed', async () => {
    answer = () => refused
    await register()
    await fire()
    await turns()
    expect(await deliveries()).toMatchObject([{ status: 'pending' }])
    expect((await test.run('deleteWebhook', dashboard, { params: params() })).status).toBe(204)
    await advance(100_000_000)
    expect(await deliveries()).toMatchObject([
      { status: 'failed', nextAttemptAt: null, attempts: [{ status: 500 }] },
    ])
    expect(sent).toHaveLength(1)
  })
})

describe('events', () => {
  it('carry orders as GET returns them, in each final state and both modes', async () => {
    await register()
    const product = await shop.product()
    await shop.offer(await shop.seller(), product, 1000, 5)
    const states = [
      ['completed', 0],
      ['partially_completed', 1],
      ['failed', 2],
    ] as const
    for (const mode of ['live', 'test'] as const) {
      for (const [status, failUnits] of states) {
        await test.run('putFaults', dashboard, {
          body: failUnits === 0 ? [] : [{ deliver: { failUnits } }],
        })
        const { id } = await shop.order(partner, shop.request(product, 2), mode)
        await test.settled()
        await turns()
        const event = envelope(sent.at(-1) ?? { body: '' })
        expect(orderEvent.strict.safeParse(event).error).toBeUndefined()
        expect(event).toMatchObject({
          event: `order.${status}`,
          mode,
          id: expect.stringMatching(/^evt_/),
        })
        const { json } = await test.run('getOrder', partnerCaller(partner, mode), {
          params: { id },
        })
        expect(JSON.stringify(event.data)).toBe(json)
        expect(sent.at(-1)?.headers['X-SVC-Event']).toBe(`order.${status}`)
      }
    }
    expect(sent).toHaveLength(6)
  })

  it('carry top-ups with the ledger entry that posted them', async () => {
    await register()
    const { reference, id } = await shop.topUp(partner, 'live', 12_345)
    await turns()
    const event = envelope(sent[0] ?? { body: '' })
    expect(balanceEvent.strict.safeParse(event).error).toBeUndefined()
    expect(event).toMatchObject({
      event: 'balance.credited',
      mode: 'live',
      data: { amount: 123.45, balance: 10_123.45, currency: 'EUR', reference, ledgerId: id },
    })
  })

  it('can be tested by partner and dashboard alike, and are rejected without an endpoint', async () => {
    await expect(fire()).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    await expect(test.run('testWebhook', partnerCaller(partner))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    })
    const { secret } = await register()
    const { body } = await test.run('testWebhook', partnerCaller(partner, 'test'))
    expect(body).toEqual({
      queued: true,
      eventId: expect.stringMatching(/^evt_/),
      deliveryId: expect.stringMatching(/^dlv_/),
    })
    await turns()
    const [request] = sent
    if (!request) throw new Error('nothing was sent')
    expect(testEvent.strict.safeParse(envelope(request)).error).toBeUndefined()
    expect(envelope(request)).toMatchObject({ id: body.eventId, mode: 'test' })
    expect(request.headers).toMatchObject({
      'X-SVC-Event': 'webhook.test',
      'X-SVC-Delivery': body.deliveryId,
    })
    expect(verified(request, secret)).toBe(true)
    expect(verified(request, 'whsec_other')).toBe(false)
    expect(verified({ ...request, body: `${request.body} ` }, secret)).toBe(false)
  })

  it('are written in the transaction that causes them', async () => {
    await register()
    const before = (await deliveries()).length
    expect(() =>
      test.store.transaction(() => {
        void test.service.handlers.createTopUp?.(
          undefined as never,
          { params: params(), query: {}, body: { mode: 'live', amount: 100 } } as never,
        )
        throw new Error('rolled back')
      }),
    ).toThrow('rolled back')
    await turns()
    expect(await deliveries()).toHaveLength(before)
    expect(sent).toEqual([])
  })
})

describe('attempts', () => {
  it('run at exactly the documented seconds when each fails immediately, then stop', async () => {
    answer = () => refused
    const { secret } = await register()
    await fire()
    await turns()
    const start = sent[0]?.at ?? 0
    await advance(200_000_000)
    expect(sent.map(({ at }) => (at - start) / 1000)).toEqual([
      0, 10, 40, 100, 400, 1300, 3100, 6700, 13_900, 28_300, 49_900, 93_100,
    ])
    for (const request of sent) {
      expect(verified(request, secret)).toBe(true)
      expect(request.headers['X-SVC-Signature']).toContain(`t=${Math.floor(start / 1000)},`)
    }
    expect(new Set(sent.map(({ headers }) => headers['X-SVC-Delivery']))).toHaveProperty('size', 1)
    expect(new Set(sent.map(({ body }) => body))).toHaveProperty('size', 1)
    const [delivery] = await deliveries()
    expect(delivery).toMatchObject({ status: 'failed', nextAttemptAt: null })
    expect(delivery?.attempts.map(({ at }) => Date.parse(at))).toEqual(sent.map(({ at }) => at))
  })

  it('are delayed by slow failures: an attempt that takes 8 s moves the next one by 8 s', async () => {
    answer = () => ({ status: null, error: 'no response within 8 s', durationMs: 8000 })
    await register()
    await fire()
    await turns()
    await advance(60_000)
    expect(sent.map(({ at }) => at - (sent[0]?.at ?? 0))).toEqual([0, 18_000, 56_000])
  })

  it('end with the first 2xx response', async () => {
    const answers = [
      refused,
      { status: 302, error: "redirects aren't followed", durationMs: 1 },
      ok,
    ]
    answer = () => answers[sent.length - 1] ?? refused
    await register()
    await fire()
    await turns()
    await advance(1_000_000)
    expect(await deliveries()).toMatchObject([
      {
        status: 'delivered',
        attempts: [
          { status: 500 },
          { status: 302, error: "redirects aren't followed" },
          { status: 204, error: null },
        ],
      },
    ])
  })

  it('can be resent manually, under the same id', async () => {
    await register()
    const first = await fire()
    await turns()
    const { body } = await test.run('resendDelivery', dashboard, {
      params: { id: partner, deliveryId: first.deliveryId },
    })
    expect(body).toEqual({ deliveryId: first.deliveryId, eventId: first.eventId })
    await turns()
    expect(sent.map(({ headers }) => headers['X-SVC-Delivery'])).toEqual([
      first.deliveryId,
      first.deliveryId,
    ])
    expect(sent[1]?.body).toBe(sent[0]?.body)
    await expect(
      test.run('resendDelivery', dashboard, {
        params: { id: await shop.partner(), deliveryId: first.deliveryId },
      }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it.each([
    ['succeeds', ok, 0],
    ['succeeds later', ok, 5],
    ['fails', refused, 5],
  ])(
    'resent during an attempt that %s are sent again, with all attempts ahead',
    async (_attempt, outcome, later) => {
      const open: ((outcome: Answer) => void)[] = []
      answer = () => new Promise((resolve) => open.push(resolve))
      await register()
      const { deliveryId } = await fire()
      await turns()
      open.shift()?.(refused)
      await turns()
      const advanced = advance(10_000)
      await turns()
      clock.move(later)
      await test.run('resendDelivery', dashboard, { params: { id: partner, deliveryId } })
      answer = () => refused
      open.shift()?.(outcome)
      await advanced
      await turns()
      expect(sent).toHaveLength(3)
      await advance(93_100_000)
      expect(sent).toHaveLength(2 + 12)
      expect(await deliveries()).toMatchObject([{ id: deliveryId, status: 'failed' }])
    },
  )

  it('to a receiver that hangs delay neither orders nor other receivers, and are limited in number', async () => {
    const free: (() => void)[] = []
    answer = ({ url }) =>
      url.includes('dead') ? new Promise((resolve) => free.push(() => resolve(ok))) : ok
    await register('https://dead.example/')
    for (let event = 0; event < IN_FLIGHT_PER_ENDPOINT + 3; event += 1) await fire()
    await turns()
    expect(sent).toHaveLength(IN_FLIGHT_PER_ENDPOINT)

    const dead = partner
    partner = await shop.partner()
    await register('https://quick.example/')
    const product = await shop.product()
    await shop.offer(await shop.seller(), product, 1000, 1)
    const { id } = await shop.order(partner, shop.request(product))
    await test.settled()
    await turns()
    expect((await shop.getOrder(partner, id)).status).toBe('completed')
    expect(await deliveries()).toMatchObject([{ event: 'order.completed', status: 'delivered' }])

    while (free.length > 0) {
      free.shift()?.()
      await turns()
    }
    partner = dead
    expect(await deliveries()).toHaveLength(IN_FLIGHT_PER_ENDPOINT + 3)
    for (const { status } of await deliveries()) expect(status).toBe('delivered')
  })

  it('interrupted by a stop run again after the restart, under the same delivery id', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keydesk-'))
    const fresh = test
    test = createTestService({ folder, clock, send })
    shop = createShop(test)
    partner = await shop.partner()
    answer = (_request, signal) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new Error('stopped'))),
      )
    await register()
    const { deliveryId } = await fire()
    await turns()
    await test.close()

    answer = () => ok
    test = createTestService({ folder, clock, send })
    await turns()
    expect(await deliveries()).toMatchObject([
      { id: deliveryId, status: 'delivered', attempts: [{ status: 204 }] },
    ])
    expect(sent.map(({ headers }) => headers['X-SVC-Delivery'])).toEqual([deliveryId, deliveryId])
    await test.close()
    rmSync(folder, { recursive: true })
    test = fresh
  })

  it('run by the clock in time order with orders and other accounts', async () => {
    answer = () => refused
    await register('https://one.example/')
    await fire()
    await turns()
    clock.move(4000)
    partner = await shop.partner()
    await register('https://two.example/')
    await fire()
    await turns()
    await advance(50_000)
    expect(sent.map(({ url }) => new URL(url).hostname.split('.')[0])).toEqual([
      'one',
      'two',
      'one',
      'two',
      'one',
      'two',
    ])
    expect(sent.map(({ at }) => at)).toEqual(sent.map(({ at }) => at).toSorted((a, b) => a - b))
  })
})
