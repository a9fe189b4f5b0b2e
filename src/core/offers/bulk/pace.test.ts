import { expect, test } from 'vitest'
import { createPace, durationAtLimit } from './pace.ts'

const minute = 60_000

test('names the duration at the service’s limit', () => {
  expect(durationAtLimit('price', 600, 600, 6)).toBe(minute)
  expect(durationAtLimit('close', 300, 600, 3)).toBe(minute)
  expect(durationAtLimit('price', 20_000, null, 200)).toBeNull()
})

test('counts reading a long list again every two minutes, which prices and statuses are based on', () => {
  // 200 of the 1,200 requests in two minutes read the list.
  expect(durationAtLimit('price', 20_000, 600, 200)).toBe(40 * minute)
  expect(durationAtLimit('status', 500, 600, 200)).toBe(50_000)
  expect(durationAtLimit('create', 20_000, 600, 200)).toBe(Math.round((20_000 / 600) * minute))
  expect(durationAtLimit('price', 600, 600, 100_000)).toBeGreaterThan(minute)
})

test('never promises more than the limit allows, however fast the first burst is', () => {
  const pace = createPace()
  const atLimit = (left: number) => durationAtLimit('price', left, 600, 0)
  expect(pace.leftMs(0, 6000, atLimit(6000))).toBe(10 * minute)
  expect(pace.leftMs(10_000, 5800, atLimit(5800))).toBe(atLimit(5800))
})

test('follows the rate of the last minute, not the average since the start', () => {
  const pace = createPace()
  // 10 a minute for an hour, then 100 a minute.
  for (let at = 0; at <= 60; at += 1) pace.leftMs(at * minute, 2000 - at * 10, null)
  expect(pace.leftMs(61 * minute, 1300, null)).toBe(13 * minute)
})

test('knows nothing without a limit until something is done, and after a pause', () => {
  const pace = createPace()
  expect(pace.leftMs(0, 100, null)).toBeNull()
  expect(pace.leftMs(minute, 90, null)).toBe(9 * minute)
  pace.reset()
  expect(pace.leftMs(60 * minute, 90, null)).toBeNull()
})
