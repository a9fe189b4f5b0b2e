import { expect, test } from 'vitest'
import { hasKill, readSchedule, scheduleOf, scheduleText, withoutUnused } from './schedule.ts'

test('the same seed gives the same schedules, with kills only if they are possible', () => {
  const all = Array.from({ length: 300 }, (_, index) => scheduleOf(7, index, true))
  expect(all).toEqual(Array.from({ length: 300 }, (_, index) => scheduleOf(7, index, true)))
  expect(all.some(hasKill)).toBe(true)
  expect(Array.from({ length: 300 }, (_, at) => scheduleOf(7, at, false)).some(hasKill)).toBe(false)
  expect(scheduleOf(8, 0, true)).not.toEqual(all[0])
})

test('is printed as a text that reads back', () => {
  for (let index = 0; index < 300; index += 1) {
    const schedule = scheduleOf(3, index, true)
    const { orders, steps } = readSchedule(scheduleText(schedule)) ?? { orders: [], steps: [] }
    expect(orders).toEqual(schedule.orders)
    // The text of an event that isn't about an order of the schedule names none.
    const named = schedule.steps.map((step) =>
      step.verb === 'test' || step.verb === 'other' ? { ...step, order: 0 } : step,
    )
    expect(steps).toEqual(named)
  }
  expect(readSchedule('completed: kill 1 30; resend 1')).toEqual({
    orders: ['completed'],
    steps: [
      { verb: 'kill', order: 0, variant: '30' },
      { verb: 'resend', order: 0, variant: null },
    ],
  })
})

test.each([
  '',
  'completed',
  'completed:',
  'sold: deliver 1',
  'completed: send 1',
  'completed: deliver 2',
  'completed: deliver',
  'completed: forged 1',
  'completed: forged 1 nothing',
  'completed: deliver 1 twice',
  'completed: toString 1',
])('refuses %j', (text) => {
  expect(readSchedule(text)).toBeNull()
})

test('drops orders that no step is about', () => {
  const step = { verb: 'deliver', order: 2, variant: null } as const
  expect(withoutUnused({ orders: ['failed', 'partial', 'completed'], steps: [step] })).toEqual({
    orders: ['completed'],
    steps: [{ ...step, order: 0 }],
  })
})
