import { describe, expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import type { PriceRule, RuleScope } from '../../../contract/price-watch/price-rules.ts'
import { covers, isInForce, isTimed, ruleFor } from './fits.ts'
import { facts, rule } from './testing/examples.ts'
import { noon } from './testing/situations.ts'

const filter = (some: Partial<Extract<RuleScope, { kind: 'filter' }>> = {}): RuleScope => ({
  kind: 'filter',
  platforms: [],
  regions: [],
  productTypes: [],
  deliveryTypes: [],
  fromCents: null,
  toCents: null,
  ...some,
})

describe('a scope', () => {
  test.each<[string, RuleScope, boolean]>([
    ['of all offers', { kind: 'all' }, true],
    ['of offers that includes this one', { kind: 'offers', offerIds: ['off_9', 'off_1'] }, true],
    ['of other offers', { kind: 'offers', offerIds: ['off_9'] }, false],
    ['without conditions', filter(), true],
    ['of its platform', filter({ platforms: ['GOG', 'Steam'] }), true],
    ['of another platform', filter({ platforms: ['GOG'] }), false],
    ['of its region', filter({ regions: ['Global'] }), true],
    ['of another region', filter({ regions: ['Europe'] }), false],
    ['of its product type', filter({ productTypes: ['game'] }), true],
    ['of another product type', filter({ productTypes: ['dlc'] }), false],
    ['of its delivery type', filter({ deliveryTypes: ['key'] }), true],
    ['of another delivery type', filter({ deliveryTypes: ['account'] }), false],
    ['from its price', filter({ fromCents: cents(1414) }), true],
    ['from a higher price', filter({ fromCents: cents(1415) }), false],
    ['up to its price', filter({ toCents: cents(1414) }), true],
    ['up to a lower price', filter({ toCents: cents(1413) }), false],
    ['that only partly matches', filter({ platforms: ['Steam'], regions: ['Europe'] }), false],
  ])('%s', (_, scope, expected) => {
    expect(covers(scope, facts())).toBe(expected)
  })
})

test.each([
  [{}, true],
  [{ startsAt: noon }, true],
  [{ startsAt: noon + 1 }, false],
  [{ endsAt: noon + 1 }, true],
  [{ endsAt: noon }, false],
  [{ startsAt: noon - 1, endsAt: noon }, false],
])('a rule with the dates %o is in force at noon: %s', (dates, expected) => {
  const stored = { ruleId: 'r1', revision: 1, rule: rule(dates) }
  expect(isInForce({ ...stored, mode: 'propose' }, noon)).toBe(expected)
  expect(isInForce({ ...stored, mode: 'auto' }, noon)).toBe(expected)
  expect(isInForce({ ...stored, mode: 'off' }, noon)).toBe(false)
})

test('applies the first rule in force that matches', () => {
  const rules = [
    { ruleId: 'off', revision: 1, mode: 'off', rule: rule() },
    { ruleId: 'later', revision: 1, mode: 'auto', rule: rule({ startsAt: noon + 1 }) },
    {
      ruleId: 'one',
      revision: 1,
      mode: 'propose',
      rule: rule({ scope: { kind: 'offers', offerIds: ['off_9'] } }),
    },
    {
      ruleId: 'steam',
      revision: 1,
      mode: 'propose',
      rule: rule({ scope: filter({ platforms: ['Steam'] }) }),
    },
    { ruleId: 'rest', revision: 1, mode: 'propose', rule: rule() },
  ] as const
  expect(ruleFor(rules, facts(), noon)?.ruleId).toBe('steam')
  expect(ruleFor(rules, facts({ offerId: 'off_9' }), noon)?.ruleId).toBe('one')
  expect(ruleFor(rules, facts({ platform: 'GOG' }), noon)?.ruleId).toBe('rest')
  expect(ruleFor(rules, facts({ platform: 'GOG' }), noon + 1)?.ruleId).toBe('later')
  expect(ruleFor(rules.slice(0, 3), facts(), noon)).toBeNull()
})

const hours = (some: Partial<PriceRule['hours']>): Partial<PriceRule> => ({
  hours: { ...rule().hours, ...some },
})
test.each([
  ['no hours or dates', {}, false],
  ['hours', hours({ from: 540, to: 600 }), true],
  ['days', hours({ days: [1, 2, 3, 4, 5] }), true],
  ['a start', { startsAt: noon }, true],
  ['an end', { endsAt: noon }, true],
])('a rule with %s depends on the time: %s', (_, some, expected) => {
  expect(isTimed(rule(some))).toBe(expected)
})
