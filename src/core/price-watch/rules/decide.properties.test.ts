import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decide } from './decide.ts'
import { violatedInvariant } from './testing/checks.ts'
import { simulateRivalry, rivals } from './testing/rivalry.ts'
import { anyRule, anySituation } from './testing/situations.ts'

const runs = { numRuns: 4000, seed: 20_261_121 }

describe('in any situation', () => {
  test('stays within limits, ignores stale facts, respects stops and holds, and never competes with itself', () => {
    fc.assert(
      fc.property(anySituation, (situation) => {
        expect(violatedInvariant(situation)).toBeNull()
      }),
      runs,
    )
  })

  test('reaches every kind of change', () => {
    const reached = new Set(
      fc.sample(anySituation, runs).flatMap(({ stored, facts, state, now, conditions }) => {
        const { reason, targetCents } = decide(stored, facts, state, now, conditions)
        return targetCents === null ? [] : [reason]
      }),
    )
    expect([...reached].sort()).toEqual([
      'down-to-ceiling',
      'match',
      'raise',
      'step-back',
      'to-floor',
      'undercut',
      'up-to-floor',
    ])
  })

  test('makes the same decision for the same situation', () => {
    fc.assert(
      fc.property(anySituation, ({ stored, facts, state, now, conditions }) => {
        expect(decide(stored, facts, state, now, conditions)).toEqual(
          decide(
            structuredClone(stored),
            structuredClone(facts),
            structuredClone(state),
            now,
            conditions,
          ),
        )
      }),
      { ...runs, numRuns: 300 },
    )
  })
})

describe.each(rivals)('over three days against %s', (rival) => {
  test('makes no more changes than the rule allows, per day and in a price war', () => {
    fc.assert(
      fc.property(
        anyRule,
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })),
        (rule, chances) => {
          const stream = chances[Symbol.iterator]()
          const { most24h, mostInWar, broken } = simulateRivalry(
            rule,
            rival,
            () => stream.next().value ?? 0,
          )
          expect(broken).toBeNull()
          expect(most24h).toBeLessThanOrEqual(rule.changesADay)
          expect(mostInWar).toBeLessThanOrEqual(rule.war.changes)
        },
      ),
      { numRuns: 25, seed: 7 },
    )
  })
})
