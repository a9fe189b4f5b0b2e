import { expect, it } from 'vitest'
import { manualClock } from './testing/manual-clock.ts'
import { createThrottle } from './throttle.ts'

it('runs at once after a quiet time, then once when the time is over, and loses no call', () => {
  const clock = manualClock()
  const ranAt: number[] = []
  const began = clock.monotonic()
  const call = createThrottle(clock, 250, () => ranAt.push(clock.monotonic() - began))
  call()
  expect(ranAt).toEqual([0])
  clock.advance(100)
  call()
  call()
  clock.advance(149)
  expect(ranAt).toEqual([0])
  clock.advance(1)
  expect(ranAt).toEqual([0, 250])
  clock.advance(1000)
  expect(ranAt).toEqual([0, 250])
  call()
  expect(ranAt).toEqual([0, 250, 1250])
})
