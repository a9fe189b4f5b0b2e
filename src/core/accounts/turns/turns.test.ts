import { expect, it } from 'vitest'
import type { Duty } from '../../context.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import { createTurns } from './turns.ts'

/** Accounts `a0`, `a1`, …, whose files take 10 ms to close. Twelve seats let eight of them work. */
function createAccounts(count: number, seats = 12) {
  const clock = manualClock()
  const ids = Array.from({ length: count }, (_, index) => `a${index}`)
  const working = new Set<string>()
  const open = new Set<string>()
  const world = {
    clock,
    ids,
    working,
    open,
    current: 'a0',
    duties: new Map<string, Duty>(),
    busy: new Set<string>(),
    /** Turns that each account has had. */
    woken: new Map<string, number>(),
    rested: [] as string[],
    reports: [] as unknown[],
    most: 0,
    failRest: null as string | null,
  }
  const opened = (id: string): void => {
    open.add(id)
    world.most = Math.max(world.most, open.size)
  }
  const turns = createTurns({
    clock,
    seats,
    ids: () => ids,
    opened: () => [...open],
    isOpen: (id) => open.has(id),
    canWork: () => true,
    isWorking: (id) => working.has(id),
    idleMs: (id) => (world.busy.has(id) ? 0 : 60_000),
    isCurrent: (id) => id === world.current,
    duty: (id) => world.duties.get(id) ?? null,
    onOpen: opened,
    wake(id) {
      working.add(id)
      opened(id)
      world.woken.set(id, (world.woken.get(id) ?? 0) + 1)
    },
    async rest(id) {
      working.delete(id)
      await new Promise<void>((resolve) => clock.after(10, resolve))
      if (world.failRest === id) throw new Error('no rest')
      open.delete(id)
      world.rested.push(id)
    },
    report: (_where, error) => world.reports.push(error),
  })
  const run = (seconds: number): Promise<void> => clock.run(seconds * 1000, 10)
  turns.begin()
  return { ...world, world, turns, run }
}

it('gives every account turns, the one that slept longest first, and never opens more than its seats', async () => {
  const { world, woken, run } = createAccounts(40)
  await run(300)
  expect(woken.size).toBe(40)
  const counts = [...woken].flatMap(([id, turns]) => (id === 'a0' ? [] : [turns]))
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(Math.max(...counts) - 1)
  expect(world.most).toBeLessThanOrEqual(12)
})

it('never rests the current account, nor one with work that has to stay', async () => {
  const { rested, duties, run } = createAccounts(30)
  duties.set('a3', 'stay')
  await run(300)
  expect(rested).not.toContain('a0')
  expect(rested).not.toContain('a3')
})

it('gives turns to others when all seats have work that has to stay', async () => {
  const { ids, woken, duties, run } = createAccounts(40)
  for (const id of ids.slice(0, 20)) duties.set(id, 'stay')
  await run(600)
  expect(woken.size).toBe(40)
})

it('lets an account finish its requests, at most for two minutes while others wait', async () => {
  const { busy, rested, run } = createAccounts(20)
  busy.add('a1')
  await run(60)
  expect(rested).not.toContain('a1')
  await run(90)
  expect(rested).toContain('a1')
})

it('lets an account with unfinished work sleep for a shorter time', async () => {
  const { working, duties, run } = createAccounts(150)
  duties.set('a10', 'soon')
  const longest = new Map<string, number>()
  const sleeping = new Map<string, number>()
  await run(200)
  for (let second = 0; second < 600; second += 1) {
    await run(1)
    for (const id of ['a10', 'a30']) {
      const slept = working.has(id) ? 0 : (sleeping.get(id) ?? 0) + 1
      sleeping.set(id, slept)
      longest.set(id, Math.max(slept, longest.get(id) ?? 0))
    }
  }
  expect(longest.get('a10')).toBeLessThan((longest.get('a30') ?? 0) / 2)
})

it('opens an account for a person at once, and closes its files when nobody uses them', async () => {
  const { open, working, turns, run } = createAccounts(40)
  await run(5)
  const asleep = 'a35'
  expect(turns.isAsleep(asleep)).toBe(true)
  expect(await turns.use(asleep, false, () => open.has(asleep))).toBe(true)
  expect(working.has(asleep)).toBe(false)
  await run(5)
  expect(open.has(asleep)).toBe(false)
  await turns.use(asleep, true, () => {})
  expect(working.has(asleep)).toBe(true)
})

it('waits until the files of an account are closed before it opens them again', async () => {
  const { clock, rested, open, turns, run, working } = createAccounts(40)
  await run(20)
  const events: string[] = []
  const closing = await new Promise<string>((resolve) => {
    const check = (): void => {
      const found = [...open].find((id) => !working.has(id) && id !== 'a0')
      if (found === undefined) clock.after(1, check)
      else resolve(found)
    }
    check()
    void clock.run(60_000, 1)
  })
  const before = rested.filter((id) => id === closing).length
  const used = turns.use(closing, true, () => {
    events.push(`used after ${rested.filter((id) => id === closing).length - before} rests`)
    return open.has(closing)
  })
  await clock.run(100, 1)
  expect(await used).toBe(true)
  expect(events).toEqual(['used after 1 rests'])
})

it('serves a thousand requests at the same time within the seats, each account’s together', async () => {
  const { ids, world, run, turns } = createAccounts(200)
  await run(5)
  let done = 0
  for (let round = 0; round < 5; round += 1)
    for (const id of ids)
      void turns.use(id, false, () => {
        done += 1
      })
  await run(30)
  expect(done).toBe(1000)
  expect(world.most).toBeLessThanOrEqual(12)
})

it('reports an account that can’t rest and tries again', async () => {
  const { world, reports, rested, run } = createAccounts(20)
  world.failRest = 'a1'
  await run(60)
  expect(reports.length).toBeGreaterThan(0)
  world.failRest = null
  await run(60)
  expect(rested).toContain('a1')
})
