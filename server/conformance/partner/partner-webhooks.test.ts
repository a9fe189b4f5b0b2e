import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cents } from '../../api/money.ts'
import { type Partner, startHarness, type Harness } from '../testing/harness.ts'

interface Received {
  method: string
  headers: IncomingHttpHeaders
  body: string
  /** In the service's time. */
  at: number
}

let world: Harness
let partner: Partner
let receiver: Server
let url = ''
let secret = ''
let received: Received[] = []
let answers: number[] = []

beforeAll(async () => {
  world = await startHarness()
  receiver = createServer((request, response) => {
    text(request).then(
      (body) => {
        received.push({
          method: request.method ?? '',
          headers: request.headers,
          body,
          at: world.now(),
        })
        response.writeHead(answers.shift() ?? 204, { location: url, connection: 'close' }).end()
      },
      () => response.destroy(),
    )
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook?of=ours`
})
beforeEach(async () => {
  partner = await world.partner()
  secret = (await world.dashboard.putWebhook({ params: { id: partner.id }, body: { url } })).body
    .secret
  ;[received, answers] = [[], []]
})
afterEach(() => world.dashboard.clearFaults({}))
afterAll(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await world.close()
})

function first(): Received {
  const [one] = received
  if (one === undefined) throw new Error('nothing has arrived')
  return one
}

const parsed = ({ body }: Received): unknown => JSON.parse(body)
const arrived = (count: number) =>
  expect.poll(() => received.length, { timeout: 10_000 }).toBe(count)
const deliveries = async () =>
  (await world.dashboard.listDeliveries({ params: { id: partner.id } })).body.results
const noted = (attempts: number) =>
  expect
    .poll(async () => (await deliveries())[0]?.attempts.length, { timeout: 10_000 })
    .toBe(attempts)
const queue = () => world.as(partner.key, '/v1/webhooks/test', { method: 'POST' })

describe('POST /webhooks/test', () => {
  it('returns 202 with the queued event, which then arrives', async () => {
    const answer = await queue()
    expect(answer).toMatchObject({
      status: 202,
      json: {
        queued: true,
        eventId: expect.stringMatching(/^evt_/),
        deliveryId: expect.stringMatching(/^dlv_/),
      },
    })
    await arrived(1)
    const { method, headers, body } = first()
    const { eventId, deliveryId } = Object(answer.json)
    expect(method).toBe('POST')
    expect(headers).toMatchObject({
      'x-svc-event': 'webhook.test',
      'x-svc-delivery': deliveryId,
      'content-type': expect.stringMatching(/^application\/json/),
    })
    expect(JSON.parse(body)).toEqual({
      id: eventId,
      event: 'webhook.test',
      mode: 'live',
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      data: { message: expect.any(String) },
    })
  })

  it('without an endpoint is VALIDATION_ERROR', async () => {
    await world.dashboard.deleteWebhook({ params: { id: partner.id } })
    expect(await queue()).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
    expect(received).toEqual([])
  })
})

describe('an endpoint', () => {
  it('is one https address for both modes, with a secret that is shown once', async () => {
    expect(secret).toMatch(/^whsec_/)
    const { key } = await world.keyOf(partner.id, 'test')
    await queue()
    await world.as(key, '/v1/webhooks/test', { method: 'POST' })
    await arrived(2)
    expect(received.map((each) => Object(parsed(each)).mode).toSorted()).toEqual(['live', 'test'])
    expect(
      JSON.stringify((await world.dashboard.getWebhook({ params: { id: partner.id } })).body),
    ).not.toContain('whsec_')
    for (const other of [
      'http://shop.example/',
      'http://10.0.0.1/',
      'https://10.0.0.1/',
      'https://[fd00::1]/',
      'https://user:word@shop.example/',
    ]) {
      await expect(
        world.dashboard.putWebhook({ params: { id: partner.id }, body: { url: other } }),
        other,
      ).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    }
  })
})

describe('an attempt', () => {
  it('is signed with the complete secret over the time and the exact bytes of its body', async () => {
    const name = 'Ünïcode 💣'
    const id = await world.product({ name })
    await world.offer(await world.seller(), id, 1000, 1)
    await world.order(partner.key, world.request(id))
    await arrived(1)
    const { headers, body, at } = first()
    expect(body).toContain(name)
    const t = Math.floor(at / 1000)
    expect(headers['x-svc-signature']).toBe(
      `t=${t},v1=${createHmac('sha256', Buffer.from(secret, 'utf8')).update(`${t}.${body}`, 'utf8').digest('hex')}`,
    )
  })

  it('is retried at the documented times with the same delivery id, signed with the real time', async () => {
    answers = Array.from({ length: 12 }, (_, each) => [500, 302, 404, 300][each % 4] ?? 500)
    await queue()
    await noted(1)
    const start = received[0]?.at ?? 0
    await world.dashboard.advanceClock({ body: { ms: 200_000_000 } })
    expect(received.map(({ at }) => (at - start) / 1000)).toEqual([
      0, 10, 40, 100, 400, 1300, 3100, 6700, 13_900, 28_300, 49_900, 93_100,
    ])
    expect(
      new Set(received.map(({ headers }) => headers['x-svc-signature']?.toString().split(',')[0])),
    ).toEqual(new Set([`t=${Math.floor(world.clock.now() / 1000)}`]))
    expect(
      new Set(received.map(({ headers, body }) => `${String(headers['x-svc-delivery'])} ${body}`)),
    ).toHaveProperty('size', 1)
    expect((await deliveries())[0]).toMatchObject({ status: 'failed', nextAttemptAt: null })
  })

  it('is the last one if the response is 2xx', async () => {
    answers = [503, 299]
    await queue()
    await noted(1)
    await world.dashboard.advanceClock({ body: { ms: 200_000 } })
    expect(received).toHaveLength(2)
    expect((await deliveries())[0]).toMatchObject({
      status: 'delivered',
      attempts: [{ status: 503 }, { status: 299 }],
    })
  })

  it('sent again manually keeps its delivery id', async () => {
    await queue()
    await noted(1)
    const [first] = await deliveries()
    const { deliveryId, eventId } = (
      await world.dashboard.resendDelivery({
        params: { id: partner.id, deliveryId: first?.id ?? '' },
      })
    ).body
    await arrived(2)
    expect([deliveryId, eventId]).toEqual([first?.id, first?.eventId])
    expect(received.map(({ headers }) => headers['x-svc-delivery'])).toEqual([
      deliveryId,
      deliveryId,
    ])
    expect(received[1]?.body).toBe(received[0]?.body)
  })
})

describe('events', () => {
  it.each([
    ['order.completed', 0],
    ['order.partially_completed', 1],
    ['order.failed', 2],
  ])('%s contains the order as GET returns it', async (event, failUnits) => {
    const id = await world.product()
    await world.offer(await world.seller(), id, 1000, 2)
    if (failUnits > 0)
      await world.dashboard.putFaults({ body: [{ deliver: { productId: id, failUnits } }] })
    const { json } = await world.order(partner.key, world.request(id, 2))
    await arrived(1)
    const told = Object(parsed(first()))
    expect(told).toMatchObject({
      id: expect.stringMatching(/^evt_/),
      event,
      mode: 'live',
      createdAt: told.data.completedAt,
    })
    expect(told.data).toEqual((await world.as(partner.key, `/v1/orders/${Object(json).id}`)).json)
    expect(received[0]?.headers['x-svc-event']).toBe(event)
  })

  it('balance.credited contains amount, balance, currency, reference and ledger entry', async () => {
    const { reference, id } = (
      await world.dashboard.createTopUp({
        params: { id: partner.id },
        body: { mode: 'test', amount: cents(123) },
      })
    ).body
    await arrived(1)
    expect(parsed(first())).toMatchObject({
      event: 'balance.credited',
      mode: 'test',
      data: { amount: 1.23, balance: 10_001.23, currency: 'EUR', reference, ledgerId: id },
    })
    const { results } = (
      await world.dashboard.listPartnerLedger({
        params: { id: partner.id },
        query: { mode: 'test', limit: 1 },
      })
    ).body
    expect(results).toMatchObject([{ id, type: 'top_up', amount: 123, balanceAfter: 1_000_123 }])
  })

  it("aren't sent for a refused order", async () => {
    await world.order(partner.key, world.request('nobody'))
    expect(await deliveries()).toEqual([])
  })
})
