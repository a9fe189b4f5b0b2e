import { expect, test } from 'vitest'
import { manualClock } from '../testing/manual-clock.ts'
import { createFlights, IN_FLIGHT_MS } from './flights.ts'

const hour = 3_600_000

test.each([0, 8 * hour, -8 * hour])(
  'a request without a response can arrive for 20 s, also when the clock is set by %i ms',
  (ms) => {
    const clock = manualClock()
    const flights = createFlights(clock)
    expect(flights.isFlying('a')).toBe(false)
    flights.note('a')
    clock.setBy(ms)
    clock.advance(IN_FLIGHT_MS - 1)
    expect([flights.isFlying('a'), flights.isFlying('b')]).toEqual([true, false])
    clock.advance(1)
    expect(flights.isFlying('a')).toBe(false)
  },
)

test('a record of an earlier run is met once, and its flight begins then', () => {
  const clock = manualClock()
  const flights = createFlights(clock)
  flights.meet('a')
  clock.advance(IN_FLIGHT_MS - 1)
  flights.meet('a')
  expect(flights.isFlying('a')).toBe(true)
  clock.advance(1)
  flights.meet('a')
  expect(flights.isFlying('a')).toBe(false)
  flights.own('b')
  flights.meet('b')
  expect(flights.isFlying('b')).toBe(false)
})

test('meets each record of an earlier run, also if this run has sent or met another effect', () => {
  const flights = createFlights(manualClock())
  flights.meet('a', 'price 5')
  flights.meet('a', 'price 6')
  expect(flights.flying('a')).toEqual(['price 5', 'price 6'])
  flights.note('b', 'price 5')
  flights.meet('b', 'price 6')
  expect(flights.flying('b')).toEqual(['price 5', 'price 6'])
  flights.arrived('b', 'price 5')
  flights.meet('b', 'price 5')
  expect(flights.flying('b')).toEqual(['price 6'])
})

test('waits until no request with another effect can arrive, or the signal aborts', async () => {
  const clock = manualClock()
  const flights = createFlights(clock)
  const stop = new AbortController()
  await flights.landed('a', 'price 5', stop.signal)
  flights.note('a', 'price 5')
  await flights.landed('a', 'price 5', stop.signal)
  expect([flights.isFlying('a', 'price 5'), flights.isFlying('a', 'price 6')]).toEqual([
    false,
    true,
  ])
  expect(flights.flying('a')).toEqual(['price 5'])
  let landed = false
  const waiting = flights.landed('a', 'price 6', stop.signal).then(() => {
    landed = true
  })
  await clock.run(IN_FLIGHT_MS - 1)
  flights.note('a', 'price 7')
  await clock.run(IN_FLIGHT_MS - 1)
  expect(landed).toBe(false)
  await clock.run(1)
  await waiting
  flights.note('a', 'price 5')
  flights.arrived('a', 'price 5')
  flights.arrived('b', 'price 5')
  await flights.landed('a', 'price 6', stop.signal)
  flights.note('a', 'price 5')
  const stopped = flights.landed('a', 'price 6', stop.signal)
  stop.abort()
  await stopped
  expect(flights.isFlying('a')).toBe(true)
})

test('keeps a request in flight that was sent again, although the service shows its effect', () => {
  const clock = manualClock()
  const flights = createFlights(clock)
  flights.sends('a', 'price 5')
  flights.note('a', 'price 5')
  flights.sends('a', 'price 5')
  flights.arrived('a', 'price 5')
  expect(flights.flying('a')).toEqual(['price 5'])
  clock.advance(1)
  flights.note('a', 'price 5')
  flights.arrived('a', 'price 5')
  clock.advance(IN_FLIGHT_MS - 1)
  expect(flights.flying('a')).toEqual(['price 5'])
  clock.advance(1)
  expect(flights.flying('a')).toEqual([])
  flights.note('a', 'price 5')
  flights.arrived('a', 'price 5')
  expect(flights.flying('a')).toEqual([])
})
