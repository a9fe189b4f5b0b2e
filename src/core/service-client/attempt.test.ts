import { expect, test } from 'vitest'
import { ServiceError } from '../../../server/api/client/client-errors.ts'
import type { ActivityLog } from '../context.ts'
import { systemRandomness } from '../randomness.ts'
import { manualClock } from '../testing/manual-clock.ts'
import { createAttempt } from './attempt.ts'
import { createCircuit } from './availability/circuit.ts'
import { cancelledProblem } from './problems/problems.ts'
import { createSchedule, serviceRates } from './schedule/schedule.ts'

test('waits as long as the response to a probe asks, also with a request that waited for it', async () => {
  const clock = manualClock(0)
  const circuit = createCircuit(clock, systemRandomness)
  const attempt = createAttempt({
    accountId: null,
    clock,
    random: systemRandomness,
    schedule: createSchedule(clock, serviceRates),
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
