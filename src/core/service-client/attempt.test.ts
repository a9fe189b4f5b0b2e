import { expect, test } from 'vitest'
import { ServiceError } from '../../../server/api/client/client-errors.ts'
import type { ActivityLog } from '../context.ts'
import { systemRandomness } from '../randomness.ts'
import { manualClock } from '../testing/manual-clock.ts'
import { createAttempt } from './attempt.ts'
import { createCircuit } from './availability/circuit.ts'
import { cancelledProblem } from './problems/problems.ts'
import { createSchedule, serviceRates } from './schedule/schedule.ts'
import type { Rates } from './schedule/schedule.ts'

function attempts(rates: Rates) {
  const clock = manualClock(0)
  const circuit = createCircuit(clock, systemRandomness)
  const attempt = createAttempt({
    accountId: null,
    clock,
    random: systemRandomness,
    schedule: createSchedule(clock, rates),
    circuit: () => circuit,
    transport: () => Promise.reject(new Error('not used')),
    credentials: () => ({ key: 'svc_live_secret', baseUrl: 'http://127.0.0.1/v1' }),
    takesIdempotencyKeys: () => true,
    refusal: () => null,
    refused: () => {},
    accepted: () => {},
    dated: () => {},
    activity: { add: () => {} } as unknown as ActivityLog,
    changed: () => {},
  })
  return { attempt, circuit, clock }
}

test('waits as long as the response to a probe asks, also with a request that waited for it', async () => {
  const { attempt, circuit, clock } = attempts(serviceRates)
  circuit.failed({ ...cancelledProblem, code: 'OFFLINE' })
  const probe = Promise.withResolvers<never>()
  const sentAt: number[] = []
  const { signal } = new AbortController()
  const first = attempt('createOrder', () => probe.promise, {}, signal, 1)
  const second = attempt(
    'createOrder',
    async () => {
      sentAt.push(clock.monotonic())
      return { status: 201, requestId: 'req_2', body: null }
    },
    {},
    signal,
    1,
  )
  await clock.run(1000)
  expect(sentAt).toEqual([])
  probe.reject(
    new ServiceError({
      status: 429,
      code: 'RATE_LIMITED',
      message: 'Too many requests.',
      requestId: 'req_1',
      details: null,
      retryAfterMs: 20_000,
    }),
  )
  expect(await first).toMatchObject({ ok: false, askedMs: 20_000 })
  await clock.run(19_000)
  expect(sentAt).toEqual([])
  await clock.run(2000)
  expect(await second).toMatchObject({ ok: true })
})

test('counts requests that waited for a probe when they are sent', async () => {
  const second = { max: 3, perMs: 1000 }
  const { attempt, circuit, clock } = attempts({ ...serviceRates, second })
  circuit.failed({ ...cancelledProblem, code: 'OFFLINE' })
  circuit.failed({ ...cancelledProblem, code: 'OFFLINE' })
  const probe = Promise.withResolvers<{ status: number; requestId: string; body: null }>()
  const sentAt: number[] = []
  const { signal } = new AbortController()
  const send = () =>
    attempt(
      'ping',
      async () => {
        sentAt.push(clock.monotonic())
        return { status: 200, requestId: 'req_2', body: null }
      },
      {},
      signal,
      1,
    )
  const first = attempt('ping', () => probe.promise, {}, signal, 1)
  const others = Array.from({ length: 8 }, send)
  await clock.run(10_000)
  expect(sentAt).toEqual([])
  probe.resolve({ status: 200, requestId: 'req_1', body: null })
  await first
  await clock.run(4000)
  expect(await Promise.all(others)).toHaveLength(8)
  for (const at of sentAt)
    expect(sentAt.filter((each) => each > at - 1000 && each <= at).length).toBeLessThanOrEqual(3)
  expect((sentAt.at(-1) ?? 0) - (sentAt[0] ?? 0)).toBeLessThan(3000)
})
