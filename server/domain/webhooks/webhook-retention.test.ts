import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestService, dashboard, type TestService } from '../testing/fixture.ts'
import { createShop } from '../testing/shop.ts'
import type { Clock } from '../ports/environment.ts'
import type { Repositories } from '../ports/repositories.ts'
import { createWebhookRetention } from './webhook-retention.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

let test: TestService
let partner: string
let status: number

beforeEach(async () => {
  status = 204
  test = createTestService({ send: async () => ({ status, error: null, durationMs: 1 }) })
  partner = await createShop(test).partner()
  await test.run('putWebhook', dashboard, {
    params: { id: partner },
    body: { url: 'https://shop.example/hooks' },
  })
})
afterEach(() => test.close())

const fire = async () =>
  (
    await test.run('testPartnerWebhook', dashboard, {
      params: { id: partner },
      body: { mode: 'live' },
    })
  ).body
const resend = async (deliveryId: string) =>
  (await test.run('resendDelivery', dashboard, { params: { id: partner, deliveryId } })).body
const advance = (ms: number) => test.run('advanceClock', dashboard, { body: { ms } })
const kept = async () =>
  (await test.run('listDeliveries', dashboard, { params: { id: partner } })).body.results?.map(
    ({ id }) => id,
  )
const context = () => {
  const store: Repositories = test.store
  const clock: Clock = test.service.clock
  return { store, clock } as Parameters<typeof createWebhookRetention>[0]
}

describe('ended deliveries', () => {
  it('are stored for 30 days, then deleted on the hour; an event goes with its last delivery', async () => {
    const first = await fire()
    await advance(1)
    await advance(20 * DAY)
    const second = await fire()
    await advance(10 * DAY - HOUR)
    expect(await kept()).toEqual([second.deliveryId, first.deliveryId])
    await advance(3 * HOUR)
    expect(await kept()).toEqual([second.deliveryId])
    await expect(resend(first.deliveryId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await resend(second.deliveryId)).eventId).toBe(second.eventId)
    await advance(29 * DAY)
    expect(await kept()).toEqual([second.deliveryId])
    await advance(2 * DAY)
    expect(await kept()).toEqual([])
    expect(test.store.webhooks.firstEnd()).toBeNull()
  })

  it('age from their last attempt, or from the removal of the endpoint; pending ones stay', async () => {
    status = 500
    const failed = await fire()
    await advance(2 * DAY)
    const waiting = await fire()
    await advance(HOUR)
    const clock = test.service.clock.now()
    expect(createWebhookRetention(context()).nextAt()).toBeGreaterThan(clock + 28 * DAY)
    await test.run('deleteWebhook', dashboard, { params: { id: partner } })
    await advance(29 * DAY + 2 * HOUR)
    expect(await kept()).toEqual([waiting.deliveryId])
    expect(failed.deliveryId).not.toBe(waiting.deliveryId)
    await advance(DAY)
    expect(await kept()).toEqual([])
  })

  it('are limited to the latest ones per account, however many there were; pending ones do not count', async () => {
    const ended = []
    for (let event = 0; event < 5; event += 1) ended.push((await fire()).deliveryId)
    await advance(1)
    status = 500
    const pending = (await fire()).deliveryId
    await advance(1)
    const history = createWebhookRetention(context(), 2)
    expect(history.nextAt()).toBeGreaterThan(test.service.clock.now() + 29 * DAY)
    history.noteGrowth(partner)
    const due = history.nextAt() ?? 0
    expect(due % HOUR).toBe(0)
    expect(due - test.service.clock.now()).toBeLessThanOrEqual(HOUR)
    await advance(due - test.service.clock.now())
    await history.run(due)
    expect(await kept()).toEqual([pending, ...ended.slice(-2).toReversed()])
    await advance(HOUR)
    await history.run(due + HOUR)
    expect(await kept()).toHaveLength(3)
    expect(history.nextAt()).toBeGreaterThan(due + 29 * DAY)
  })
})
