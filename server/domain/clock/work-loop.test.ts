import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createTestClock, type TestClock } from '../testing/fixture.ts'
import type { DueWork } from './due-work.ts'
import { createWorkLoop } from './work-loop.ts'

const MINUTE = 60_000

let clock: TestClock
let errors: unknown[][]

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  clock = createTestClock(1000)
  errors = []
})
afterEach(() => {
  vi.useRealTimers()
})

const loopOver = (...works: DueWork[]) => {
  const log = { info: () => {}, error: (...given: unknown[]) => void errors.push(given) }
  return createWorkLoop({ clock, log }, works)
}

/** Work at given times, and the times at which it ran. */
function planned(...times: number[]) {
  const ran: number[] = []
  const work: DueWork = {
    nextAt: () => times[0] ?? null,
    run() {
      times.shift()
      ran.push(clock.now())
    },
  }
  return { work, ran, times }
}

/** Lets everything run that doesn't wait for a timer. */
async function turns(): Promise<void> {
  for (let i = 0; i < 5; i += 1) await new Promise((resolve) => setImmediate(resolve))
}

async function sleep(ms: number): Promise<void> {
  clock.move(ms)
  vi.advanceTimersByTime(ms)
  await turns()
}

it('sleeps until the next piece is due', async () => {
  const { work, ran } = planned(1050, 1070)
  const loop = loopOver(work)
  loop.start()
  await turns()
  await sleep(49)
  expect(ran).toEqual([])
  await sleep(1)
  await sleep(19)
  expect(ran).toEqual([1050])
  await sleep(1)
  expect(ran).toEqual([1050, 1070])
})

it('checks the time once a minute, because the computer’s clock may have been changed', async () => {
  const { work, ran } = planned(1000 + 10 * MINUTE)
  const loop = loopOver(work)
  loop.start()
  await turns()
  clock.move(10 * MINUTE)
  await sleep(MINUTE - 1)
  expect(ran).toEqual([])
  await sleep(1)
  expect(ran).toHaveLength(1)
})

it('checks once a minute when nothing is due', async () => {
  const { work, ran, times } = planned()
  const loop = loopOver(work)
  loop.start()
  await turns()
  times.push(0)
  await sleep(MINUTE - 1)
  expect(ran).toEqual([])
  await sleep(1)
  expect(ran).toHaveLength(1)
})

it('logs a failure with its reason and tries again after a second', async () => {
  let attempts = 0
  const loop = loopOver({
    nextAt: () => (attempts < 2 ? 0 : null),
    run() {
      attempts += 1
      if (attempts === 1) throw new Error('not now')
    },
  })
  loop.start()
  await turns()
  await sleep(999)
  expect(attempts).toBe(1)
  await sleep(1)
  expect(attempts).toBe(2)
  expect(errors).toEqual([['due work failed and will be retried', { error: 'Error: not now' }]])
})

it('runs a piece immediately that becomes due while it computes how long to sleep', async () => {
  const { work, ran, times } = planned(0)
  let looks = 0
  const loop = loopOver({
    ...work,
    nextAt() {
      const at = work.nextAt()
      if (at !== null || (looks += 1) !== 2) return at
      times.push(0)
      loop.wake()
      return null
    },
  })
  loop.start()
  await turns()
  expect(ran).toHaveLength(2)
  await loop.stop()
})

it('tries again immediately when it is woken during a piece that fails', async () => {
  let attempts = 0
  const loop = loopOver({
    nextAt: () => (attempts < 2 ? 0 : null),
    run() {
      attempts += 1
      if (attempts > 1) return
      loop.wake()
      throw new Error('not now')
    },
  })
  loop.start()
  await turns()
  expect(attempts).toBe(2)
  await loop.stop()
})

it('runs nothing before its start and nothing after its stop, and leaves no timer', async () => {
  const { work, ran, times } = planned(0)
  const loop = loopOver(work)
  loop.wake()
  await turns()
  expect(ran).toEqual([])
  loop.start()
  await turns()
  expect(ran).toHaveLength(1)
  await loop.stop()
  expect(vi.getTimerCount()).toBe(0)
  times.push(0)
  loop.wake()
  await sleep(MINUTE)
  expect(ran).toHaveLength(1)
})

it('keeps one timer however often it is woken', async () => {
  const loop = loopOver(planned(5000).work)
  loop.start()
  await turns()
  for (let i = 0; i < 3; i += 1) {
    loop.wake()
    await turns()
  }
  expect(vi.getTimerCount()).toBe(1)
  await loop.stop()
})

it('doesn’t set a timer when it is stopped during a piece', async () => {
  const gate = Promise.withResolvers<void>()
  const loop = loopOver({ nextAt: () => 0, run: () => gate.promise })
  loop.start()
  await turns()
  const stopped = loop.stop()
  gate.resolve()
  await stopped
  expect(vi.getTimerCount()).toBe(0)
})

it('runs nothing while it is paused, and checks again when it resumes', async () => {
  const { work, ran, times } = planned(5000)
  const loop = loopOver(work)
  loop.start()
  await turns()
  await loop.pause()
  times.unshift(0)
  loop.wake()
  await turns()
  expect(ran).toEqual([])
  loop.resume()
  await turns()
  expect(ran).toHaveLength(1)
})
