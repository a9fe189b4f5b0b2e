import { expect, it } from 'vitest'
import { ruleInForce } from './rule-in-force.ts'

it('prices new offers by the table while it has prices, and otherwise below the shop price', () => {
  expect(ruleInForce(null, true)).toBe('given')
  expect(ruleInForce(null, false)).toBe('undercut')
})

it('keeps the chosen rule when the table gets prices or loses them', () => {
  expect([true, false].map((priced) => ruleInForce('shop', priced))).toEqual(['shop', 'shop'])
  expect([false, true].map((priced) => ruleInForce('given', priced))).toEqual(['undercut', 'given'])
})
