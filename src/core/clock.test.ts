import { afterEach, expect, test, vi } from 'vitest'
import { countSleep, createAges, isFresh, later, systemClock } from './clock.ts'
import { manualClock } from './testing/manual-clock.ts'

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

test('runs a task no earlier than its time by the monotonic clock', async () => {
  const early: number[] = []
  const waited = Array.from({ length: 100 }, (_, index) => {
    const ms = 1 + index / 7
    const due = later(systemClock.monotonic(), ms)
    return new Promise<void>((resolve) => {
      systemClock.after(ms, () => {
        if (systemClock.monotonic() < due) early.push(ms)
        resolve()
      })
    })
  })
  await Promise.all(waited)
  expect(early).toEqual([])
})

test('counts the time that the computer slept, and no rounding of the uptime', () => {
  let active = 1000.5
  let sinceStart = 5000
  let wall = 0
  const read = countSleep(
    () => active,
    () => sinceStart,
    () => wall,
  )
  const first = read()
  active += 900
  expect(read() - first).toBe(900)
  sinceStart += 1000
  active += 20
  expect(read() - first).toBe(920)
  // The first reading after a sleep counts it, although no active time has passed.
  sinceStart += 8 * 3_600_000
  wall += 8 * 3_600_000
  expect(read() - first).toBeGreaterThanOrEqual(8 * 3_600_000)
  sinceStart -= 3000
  active += 20
  expect(read() - first).toBeGreaterThanOrEqual(8 * 3_600_000)
})

test('knows the age of what it noted whatever the wall clock says, and assumes one for the future', () => {
  const clock = manualClock()
  const ages = createAges(clock)
  const writtenAt = clock.now()
  ages.note('noted')
  clock.setBy(8 * 3_600_000)
  clock.advance(500)
  expect(ages.ageMs('noted', writtenAt, 0)).toBe(500)
  expect(ages.ageMs('earlier run', writtenAt, 0)).toBe(8 * 3_600_000 + 500)
  clock.setBy(-365 * 86_400_000)
  clock.advance(500)
  expect(ages.ageMs('noted', writtenAt, 0)).toBe(1000)
  expect(ages.ageMs('earlier run', writtenAt, 0)).toBe(8 * 3_600_000 + 1000)
  expect(ages.ageMs('future', writtenAt, 7)).toBe(7)
  clock.advance(500)
  expect(ages.ageMs('future', writtenAt, 7)).toBe(507)
})

test('calls a stored time in the future not fresh', () => {
  const clock = manualClock(1000)
  expect([isFresh(clock, 500, 500), isFresh(clock, 499, 500), isFresh(clock, 1001, 500)]).toEqual([
    true,
    false,
    false,
  ])
})
