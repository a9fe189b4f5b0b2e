import { expect, test } from 'vitest'
import { fill, grouped } from './text.ts'

test('a template inserts its values, and rejects a placeholder without a value', () => {
  expect(fill('{a} and {b}', { a: 'one', b: 'two' })).toBe('one and two')
  expect(() => fill('{a} and {c}', { a: 'one' })).toThrow('"c"')
})

test.each([
  [5, '5'],
  [999, '999'],
  [1200, '1,200'],
  [14000, '14,000'],
  [1_000_000, '1,000,000'],
])('%i is formatted as %s', (amount, text) => {
  expect(grouped(amount)).toBe(text)
})
