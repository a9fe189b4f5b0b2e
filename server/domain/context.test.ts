import fc from 'fast-check'
import { expect, it } from 'vitest'
import { instantText } from './context.ts'

it('writes every time as Date does', () => {
  const times = fc.oneof(
    fc.date({ noInvalidDate: true }).map((date) => date.getTime()),
    fc.integer({ min: -1e10, max: 2e12 }),
    fc.double({ min: 0, max: 2e12, noNaN: true }),
  )
  fc.assert(
    fc.property(times, (at) => {
      expect(instantText(at)).toBe(new Date(at).toISOString())
    }),
    { numRuns: 2000 },
  )
})

it.each([Number.NaN, Infinity, 1e20])('rejects %s', (at) => {
  expect(() => instantText(at)).toThrow(RangeError)
})
