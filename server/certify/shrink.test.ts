import { expect, test } from 'vitest'
import type { Violation } from './judge.ts'
import { readSchedule, type Schedule, scheduleText } from './schedule.ts'
import { shrink, withOtherKills } from './shrink.ts'

const read = (text: string): Schedule => {
  const schedule = readSchedule(text)
  if (schedule === null) throw new Error(`not a schedule: ${text}`)
  return schedule
}
const violation: Violation = { invariant: 'once', order: 1, detail: '' }

/** Shrinks under a handler that fails whenever `fails` says so. */
async function smallest(text: string, fails: (schedule: Schedule) => boolean): Promise<string> {
  const reproduce = (schedule: Schedule) => Promise.resolve(fails(schedule) ? [violation] : [])
  const { schedule } = await shrink({ schedule: read(text), violations: [violation] }, reproduce)
  return scheduleText(schedule)
}
const long =
  'partial failed completed: test; slow 1; pair 2; cut 1; resend 2; other; deliver 3; lost 2'

test('keeps only the steps that matter, on ordinary orders', async () => {
  const resent = ({ steps }: Schedule) =>
    steps.some(({ verb, order }, at) =>
      steps.some(
        (later, after) =>
          verb === 'pair' && later.verb === 'resend' && at < after && order === later.order,
      ),
    )
  expect(await smallest(long, resent)).toBe('completed: pair 1; resend 1')
})

test('keeps two orders if their events have to cross', async () => {
  const crossed = ({ steps }: Schedule) =>
    steps.some(({ order }, at) => steps.slice(at + 1).some((later) => later.order < order))
  const found = await smallest('completed partial: deliver 1; lost 2; pair 1; deliver 2', crossed)
  expect(found).toBe('completed completed: deliver 2; deliver 1')
})

test('returns the failure as it is if nothing smaller fails', async () => {
  expect(await smallest(long, () => false)).toBe(long)
})

test('tries kills at every moment, the given one first', () => {
  const schedule = read('completed: kill 1 30')
  const moments = Array.from({ length: 7 }, (_, attempt) =>
    scheduleText(withOtherKills(schedule, attempt)),
  )
  expect(moments[0]).toBe('completed: kill 1 30')
  expect(new Set(moments).size).toBe(6)
})
