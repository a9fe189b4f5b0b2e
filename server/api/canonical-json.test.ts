import fc from 'fast-check'
import { expect, it } from 'vitest'
import { canonicalJson } from './canonical-json.ts'

const shuffled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffled)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, shuffled(member)]),
  )
}

it('gives the same text for equal values, whatever the order of members', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const parsed: unknown = JSON.parse(JSON.stringify(value))
      expect(canonicalJson(shuffled(parsed))).toBe(canonicalJson(parsed))
      expect(JSON.parse(canonicalJson(parsed))).toEqual(parsed)
    }),
  )
})

it('gives different texts for different bodies', () => {
  expect(canonicalJson({ a: [1, 2] })).not.toBe(canonicalJson({ a: [2, 1] }))
  expect(canonicalJson({ count: '1' })).not.toBe(canonicalJson({ count: 1 }))
})

it('sorts by UTF-16 code units and prints each number in one form', () => {
  expect(canonicalJson(JSON.parse('{"b":1.0,"a":1e2,"\\u20ac":null,"A":[true,{}]}'))).toBe(
    '{"A":[true,{}],"a":100,"b":1,"€":null}',
  )
})
