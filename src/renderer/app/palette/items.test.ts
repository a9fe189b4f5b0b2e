import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fits, pieces } from './items.ts'

test('a name fits when every word of the query begins one of its words', () => {
  expect(fits('Hollow Tide – Deluxe Edition', 'tide hol')).toBe(true)
  expect(fits('Hollow Tide – Deluxe Edition', 'ollow')).toBe(false)
  expect(fits('Import keys', '')).toBe(true)
})

test('what fits is bold, at the beginning of words only', () => {
  expect(pieces('Hollow Tide: Hol', 'hol tide')).toEqual([
    { text: 'Hol', hit: true }, { text: 'low ', hit: false }, { text: 'Tide', hit: true }, { text: ': ', hit: false }, { text: 'Hol', hit: true },
  ])
})

test('cutting loses nothing, whatever is typed', () => {
  fc.assert(fc.property(fc.string(), fc.string(), (text, query) => {
    expect(pieces(text, query).map((piece) => piece.text).join('')).toBe(text)
  }))
})
