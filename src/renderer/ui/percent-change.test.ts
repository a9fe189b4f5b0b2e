import { expect, test } from 'vitest'
import { cents } from '../../../server/api/money.ts'
import { percentChange } from './percent-change.ts'

test.each([
  [550, 4400, '+700 %'],
  [1000, 995, '−0.5 %'],
  [1000, 1004, '+0.4 %'],
  [500, 250, '−50 %'],
  [0, 500, 'new'],
])('names the change from %i to %i cents: %s', (from, to, words) => {
  expect(percentChange(cents(from), cents(to))).toBe(words)
})
