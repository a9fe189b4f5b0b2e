import fc from 'fast-check'
import { expect, it } from 'vitest'
import { monotonicAt } from '../../clock.ts'
import { createServiceTime } from './service-time.ts'

const DAY_MS = 86_400_000
const start = Date.UTC(2026, 9, 24, 22, 30)

/** A service whose clock differs by `aheadMs`, and a computer whose clock the test moves. */
function setUp(aheadMs: number, offsetMs = 0) {
  let now = start
  let set = 0
  const changes: number[] = []
  const time = createServiceTime(
    { monotonic: () => monotonicAt(now), now: () => now + set, after: () => () => {} },
    offsetMs,
    (each) => void changes.push(each),
  )
  return {
    time,
    changes,
    /** Sets this computer's clock. */
    setBy: (ms: number) => void (set += ms),
    wait: (ms: number) => void (now += ms),
    /** A request that takes `there` ms to the service and `back` ms from it. */
    request(there: number, back: number) {
      const sentAt = monotonicAt(now)
      now += there
      const date = new Date(now + aheadMs).toUTCString()
      now += back
      time.observe(date, sentAt)
    },
    serviceNow: () => now + aheadMs,
  }
}

it('keeps this computer’s time while both clocks agree', () => {
  const { time, changes, request, wait } = setUp(0)
  for (let round = 0; round < 50; round += 1) {
    request(round * 7, round * 13)
    wait(round * 331)
  }
  expect(time.offsetMs()).toBe(0)
  expect(changes).toEqual([])
})

it.each([14 * DAY_MS, -14 * DAY_MS, 3_600_000, 40_000])(
  'knows the time of a service that is %i ms ahead to the second after one response',
  (aheadMs) => {
    const { time, request, serviceNow } = setUp(aheadMs)
    request(40, 60)
    expect(Math.abs(time.now() - serviceNow())).toBeLessThanOrEqual(1000)
  },
)

it('is never further from the service’s time than the response took plus a second', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -30 * DAY_MS, max: 30 * DAY_MS }),
      fc.array(fc.tuple(fc.nat(5000), fc.nat(5000), fc.nat(100_000)), { minLength: 1 }),
      (aheadMs, requests) => {
        const { time, request, wait, serviceNow } = setUp(aheadMs)
        for (const [there, back, pause] of requests) {
          request(there, back)
          expect(Math.abs(time.now() - serviceNow())).toBeLessThanOrEqual(there + back + 1000)
          wait(pause)
        }
      },
    ),
  )
})

it('follows a service whose clock moves, in both directions', () => {
  const ahead = setUp(3 * DAY_MS)
  ahead.request(10, 10)
  const behind = setUp(0, ahead.time.offsetMs())
  expect(behind.time.offsetMs()).toBeGreaterThan(3 * DAY_MS - 2000)
  behind.request(10, 10)
  expect(Math.abs(behind.time.offsetMs())).toBeLessThanOrEqual(1020)
})

it.each([60_000, -60_000, 8 * 3_600_000, -8 * 3_600_000, 365 * DAY_MS, -365 * DAY_MS])(
  'keeps the service’s time when this computer’s clock is set by %i ms, before and after a response',
  (ms) => {
    const { time, changes, request, setBy, serviceNow } = setUp(14 * DAY_MS)
    request(40, 60)
    const offset = time.offsetMs()
    setBy(ms)
    expect(Math.abs(time.now() - serviceNow())).toBeLessThanOrEqual(1000)
    expect(time.offsetMs()).toBe(offset - ms)
    request(40, 60)
    expect(Math.abs(time.now() - serviceNow())).toBeLessThanOrEqual(1000)
    expect(changes).toEqual([offset, offset - ms])
  },
)

it('reports an offset only when it changes', () => {
  const { time, changes, request } = setUp(DAY_MS)
  request(0, 0)
  request(0, 0)
  request(0, 0)
  expect(changes).toEqual([time.offsetMs()])
})

it('ignores a missing date and text that isn’t one', () => {
  const { time, changes } = setUp(0)
  time.observe(undefined, monotonicAt(start))
  time.observe('soon', monotonicAt(start))
  expect(time.now()).toBe(start)
  expect(changes).toEqual([])
})
