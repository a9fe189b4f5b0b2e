import { expect, test } from 'vitest'
import type { Job } from '../../contract/app.ts'
import { createPowerSource, watchSleep } from '../../platform/power.ts'
import { manualClock } from '../testing/manual-clock.ts'
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

function lockingDesk(after: number) {
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
  locking.begin()
  return { ...locking, harness }
}

test('the vault locks when nobody has used the console for so long, and not before', () => {
  const { harness, used } = lockingDesk(15)
  harness.clock.advance(14 * minute)
  used()
  harness.clock.advance(15 * minute - 1)
  expect(harness.locks).toEqual([])
  harness.clock.advance(1)
  expect(harness.locks).toEqual(['time'])
})

test('a setting of never is kept to, and one that is chosen later counts from the last use', () => {
  const { harness } = lockingDesk(0)
  harness.clock.advance(600 * minute)
  expect(harness.locks).toEqual([])
  harness.minutes = 5
  harness.clock.advance(minute)
  expect(harness.locks).toEqual(['time'])
})

test('an upload that runs puts the time off; a paused one does not', () => {
  const { harness } = lockingDesk(5)
  harness.jobs = [upload]
  harness.clock.advance(60 * minute)
  expect(harness.locks).toEqual([])
  harness.jobs = [{ ...upload, state: 'paused' }]
  harness.clock.advance(5 * minute)
  expect(harness.locks).toEqual(['time'])
})

test('sleep and the screen’s lock close it at once, also while an upload runs, until the end', () => {
  const { harness, end } = lockingDesk(0)
  harness.jobs = [upload]
  harness.power.tell('screen')
  harness.open = true
  harness.power.tell('sleep')
  expect(harness.locks).toEqual(['screen', 'sleep'])
  harness.open = true
  end()
  harness.power.tell('sleep')
  expect(harness.locks).toHaveLength(2)
})

test('a clock that has run far ahead of its timer tells that the machine slept; a late timer does not', () => {
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

function clipboardDesk() {
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

test('a copied secret is cleared after 30 seconds, counted anew by each copy', async () => {
  const { clock, held, clipboard } = clipboardDesk()
  expect(await clipboard.copy('first')).toEqual({ clearsAfterMs: 30_000 })
  clock.advance(20_000)
  await clipboard.copy('second')
  clock.advance(29_999)
  expect(held.text).toBe('second')
  clock.advance(1)
  expect(held.text).toBe('')
})

test('what somebody else copied meanwhile stays, and a lock clears at once', async () => {
  const { clock, held, clipboard } = clipboardDesk()
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
