import { afterEach, expect, test, vi } from 'vitest'
import { systemClock } from './clock.ts'

afterEach(() => vi.useRealTimers())

test('waits longer than the system’s longest timer, and can be cancelled in the second part', () => {
  vi.useFakeTimers()
  const day = 86_400_000
  let rang = 0
  systemClock.after(30 * day, () => {
    rang += 1
  })
  const cancel = systemClock.after(30 * day, () => {
    rang += 10
  })
  vi.advanceTimersByTime(29 * day)
  expect(rang).toBe(0)
  cancel()
  vi.advanceTimersByTime(2 * day)
  expect(rang).toBe(1)
})
