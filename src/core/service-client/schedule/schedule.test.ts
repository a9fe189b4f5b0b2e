import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Priority } from '../../context.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import { createSchedule, serviceRates } from './schedule.ts'

const never = new AbortController().signal
const settled = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

/** The number of these times that fall into the fullest window starting at one of them. */
function fullest(moments: readonly number[], perMs: number): number {
  const sorted = [...moments].sort((a, b) => a - b)
  return Math.max(
    0,
    ...sorted.map((end, last) => sorted.slice(0, last + 1).filter((at) => at > end - perMs).length),
  )
}

/** The same for many times, in a single pass. */
function mostIn(moments: readonly number[], perMs: number): number {
  const sorted = moments.toSorted((a, b) => a - b)
  let first = 0
  return sorted.reduce((most, end, last) => {
    while ((sorted[first] ?? end) <= end - perMs) first += 1
    return Math.max(most, last - first + 1)
  }, 0)
}

test('gives the place of a request that wasn’t sent to the next one', async () => {
  const schedule = createSchedule(manualClock(0), {
    ...serviceRates,
    second: { max: 1, perMs: 1000 },
  })
  const unsent = await schedule.turn('person', 'orders', never)
  let isNext = false
  void schedule.turn('person', 'orders', never).then(() => (isNext = true))
  await settled()
  expect(isNext).toBe(false)
  unsent.unsent()
  await settled()
  expect(isNext).toBe(true)
  expect(schedule.budget().used).toBe(1)
})

test('never lets the service count more than its rate limits, whatever the delays in between', async () => {
  const request = fc.record({
    priority: fc.constantFrom<Priority>('person', 'watch', 'background'),
    pauseMs: fc.nat(120),
    thereMs: fc.nat(1500),
    backMs: fc.nat(1500),
    orderMs: fc.constantFrom(0, 0, 0, 20_000),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 60, maxLength: 250 }), async (requests) => {
      const clock = manualClock(0)
      const schedule = createSchedule(clock, {
        ...serviceRates,
        minute: { max: 100, perMs: 10_000 },
      })
      const received: number[] = []
      let at = 0
      for (const { priority, pauseMs, thereMs, backMs, orderMs } of requests) {
        clock.after(
          (at += pauseMs),
          () =>
            void schedule.turn(priority, null, never).then((slot) => {
              clock.after(thereMs, () => received.push(clock.now()))
              clock.after(thereMs + orderMs + backMs, () => slot.answered(clock.monotonic()))
            }),
        )
      }
      while (received.length < requests.length) await clock.run(500, 50)
      expect(fullest(received, 1000)).toBeLessThanOrEqual(20)
      expect(fullest(received, 10_000)).toBeLessThanOrEqual(100)
    }),
    { numRuns: 15 },
  )
})

test('uses at least 98 % of the rate without rejections, and no person waits over 300 ms', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 400 }),
      fc.array(fc.integer({ min: 900, max: 9000 }), { minLength: 20, maxLength: 60 }),
      fc.integer({ min: 2, max: 12 }),
      async (slowest, pauses, readers) => {
        const clock = manualClock(0)
        const schedule = createSchedule(clock, serviceRates)
        const received: number[] = []
        const waits: number[] = []
        let chance = 7
        const latency = (): number =>
          slowest === 0 ? 0 : (chance = (chance * 1103515245 + 12345) % 2 ** 31) % slowest
        const send = async (priority: Priority): Promise<void> => {
          const asked = clock.now()
          const slot = await schedule.turn(priority, null, never)
          if (priority === 'person') waits.push(clock.now() - asked)
          clock.after(latency(), () => received.push(clock.now()))
          await new Promise<void>((resolve) => {
            clock.after(slowest, () => {
              slot.answered(clock.monotonic())
              resolve()
            })
          })
        }
        // As many readers as it takes to keep the connection busy at this latency.
        for (let reader = 0; reader < Math.max(readers, Math.ceil(slowest / 50)); reader += 1)
          void (async () => {
            for (;;) await send('background')
          })()
        void (async () => {
          for (let turn = 0; ; turn += 1) {
            await new Promise<void>((resolve) => {
              clock.after(pauses[turn % pauses.length] ?? 1000, resolve)
            })
            void send(turn % 3 === 0 ? 'watch' : 'person')
          }
        })()
        await clock.run(61_000, 25)
        const before = received.length
        await clock.run(300_000, 25)
        expect(received.length - before).toBeGreaterThanOrEqual(0.98 * 3000)
        expect(Math.max(0, ...waits)).toBeLessThanOrEqual(300)
        expect(mostIn(received, 1000)).toBeLessThanOrEqual(20)
        expect(mostIn(received, 60_000)).toBeLessThanOrEqual(600)
      },
    ),
    { numRuns: 2 },
  )
})

test('serves a person first, then watches, then background work, each in order', async () => {
  const clock = manualClock(0)
  const schedule = createSchedule(clock, serviceRates)
  for (let i = 0; i < 20; i++)
    (await schedule.turn('person', null, never)).answered(clock.monotonic())
  const went: string[] = []
  for (const name of [
    'background 1',
    'watch 1',
    'person 1',
    'background 2',
    'watch 2',
    'person 2',
  ] as const) {
    const priority = name.split(' ')[0] as Priority
    void schedule.turn(priority, null, never).then((slot) => {
      went.push(name)
      slot.answered(clock.monotonic())
    })
  }
  await settled()
  expect(went).toEqual([])
  await clock.run(2000, 1)
  expect(went).toEqual([
    'person 1',
    'person 2',
    'watch 1',
    'watch 2',
    'background 1',
    'background 2',
  ])
})

test('leaves two places a second free while a person is active', async () => {
  const clock = manualClock(0)
  const schedule = createSchedule(clock, serviceRates)
  async function sentAtOnce(priority: Priority): Promise<number> {
    const leave = new AbortController()
    let sent = 0
    for (let i = 0; i < 30; i++)
      schedule.turn(priority, null, leave.signal).then(
        (slot) => {
          sent += 1
          slot.answered(clock.monotonic())
        },
        () => {},
      )
    await settled()
    leave.abort()
    return sent
  }
  expect(await sentAtOnce('watch')).toBe(20)
  await clock.run(2000, 100)
  const person = await schedule.turn('person', null, never)
  person.answered(clock.monotonic())
  await clock.run(4900, 100)
  expect(await sentAtOnce('watch')).toBe(18)
  await clock.run(1100, 100)
  expect(await sentAtOnce('watch')).toBe(20)
  await clock.run(1100, 100)
  expect(await sentAtOnce('background')).toBe(16)
})

test('gives uploads their own 300 a minute, without delaying other requests', async () => {
  const clock = manualClock(0)
  const schedule = createSchedule(clock, { ...serviceRates, second: { max: 10_000, perMs: 1000 } })
  const uploads: number[] = []
  for (let i = 0; i < 301; i++)
    void schedule.turn('person', 'uploads', never).then((slot) => {
      uploads.push(clock.now())
      slot.answered(clock.monotonic())
    })
  await settled()
  expect(uploads).toHaveLength(300)
  const other = await schedule.turn('person', null, never)
  other.answered(clock.monotonic())
  await clock.run(59_000, 1000)
  expect(uploads).toHaveLength(300)
  await clock.run(1100, 100)
  expect(uploads).toHaveLength(301)
})

test('sends nothing before the time that a rate rejection asked for', async () => {
  const clock = manualClock(0)
  const schedule = createSchedule(clock, serviceRates)
  schedule.holdOff(700, null)
  expect(schedule.heldFor()).toBe(700)
  let at = -1
  void schedule.turn('person', null, never).then(() => {
    at = clock.now()
  })
  await clock.run(690, 10)
  expect(at).toBe(-1)
  await clock.run(10, 10)
  expect(at).toBe(700)
  expect(schedule.heldFor()).toBe(0)
})

test('leaves the queue without using a place when a call is cancelled', async () => {
  const clock = manualClock(0)
  const schedule = createSchedule(clock, serviceRates)
  schedule.holdOff(1000, null)
  const giveUp = new AbortController()
  const gone = schedule.turn('person', null, giveUp.signal)
  giveUp.abort(new Error('given up'))
  await expect(gone).rejects.toThrow('given up')
  await clock.run(1100, 100)
  expect(schedule.budget()).toEqual({ used: 0, limit: 600 })
})

test('sends without limits while the service counts no requests, and counts those too once it does', async () => {
  const clock = manualClock(0)
  const schedule = createSchedule(clock, serviceRates)
  schedule.enforceRates(false)
  for (let i = 0; i < 2000; i++)
    (await schedule.turn('background', 'uploads', never)).answered(clock.monotonic())
  expect(schedule.budget()).toEqual({ used: 2000, limit: null })
  schedule.enforceRates(true)
  expect(schedule.budget()).toEqual({ used: 2000, limit: 600 })
  let at = -1
  void schedule.turn('person', null, never).then(() => {
    at = clock.now()
  })
  await clock.run(59_900, 100)
  expect(at).toBe(-1)
  await clock.run(100, 100)
  expect(at).toBe(60_000)
})
