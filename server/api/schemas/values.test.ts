import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { booleanText, canonicalInstant, instantInput, integerText } from './values.ts'

describe('date-times', () => {
  it('gives the same instant for any offset', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date(0), max: new Date('2099-12-31T00:00:00Z'), noInvalidDate: true }),
        fc.integer({ min: -1439, max: 1439 }),
        (date, offset) => {
          const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1)
          const size = Math.abs(offset)
          const [hours, minutes] = [Math.floor(size / 60), size % 60].map((part) =>
            String(part).padStart(2, '0'),
          )
          const zone = `${offset < 0 ? '-' : '+'}${hours}:${minutes}`
          expect(canonicalInstant(local + zone)).toBe(date.toISOString())
        },
      ),
    )
  })

  it.each([
    ['2026-01-31T09:00:00Z', '2026-01-31T09:00:00.000Z'],
    ['2026-01-31t09:00:00.5z', '2026-01-31T09:00:00.500Z'],
    ['2026-01-31T09:00:00.1234Z', '2026-01-31T09:00:00.124Z'],
    ['2026-01-31T09:00:00.123000Z', '2026-01-31T09:00:00.123Z'],
    ['2024-02-29T23:30:00-01:00', '2024-03-01T00:30:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
  ])('converts %s to %s', (text, canonical) => {
    expect(canonicalInstant(text)).toBe(canonical)
  })

  it.each([
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01',
    '2026-01-01T00:00:00',
    '2026-01-01T24:00:00Z',
    '2026-01-01 00:00:00Z',
    '2026-01-01T00:00:00+24:00',
    '0000-01-01T00:00:00+23:00',
    '',
  ])('rejects %s', (text) => {
    expect(instantInput.safeParse(text).success).toBe(false)
  })
})

describe('integers and booleans in a query', () => {
  const limit = integerText({ min: 1, max: 100 })

  it('parses the values it writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), (value) => {
        expect(limit.parse(limit.encode(value))).toBe(value)
      }),
    )
  })

  it.each(['0', '101', '1.0', '1e1', ' 5', '', '0x10', 'ten', '9'.repeat(30), ['5', '6']])(
    'rejects %j and never clamps it',
    (text) => {
      expect(limit.safeParse(text).success).toBe(false)
    },
  )

  it.each(['1', 'TRUE', 'yes', '', ['true', 'true']])('rejects the boolean %j', (text) => {
    expect(booleanText.safeParse(text).success).toBe(false)
  })
})
