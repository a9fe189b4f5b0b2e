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

test('takes at most 60 requests a minute for 20,000 offers and 2,000 disputes that don’t change', () => {
  const pages = { offers: 200, disputes: 20, sales: 1, balance: 1 } as const
  for (const hidden of [false, true]) {
    const aMinute = Object.entries(pages).reduce((sum, [topic, requests]) => {
      const pause = pauseBeforeNextPoll(cadences[topic as keyof typeof pages], {
        inFront: false,
        hidden,
        quiet: 10,
        requests,
      })
      return sum + (requests * 60_000) / pause
    }, 0)
    expect(aMinute).toBeLessThanOrEqual(60)
  }
})
