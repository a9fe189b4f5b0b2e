import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cadences, pauseBeforeNextPoll } from './cadence.ts'
import type { Situation } from './cadence.ts'

const everyTopic = fc.constantFrom(...Object.values(cadences))
const anywhere: fc.Arbitrary<Situation> = fc.record({
  inFront: fc.boolean(),
  hidden: fc.boolean(),
  quiet: fc.nat(500),
  requests: fc.nat(2000),
})

test('polls the foreground topic at least as often as others, and those at least as often as hidden ones', () => {
  fc.assert(
    fc.property(everyTopic, anywhere, (cadence, at) => {
      const shown = pauseBeforeNextPoll(cadence, { ...at, inFront: true, hidden: false })
      const away = pauseBeforeNextPoll(cadence, { ...at, inFront: false, hidden: false })
      const hidden = pauseBeforeNextPoll(cadence, { ...at, hidden: true })
      expect(shown).toBeLessThanOrEqual(away)
      expect(away).toBeLessThanOrEqual(hidden)
    }),
  )
})

test('pauses grow up to the maximum while nothing changes, and never shrink with more requests', () => {
  fc.assert(
    fc.property(everyTopic, anywhere, (cadence, at) => {
      expect(pauseBeforeNextPoll(cadence, { ...at, quiet: at.quiet + 1 })).toBeGreaterThanOrEqual(
        pauseBeforeNextPoll(cadence, at),
      )
      expect(
        pauseBeforeNextPoll(cadence, { ...at, requests: at.requests + 1 }),
      ).toBeGreaterThanOrEqual(pauseBeforeNextPoll(cadence, at))
      expect(pauseBeforeNextPoll(cadence, { ...at, requests: 1 })).toBeLessThanOrEqual(
        cadence.longestMs,
      )
      expect(pauseBeforeNextPoll(cadence, at)).toBeGreaterThanOrEqual(cadence.frontMs)
    }),
  )
})

test('no topic exceeds its share of the 600 requests a minute, and all sellers’ topics together take half', () => {
  fc.assert(
    fc.property(everyTopic, anywhere, (cadence, at) => {
      const aMinute = (at.requests * 60_000) / pauseBeforeNextPoll(cadence, at)
      expect(aMinute).toBeLessThanOrEqual(600 * cadence.share + 1e-6)
    }),
  )
  const { offers, sales, disputes, balance } = cadences
  expect(
    [offers, sales, disputes, balance].reduce((sum, { share }) => sum + share, 0),
  ).toBeLessThanOrEqual(0.5)
})
