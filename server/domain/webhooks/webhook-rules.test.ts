import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OrderRecord } from '../ports/ordering/orders.ts'
import type { SendWebhook } from '../ports/ordering/webhooks.ts'
import { createTestService, dashboard, type TestService } from '../testing/fixture.ts'
import { createShop, type TestShop } from '../testing/shop.ts'
import { addressKind, addressProblem } from './webhook-address.ts'
import { webhookSignature } from './webhook-signature.ts'
import { createWebhooks } from './webhooks.ts'

type Answer = Awaited<ReturnType<SendWebhook>>
let test: TestService, shop: TestShop, partner: string
let answers: (Answer | Error)[]
let urls: string[]

beforeEach(async () => {
  answers = []
  urls = []
  const send: SendWebhook = async ({ url }) => {
    urls.push(url)
    const next = answers.shift() ?? { status: 200, error: null, durationMs: 5 }
    if (next instanceof Error) throw next
    return next
  }
  test = createTestService({ send })
  shop = createShop(test)
  partner = await shop.partner()
})
afterEach(() => test.close())

const params = () => ({ id: partner })
const register = (url = 'https://shop.example/hooks') =>
  test.run('putWebhook', dashboard, { params: params(), body: { url } })
const fire = async () =>
  (await test.run('testPartnerWebhook', dashboard, { params: params(), body: { mode: 'live' } }))
    .body
const remove = () => test.run('deleteWebhook', dashboard, { params: params() })
const resend = (deliveryId: string) =>
  test.run('resendDelivery', dashboard, { params: { ...params(), deliveryId } })
const deliveries = async () =>
  (await test.run('listDeliveries', dashboard, { params: params() })).body.results
const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

describe('an account without an endpoint', () => {
  it('gets no events, can send no test, and can have nothing resent', async () => {
    const noEndpoint = {
      code: 'VALIDATION_ERROR',
      details: [{ field: 'webhook', message: 'no webhook endpoint is set' }],
    }
    const missing = { code: 'NOT_FOUND', message: 'No webhook endpoint is set.' }
    await shop.topUp(partner, 'live', 100)
    expect(await deliveries()).toEqual([])
    await expect(fire()).rejects.toMatchObject(noEndpoint)
    await expect(remove()).rejects.toMatchObject(missing)
    await register()
    const { deliveryId } = await fire()
    await turns()
    await expect(resend('dlv_none')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'Delivery not found.',
    })
    await remove()
    await expect(resend(deliveryId)).rejects.toMatchObject(noEndpoint)
    await expect(test.run('getWebhook', dashboard, { params: params() })).rejects.toMatchObject(
      missing,
    )
    await turns()
    expect(urls).toHaveLength(1)
  })
})

describe('an endpoint', () => {
  it('that was replaced receives the retries at its new address', async () => {
    answers = [{ status: 500, error: null, durationMs: 5 }]
    await register('https://old.example/')
    await fire()
    await turns()
    await register('https://new.example/')
    await test.run('advanceClock', dashboard, { body: { ms: 10_000 } })
    expect(urls).toEqual(['https://old.example/', 'https://new.example/'])
    expect(await deliveries()).toMatchObject([
      {
        status: 'delivered',
        attempts: [
          { at: '2026-03-01T12:00:00.000Z', status: 500, durationMs: 5 },
          { at: '2026-03-01T12:00:10.000Z', status: 200, durationMs: 5 },
        ],
      },
    ])
  })

  it('is tried again after an attempt that could not be sent, which is logged', async () => {
    answers = [new Error('no socket')]
    await register()
    await fire()
    await turns()
    expect(test.takeErrors()).toEqual(['a webhook attempt could not be sent or recorded'])
    expect(await deliveries()).toMatchObject([{ status: 'delivered', attempts: [{ status: 200 }] }])
  })
})

describe('deliveries of one endpoint', () => {
  it('are retried each at its own time, not together with one that is due earlier', async () => {
    const refused = { status: 500, error: null, durationMs: 5 }
    answers = [refused, refused, refused, refused]
    await register()
    const first = (await fire()).deliveryId
    await turns()
    await test.run('advanceClock', dashboard, { body: { ms: 4000 } })
    const second = (await fire()).deliveryId
    await turns()
    await test.run('advanceClock', dashboard, { body: { ms: 6000 } })
    const attempts = async () =>
      Object.fromEntries((await deliveries()).map((one) => [one.id, one.attempts.length]))
    expect(await attempts()).toEqual({ [first]: 2, [second]: 1 })
    await test.run('advanceClock', dashboard, { body: { ms: 3999 } })
    expect(await attempts()).toEqual({ [first]: 2, [second]: 1 })
    await test.run('advanceClock', dashboard, { body: { ms: 1 } })
    expect(await attempts()).toEqual({ [first]: 2, [second]: 2 })
  })
})

describe('an attempt that a stop interrupts', () => {
  it('is not recorded, whatever its sender returns, and does not delay the stop', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keydesk-'))
    const ended: string[] = []
    const send: SendWebhook = (_request, signal) =>
      new Promise((resolve) =>
        signal.addEventListener('abort', () =>
          setImmediate(() => {
            ended.push('attempt')
            resolve({ status: 200, error: null, durationMs: 5 })
          }),
        ),
      )
    const stopped = createTestService({ folder, send })
    const id = await createShop(stopped).partner()
    const input = { params: { id }, body: { url: 'https://shop.example/' } }
    await stopped.run('putWebhook', dashboard, input)
    await stopped.run('testPartnerWebhook', dashboard, { params: { id }, body: { mode: 'live' } })
    await turns()
    await stopped.service.stop()
    expect(ended).toEqual(['attempt'])
    expect(stopped.store.webhooks.page(id, 0, 9)).toMatchObject([
      { status: 'pending', attempts: [] },
    ])
    await stopped.close()
    rmSync(folder, { recursive: true })
  })
})

describe('an event', () => {
  it('has an id, a name, a mode, its time and data, in this order', async () => {
    await register()
    const { eventId } = await fire()
    const [pending] = test.store.webhooks.pending(partner, 1)
    expect(pending?.body).toBe(
      `{"id":"${eventId}","event":"webhook.test","mode":"live",` +
        '"createdAt":"2026-03-01T12:00:00.000Z",' +
        '"data":{"message":"This is a test of your webhook endpoint."}}',
    )
  })

  it("isn't written for an order that isn't final", () => {
    const context = { ...test, clock: test.service.clock } as never
    const webhooks = createWebhooks(context, true, () => {})
    const order = { id: 'ord_1', status: 'processing' } as OrderRecord
    expect(() => webhooks.orderFinal(order, 0)).toThrow("order ord_1 isn't final")
  })
})

describe('the signature', () => {
  it('is HMAC-SHA256 over the time in seconds, a dot and the body, with the complete secret', () => {
    const body = '{"é":1}'
    const v1 = createHmac('sha256', 'whsec_x').update(`1772366400.${body}`).digest('hex')
    expect(webhookSignature('whsec_x', body, 1_772_366_400_999)).toBe(`t=1772366400,v1=${v1}`)
  })
})

describe('addresses of a receiver', () => {
  it.each([
    ['0.255.255.255', '1.0.0.0'],
    ['10.255.255.255', '11.0.0.0'],
    ['169.254.255.255', '169.255.0.0'],
    ['192.0.0.255', '192.0.1.0'],
    ['192.0.2.255', '192.0.3.0'],
    ['192.88.99.255', '192.88.100.0'],
    ['192.168.255.255', '192.169.0.0'],
    ['198.19.255.255', '198.20.0.0'],
    ['198.51.100.255', '198.51.101.0'],
    ['203.0.113.255', '203.0.114.0'],
    ['2001:1ff::1', '2001:200::1'],
    ['2002:ffff::1', '2003::1'],
    ['3fff:fff::1', '3fff:1000::1'],
    ['::ffff:192.168.0.1', '::ffff:192.169.0.1'],
  ])('exclude %s, and include %s', (inside, outside) => {
    expect(addressKind(inside)).toBe('private')
    expect(addressKind(outside)).toBe('public')
  })

  it.each([
    ['https://user@shop.example/', 'must not carry a user name or password'],
    ['https://:secret@shop.example/', 'must not carry a user name or password'],
    ['http://shop.example/', 'must be an https address'],
    ['http://notlocalhost/', 'must be an https address'],
    ['http://localhost.example/', 'must be an https address'],
    ['https://10.0.0.1/', 'must be an https address that can be reached from outside'],
  ])('reject %s: %s', (url, problem) => {
    expect(addressProblem(url, true)).toBe(problem)
  })
})
