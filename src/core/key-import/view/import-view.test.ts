import { expect, test } from 'vitest'
import { leftOf, paceOf } from './import-view.ts'

test('derives the time left from the rate of keys', () => {
  expect(leftOf({ keys: 10_000, requests: 10 }, 5000, 20, true)).toBe(2000)
  expect(leftOf({ keys: 10_000, requests: 10 }, 0, 0, true)).toBeNull()
  expect(leftOf({ keys: 936_000, requests: 936 }, 12_000, 64, false)).toBe(78_000)
})

test('promises no more than 300 uploads per minute after a fast start', () => {
  // 1,000 requests in bursts of 300: the last one can't be sent before the fourth minute.
  expect(leftOf({ keys: 936_000, requests: 936 }, 11_538, 64, true)).toBe(140_000)
  expect(leftOf({ keys: 700_000, requests: 700 }, 12_000, 300, true)).toBe(140_000)
})

test('reports the pace from the start in completed steps, at most sixty', () => {
  const settled = [
    { step: 0, keys: 3000 },
    { step: 2, keys: 500 },
    { step: 3, keys: 900 },
  ]
  expect(paceOf(1_000_000, 1_003_400, () => settled)).toEqual({
    from: 1_000_000,
    stepMs: 1000,
    keysPerSecond: [3000, 0, 500],
  })
  expect(paceOf(0, 600_000, (_from, stepMs) => [{ step: 59, keys: stepMs }])).toMatchObject({
    stepMs: 10_000,
    keysPerSecond: { length: 60, 59: 1000 },
  })
  expect(paceOf(0, 500, () => settled)).toEqual({ from: 0, stepMs: 1000, keysPerSecond: [] })
  expect(paceOf(null, 500, () => settled)).toBeNull()
})
