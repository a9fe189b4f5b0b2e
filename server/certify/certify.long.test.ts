import { expect, test } from 'vitest'
import { certify } from './certify.ts'
import { inventedOrders, startCorrect } from './testing/correct-handler.ts'

async function certified(limitMs: number, schedules: number, waitMs: (delivery: number) => number) {
  const orders = inventedOrders()
  return await certify({
    ...(await startCorrect(waitMs)),
    start: null,
    mayRun: true,
    schedules,
    seed: 7,
    kills: false,
    limitMs,
    orders,
  })
}

test('a pause of the computer that makes some answers late is no failure of the handler', async () => {
  // Longer than any real pause while the tests run.
  const limitMs = 3000
  const result = await certified(limitMs, 30, (delivery) => (delivery <= 8 ? limitMs + 100 : 0))
  expect(result).toMatchObject({ schedules: 30, failed: 0, failures: [] })
  expect(result.deliveries).toBeGreaterThan(60)
}, 60_000)

test('a handler whose answers are always late fails', async () => {
  const limitMs = 200
  const result = await certified(limitMs, 2, () => limitMs + 100)
  expect(result.failed).toBe(2)
  expect(result.failures[0]?.violations[0]).toMatchObject({ invariant: 'answered', slow: true })
}, 60_000)
