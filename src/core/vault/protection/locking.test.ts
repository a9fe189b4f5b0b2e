import { expect, test } from 'vitest'
import type { Job } from '../../../contract/app/app.ts'
import { createPowerSource, watchSleep } from '../../../platform/power.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import { createLocking } from './locking.ts'
import { createSecretClipboard } from './secret-clipboard.ts'

const minute = 60_000
const upload: Job = {
  id: 'i',
  kind: 'key-import',
  accountId: 'a',
  title: 'Import',
  state: 'running',
  done: 1,
  total: 9,
  leftMs: null,
  can: [],
}

function lockingHarness(after: number) {
  const clock = manualClock()
  const power = createPowerSource()
  const locks: string[] = []
  const harness = { clock, power, locks, minutes: after, open: true, jobs: [] as Job[] }
  const locking = createLocking({
    clock,
    power,
    minutes: () => harness.minutes,
    jobs: () => harness.jobs,
    isOpen: () => harness.open,
    lock: (by) => {
      harness.open = false
      locks.push(by)
    },
  })
  locking.start()
  return { ...locking, harness }
}

test('locks the vault after the set time of inactivity, and not before', () => {
  const { harness, reportUse: used } = lockingHarness(15)
  harness.clock.advance(14 * minute)
  used()
  harness.clock.advance(15 * minute - 1)
  expect(harness.locks).toEqual([])
  harness.clock.advance(1)
  expect(harness.locks).toEqual(['time'])
})

test.each([-8 * 60, -60 * 24 * 365, 8 * 60])(
  'locks after the time of inactivity when the clock is set by %i minutes',
  (minutes) => {
    const { harness } = lockingHarness(15)
    harness.clock.advance(10 * minute)
    harness.clock.setBy(minutes * minute)
    harness.clock.advance(5 * minute - 1)
    expect(harness.locks).toEqual([])
    harness.clock.advance(minute)
    expect(harness.locks).toEqual(['time'])
  },
)

test('never locks by time when that is set, and counts a later setting from the last use', () => {
  const { harness } = lockingHarness(0)
  harness.clock.advance(600 * minute)
  expect(harness.locks).toEqual([])
  harness.minutes = 5
  harness.clock.advance(minute)
  expect(harness.locks).toEqual(['time'])
})

test('postpones locking during an upload, but not for a paused one', () => {
  const { harness } = lockingHarness(5)
  harness.jobs = [upload]
  harness.clock.advance(60 * minute)
  expect(harness.locks).toEqual([])
  harness.jobs = [{ ...upload, state: 'paused' }]
  harness.clock.advance(5 * minute)
  expect(harness.locks).toEqual(['time'])
})

test('locks immediately on sleep or screen lock, even during an upload', () => {
  const { harness, stop: end } = lockingHarness(0)
  harness.jobs = [upload]
  harness.power.report('screen')
  harness.open = true
  harness.power.report('sleep')
  expect(harness.locks).toEqual(['screen', 'sleep'])
  harness.open = true
  end()
  harness.power.report('sleep')
  expect(harness.locks).toHaveLength(2)
})

test('detects sleep by a clock far ahead of its timer, and not by a timer that is just late', () => {
  let now = 0
  let look = (): void => {}
  const heard: string[] = []
  watchSleep(
    () => now,
    (_ms, task) => {
      look = task
      return () => {}
    },
  ).onRest((why) => heard.push(why))
  for (const step of [15_000, 40_000, 15_000]) {
    now += step
    look()
  }
  expect(heard).toEqual([])
  now += 15_000 + 3_600_000
  look()
  now += 15_000
  look()
  expect(heard).toEqual(['sleep'])
})

function clipboardHarness() {
  const clock = manualClock()
  const held = { text: '' }
  const clipboard = createSecretClipboard(
    clock,
    {
      write: async (text) => {
        held.text = text
      },
      clearIf: async (text) => {
        if (held.text === text) held.text = ''
      },
    },
    (_where, error) => {
      throw error
    },
  )
  return { clock, held, clipboard }
}

test('clears a copied secret 30 seconds after the last copy', async () => {
  const { clock, held, clipboard } = clipboardHarness()
  expect(await clipboard.copy('first')).toEqual({ clearsAfterMs: 30_000 })
  clock.advance(20_000)
  await clipboard.copy('second')
  clock.advance(29_999)
  expect(held.text).toBe('second')
  clock.advance(1)
  expect(held.text).toBe('')
})

test('keeps text that another program copied in between, and clears a secret immediately on lock', async () => {
  const { clock, held, clipboard } = clipboardHarness()
  await clipboard.copy('secret')
  held.text = 'a shopping list'
  clock.advance(30_000)
  expect(held.text).toBe('a shopping list')
  await clipboard.copy('secret')
  await clipboard.clear()
  expect(held.text).toBe('')
  expect(await createSecretClipboard(clock, undefined, () => {}).copy('secret')).toEqual({
    clearsAfterMs: null,
  })
})

test('reports a clipboard that fails to clear, and never clears the same secret twice', async () => {
  const clock = manualClock()
  const reports: unknown[] = []
  const cleared: string[] = []
  const error = new Error('no clipboard')
  const clipboard = createSecretClipboard(
    clock,
    {
      write: async () => {},
      clearIf: async (text) => {
        cleared.push(text)
        throw error
      },
    },
    (where, reason) => reports.push([where, reason]),
  )
  await clipboard.clear()
  await clipboard.copy('secret')
  await clipboard.clear()
  clock.advance(60_000)
  await clipboard.clear()
  expect(cleared).toEqual(['secret'])
  expect(reports).toEqual([['clipboard', error]])
})

test('locks a vault that was opened again after it was locked by time, and stops on request', () => {
  const { harness, reportUse, stop: end } = lockingHarness(1)
  harness.clock.advance(10 * minute)
  expect(harness.locks).toEqual(['time'])
  harness.power.report('sleep')
  expect(harness.locks).toEqual(['time'])
  harness.open = true
  reportUse()
  harness.clock.advance(2 * minute)
  expect(harness.locks).toEqual(['time', 'time'])
  harness.open = true
  reportUse()
  end()
  harness.clock.advance(10 * minute)
  expect(harness.locks).toHaveLength(2)
})

test.each([
  ['key-check', 0],
  ['catalogue', 1],
])('a running %s job postpones locking only if it needs keys', (kind, count) => {
  const { harness } = lockingHarness(5)
  harness.jobs = [{ ...upload, kind } as Job]
  harness.clock.advance(60 * minute)
  expect(harness.locks).toHaveLength(count)
})

test('locks exactly at the end of the time of inactivity, also between two checks', () => {
  const { harness, reportUse } = lockingHarness(15)
  harness.clock.advance(14.5 * minute)
  reportUse()
  harness.clock.advance(15 * minute - 1)
  expect(harness.locks).toEqual([])
  harness.clock.advance(1)
  expect(harness.locks).toEqual(['time'])
})

test('applies a shorter time of inactivity within a minute', () => {
  const { harness } = lockingHarness(60)
  harness.clock.advance(10 * minute)
  harness.minutes = 5
  harness.clock.advance(minute)
  expect(harness.locks).toEqual(['time'])
})

test('leaves no timer behind when it is started twice and stopped', () => {
  const { harness, start, stop } = lockingHarness(5)
  start()
  stop()
  expect(harness.clock.advanceToNext(60 * minute)).toBe(60 * minute)
})

test('leaves no timer behind after a secret was cleared', async () => {
  const { clock, clipboard } = clipboardHarness()
  await clipboard.copy('secret')
  await clipboard.clear()
  expect(clock.advanceToNext(minute)).toBe(minute)
})
