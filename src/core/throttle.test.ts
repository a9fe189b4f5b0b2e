import { expect, it } from 'vitest'
import { manualClock } from './testing/manual-clock.ts'
import { createScope } from './lifecycle/scope.ts'
import { createThrottle } from './throttle.ts'

it('runs immediately after a quiet time, then when the time is over, and loses no call', () => {
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

it('runs at most once per period for many calls, and serves the last one', () => {
  const clock = manualClock()
  let runs = 0
  const ask = createThrottle(clock, 100, () => {
    runs += 1
  })
  for (let i = 0; i < 50; i += 1) ask()
  expect(runs).toBe(1)
  clock.advance(100)
  expect(runs).toBe(2)
  clock.advance(1000)
  expect(runs).toBe(2)
  ask()
  expect(runs).toBe(3)
})

it('runs a pending call when its scope ends, and none later', async () => {
  const clock = manualClock()
  const scope = createScope({ clock, report: () => {} })
  let runs = 0
  const ask = createThrottle(clock, 100, () => void (runs += 1), scope)
  ask()
  ask()
  expect(runs).toBe(1)
  await scope.end()
  expect(runs).toBe(2)
  ask()
  clock.advance(1000)
  expect(runs).toBe(2)
})

it('runs nothing when its scope ends without a pending call', async () => {
  const clock = manualClock()
  const scope = createScope({ clock, report: () => {} })
  let runs = 0
  const ask = createThrottle(clock, 100, () => void (runs += 1), scope)
  ask()
  clock.advance(200)
  await scope.end()
  expect(runs).toBe(1)
})
