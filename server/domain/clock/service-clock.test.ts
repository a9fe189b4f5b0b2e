import { expect, it } from 'vitest'
import { createTestClock } from '../testing/fixture.ts'
import { createServiceClock } from './service-clock.ts'

/** Named values in memory, and the names of all that were written. */
function memorySettings() {
  const values = new Map<string, string>()
  const written: string[] = []
  return {
    written,
    get: (name: string) => values.get(name),
    set(name: string, value: string) {
      values.set(name, value)
      written.push(name)
    },
  }
}

it('follows the computer’s time until it is moved, then runs ahead of it, also after a restart', () => {
  const machine = createTestClock(1000)
  const settings = memorySettings()
  const clock = createServiceClock(machine, settings)
  expect([clock.now(), clock.offset()]).toEqual([1000, 0])
  clock.moveTo(5000)
  machine.move(10)
  expect([clock.now(), clock.offset()]).toEqual([5010, 4000])
  expect(createServiceClock(machine, settings).now()).toBe(5010)
})

it('is never moved back, and writes only when it moves', () => {
  const settings = memorySettings()
  const clock = createServiceClock(createTestClock(1000), settings)
  clock.moveTo(5000)
  clock.moveTo(5000)
  clock.moveTo(2000)
  expect(clock.offset()).toBe(4000)
  expect(settings.written).toHaveLength(1)
})

it('is moved by at least the offset that is given', () => {
  const clock = createServiceClock(createTestClock(1000), memorySettings())
  clock.moveTo(1500, 700)
  expect(clock.offset()).toBe(700)
  clock.moveTo(2500, 700)
  expect(clock.offset()).toBe(1500)
})

it('shows the time of a restored state after it is reloaded', () => {
  const settings = memorySettings()
  const clock = createServiceClock(createTestClock(1000), settings)
  clock.moveTo(5000)
  const [name = ''] = settings.written
  settings.set(name, '60')
  expect(clock.offset()).toBe(4000)
  clock.reload()
  expect([clock.now(), clock.offset()]).toEqual([1060, 60])
})
