import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Context } from '../context.ts'
import type { DueWork } from './due-work.ts'
import { createScheduler } from './scheduler.ts'
import { createServiceClock } from './service-clock.ts'
import {
  createTestService,
  createTestClock,
  type TestClock,
  type TestService,
} from '../testing/fixture.ts'

let test: TestService
let clock: TestClock
let errors: string[]
let context: Context

beforeEach(() => {
  test = createTestService({ started: false })
  clock = createTestClock(0)
  errors = []
  const log = { info: () => {}, error: (message: string) => void errors.push(message) }
  context = {
    store: test.store,
    clock,
    log,
    ids: { next: (prefix) => prefix },
    machine: clock,
    receiverClock: clock,
    random: { bytes: () => new Uint8Array() },
  }
})
afterEach(async () => {
  test.store.close()
  await test.service.stop().catch(() => {})
})

/** Work at given times that logs each run. */
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
  it('runs in time order across all kinds, each at its own due time, when the clock is advanced', async () => {
    const done: string[] = []
    const moves: number[] = []
    const scheduler = createScheduler(context, [
      planned('a', [10, 30, 90], done),
      planned('b', [20, 30, 101], done),
    ])
    await scheduler.runThrough(
      () => 100,
      (at) => void moves.push(at),
    )
    expect(done).toEqual([
      'a due 10 at 10',
      'b due 20 at 20',
      'a due 30 at 30',
      'b due 30 at 30',
      'a due 90 at 90',
    ])
    expect(moves).toEqual([10, 20, 30, 30, 90, 100])
  })

  it('runs a second advance after the first, counting from where the first ended', async () => {
    const done: string[] = []
    const scheduler = createScheduler(context, [
      planned('a', [10, 30], done),
      { ...planned('b', [20], done), idle: () => new Promise(setImmediate) },
    ])
    const move = (at: number): void => clock.move(Math.max(0, at - clock.now()))
    await Promise.all([
      scheduler.runThrough(() => clock.now() + 25, move),
      scheduler.runThrough(() => clock.now() + 25, move),
    ])
    expect(done).toEqual(['a due 10 at 10', 'b due 20 at 20', 'a due 30 at 30'])
    expect(clock.now()).toBe(50)
  })

  it('commits the clock’s move together with punctual work, and before other work', async () => {
    const { settings } = test.store
    const failing = (name: string): DueWork => ({
      nextAt: () => 10,
      run() {
        throw new Error(name)
      },
    })
    const advanceTo10 = (work: DueWork) =>
      createScheduler(context, [work]).runThrough(
        () => 10,
        (at) => settings.set('moved to', String(at)),
      )
    await expect(advanceTo10({ ...failing('punctual'), punctual: true })).rejects.toThrow(
      'punctual',
    )
    expect(settings.get('moved to')).toBeUndefined()
    await expect(advanceTo10(failing('other'))).rejects.toThrow('other')
    expect(settings.get('moved to')).toBe('10')

    const moves: number[] = []
    await createScheduler(context, [{ ...planned('a', [10, 20], []), punctual: true }]).runThrough(
      () => 30,
      (at) => void moves.push(at),
    )
    expect(moves).toEqual([10, 20, 30])
  })

  it('shows the stored time again after punctual work failed', async () => {
    const moved = createServiceClock(clock, test.store.settings)
    const failing: DueWork = {
      punctual: true,
      nextAt: () => 10,
      run() {
        throw new Error('failed')
      },
    }
    const scheduler = createScheduler({ ...context, clock: moved }, [failing])
    await expect(scheduler.runThrough(() => 10, moved.moveTo, moved.reload)).rejects.toThrow(
      'failed',
    )
    expect([moved.now(), moved.offset()]).toEqual([0, 0])
  })

  it('includes what became due while an advance took its time, and reports the time reached', async () => {
    const done: string[] = []
    const slow: DueWork = {
      ...planned('slow', [10], done),
      idle: async () => void (done.length === 1 && clock.move(7)),
    }
    const scheduler = createScheduler(context, [slow, planned('b', [14, 40], done)])
    const reached = await scheduler.runThrough(
      () => 12,
      (at) => clock.move(Math.max(0, at - clock.now())),
    )
    expect(done).toEqual(['slow due 10 at 10', 'b due 14 at 14'])
    expect(reached).toBe(17)
  })

  it('runs during an advance even while a receiver hangs', async () => {
    const done: string[] = []
    const order = planned('order', [], done)
    const accepted: number[] = []
    const hangs = Promise.withResolvers<void>()
    const scheduler = createScheduler(context, [
      {
        ...planned('webhook', [10], done),
        idle: () => (done.length === 0 ? Promise.resolve() : hangs.promise),
      },
      {
        ...order,
        nextAt: () => accepted[0] ?? null,
        run: (at) => void done.push(`order due ${accepted.shift()} at ${at}`),
      },
    ])
    const advance = scheduler.runThrough(
      () => 100,
      (at) => clock.move(Math.max(0, at - clock.now())),
    )
    await vi.waitFor(() => expect(done).toEqual(['webhook due 10 at 10']))
    accepted.push(clock.now())
    scheduler.wake()
    await vi.waitFor(() => expect(done).toEqual(['webhook due 10 at 10', 'order due 10 at 10']))
    expect(clock.now()).toBe(10)
    hangs.resolve()
    expect(await advance).toBe(100)
  })

  it('runs during an advance when it became due just before the wait for a receiver', async () => {
    const done: string[] = []
    const hangs = Promise.withResolvers<void>()
    const accepted: number[] = []
    const scheduler = createScheduler(context, [
      { nextAt: () => null, run: () => {}, idle: () => hangs.promise },
      {
        nextAt: () => accepted[0] ?? null,
        run: (at) => void done.push(`order due ${accepted.shift()} at ${at}`),
      },
    ])
    const advance = scheduler.runThrough(
      () => 100,
      (at) => clock.move(Math.max(0, at - clock.now())),
    )
    accepted.push(0)
    scheduler.wake()
    await vi.waitFor(() => expect(done).toEqual(['order due 0 at 0']))
    hangs.resolve()
    expect(await advance).toBe(100)
  })

  it('lets requests through between two pieces of an advance', async () => {
    const done: string[] = []
    const scheduler = createScheduler(context, [planned('a', [1, 2, 3], done)])
    setImmediate(() => done.push('a request'))
    await scheduler.runThrough(
      () => 3,
      () => {},
    )
    expect(done.at(-1)).toBe('a due 3 at 3')
    expect(done).toContain('a request')
  })

  it('ends an advance at a stop even while a receiver hangs; the next advance continues from there', async () => {
    const done: string[] = []
    const hangs: DueWork = {
      ...planned('a', [10, 20], done),
      idle: () => (done.length === 1 ? new Promise(() => {}) : Promise.resolve()),
    }
    const scheduler = createScheduler(context, [hangs])
    scheduler.start()
    const advance = scheduler.runThrough(
      () => 30,
      (at) => clock.move(at - clock.now()),
    )
    await vi.waitFor(() => expect(done).toHaveLength(1))
    await Promise.all([
      scheduler.stop(),
      expect(advance).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' }),
    ])
    expect(done).toEqual(['a due 10 at 10'])
    done.push('a restart')
    scheduler.start()
    await scheduler.runThrough(
      () => 30,
      (at) => clock.move(at - clock.now()),
    )
    expect(done).toEqual(['a due 10 at 10', 'a restart', 'a due 20 at 20'])
    await scheduler.stop()
  })

  it('runs when it becomes due, and not earlier', async () => {
    const done: string[] = []
    const scheduler = createScheduler(context, [planned('a', [0, 50], done)])
    scheduler.start()
    await vi.waitFor(() => expect(done).toEqual(['a due 0 at 0']))
    clock.move(50)
    scheduler.wake()
    await vi.waitFor(() => expect(done).toHaveLength(2))
    await scheduler.stop()
  })

  it('runs punctual work as of its due time, however late, and other work as of now', async () => {
    const done: string[] = []
    const scheduler = createScheduler(context, [
      { ...planned('punctual', [10, 40], done), punctual: true },
      planned('other', [20], done),
    ])
    clock.move(50)
    scheduler.start()
    await vi.waitFor(() =>
      expect(done).toEqual([
        'punctual due 10 at 10',
        'other due 20 at 50',
        'punctual due 40 at 40',
      ]),
    )
    await scheduler.stop()
  })

  it('is logged and retried when it fails', async () => {
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
    expect(errors).toEqual(['due work failed and will be retried'])
  })

  it("doesn't start after a stop", async () => {
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
