import { expect, test } from 'vitest'
import type { Problem } from '../../../contract/base.ts'
import { systemRandomness } from '../../randomness.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import { createCircuit } from './circuit.ts'
import { cancelledProblem } from '../problems/problems.ts'

const offline: Problem = { ...cancelledProblem, code: 'OFFLINE' }
const lost: Problem = { ...cancelledProblem, code: 'ANSWER_LOST' }
const start = (fraction = 0.5) => {
  const clock = manualClock(0)
  return { clock, circuit: createCircuit(clock, { ...systemRandomness, fraction: () => fraction }) }
}

test('goes offline after two lost responses in a row, and restarts the count at a response in between', () => {
  const { circuit } = start()
  circuit.failed(lost)
  circuit.answered()
  circuit.failed(lost)
  expect(circuit.state()).toMatchObject({ state: 'doubtful', since: 0 })
  circuit.failed(lost)
  expect(circuit.state()).toMatchObject({
    state: 'offline',
    since: 0,
    problem: { code: 'ANSWER_LOST' },
  })
})

test('stays doubtful, and sends requests, however often a response is late', () => {
  const { clock, circuit } = start()
  expect(circuit.requestTest()).toBe(false)
  circuit.doubted(lost)
  for (const ms of [1000, 2000, 4000]) {
    expect(circuit.requestTest()).toBe(false)
    clock.advance(ms)
    expect([circuit.requestTest(), circuit.requestTest()]).toEqual([true, false])
    expect(circuit.requestSend(false)).toBe('go')
    circuit.doubted(lost)
    circuit.tested()
  }
  expect(circuit.state()).toMatchObject({ state: 'doubtful', since: 0 })
  circuit.answered()
  expect(circuit.state()).toEqual({ state: 'online', since: 7000 })
  expect(circuit.requestTest()).toBe(false)
})

test('counts the time of the first doubt as the start of being offline', () => {
  const { clock, circuit } = start()
  circuit.doubted(lost)
  clock.advance(900)
  circuit.failed(lost)
  circuit.failed(lost)
  circuit.doubted(lost)
  expect(circuit.state()).toMatchObject({ state: 'offline', since: 0 })
  expect(circuit.requestTest()).toBe(true)
})

test('lets one request at a time probe an offline address: at the next try, or when a person asks', () => {
  const { clock, circuit } = start()
  circuit.failed(offline)
  expect(circuit.requestSend(false)).toBe('wait')
  expect(circuit.requestSend(true)).toBe('probe')
  expect(circuit.requestSend(true)).toBe('wait')
  circuit.released()
  clock.advance(2000)
  expect(circuit.requestSend(false)).toBe('probe')
  circuit.answered()
  expect(circuit.state()).toEqual({ state: 'online', since: 2000 })
  expect([circuit.requestSend(false), circuit.requestSend(true)]).toEqual(['go', 'go'])
})

test('lengthens the tries from a second to a minute, a quarter either way, and keeps `since`', () => {
  for (const [fraction, share] of [
    [0, 0.75],
    [0.9999, 1.25],
  ] as const) {
    const { clock, circuit } = start(fraction)
    const waits: number[] = []
    for (let failures = 0; failures < 9; failures += 1) {
      circuit.failed(offline)
      const state = circuit.state()
      if (state.state !== 'offline') throw new Error('online')
      expect(state.since).toBe(0)
      waits.push(Math.round((state.nextTry - clock.monotonic()) / share / 100) / 10)
      clock.advance(state.nextTry - clock.monotonic())
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
  }
})
