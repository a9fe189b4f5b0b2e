import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Context } from './context.ts'
import { createScheduler, type DueWork } from './scheduler.ts'
import { createTestService, createTestClock, type TestClock, type TestService } from './testing/fixture.ts'

let test: TestService
let clock: TestClock
let told: string[]
let context: Context

beforeEach(() => {
  test = createTestService({ started: false })
  clock = createTestClock(0)
  told = []
  const log = { info: () => {}, error: (message: string) => void told.push(message) }
  context = { store: test.store, clock, log, ids: { next: (prefix) => prefix }, random: { bytes: () => new Uint8Array() } }
})
afterEach(async () => {
  test.store.close()
  await test.service.stop().catch(() => {})
})

/** Work at given times, written down as it is carried out. */
function planned(name: string, times: number[], done: string[]): DueWork {
  const left = [...times]
  return {
    nextAt: () => left[0] ?? null,
    run(at) {
      done.push(`${name} due ${left.shift()} at ${at}`)
    },
  }
}

describe('due work', () => {
  it('of all kinds is carried out in time order, each at its own due time, when the clock is advanced', async () => {
    const done: string[] = []
    const moves: number[] = []
    const scheduler = createScheduler(context, [planned('a', [10, 30, 90], done), planned('b', [20, 30, 101], done)])
    await scheduler.runThrough(100, (at) => void moves.push(at))
    expect(done).toEqual(['a due 10 at 10', 'b due 20 at 20', 'a due 30 at 30', 'b due 30 at 30', 'a due 90 at 90'])
    expect(moves).toEqual([10, 20, 30, 30, 90, 100])
  })

  it('is carried out when it becomes due, and not before', async () => {
    const done: string[] = []
    const scheduler = createScheduler(context, [planned('a', [0, 50], done)])
    scheduler.start()
    await vi.waitFor(() => expect(done).toEqual(['a due 0 at 0']))
    clock.move(50)
    scheduler.wake()
    await vi.waitFor(() => expect(done).toHaveLength(2))
    await scheduler.stop()
  })

  it('that fails is told of and tried again', async () => {
    let attempts = 0
    const failing: DueWork = {
      nextAt: () => (attempts < 2 ? 0 : null),
      run() {
        attempts += 1
        if (attempts === 1) throw new Error('not now')
      },
    }
    const scheduler = createScheduler(context, [failing])
    scheduler.start()
    await vi.waitFor(() => expect(attempts).toBe(2), { timeout: 10_000 })
    await scheduler.stop()
    expect(told).toEqual(['due work failed; it is tried again'])
  })

  it('is not begun after the stop', async () => {
    const done: string[] = []
    const scheduler = createScheduler(context, [planned('a', [0, 0, 0], done)])
    scheduler.start()
    await scheduler.stop()
    const count = done.length
    scheduler.wake()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(done).toHaveLength(count)
  })
})
