import { IconKey } from '@tabler/icons-react'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matches, indexIn, type PaletteItem, splitName, positionOf } from './items.ts'

test('matches a name when every query word is a prefix of one of its words', () => {
  expect(matches('Hollow Tide – Deluxe Edition', 'tide hol')).toBe(true)
  expect(matches('Hollow Tide – Deluxe Edition', 'ollow')).toBe(false)
  expect(matches('Import keys', '')).toBe(true)
})

test('highlights matches only at the start of words', () => {
  expect(splitName('Hollow Tide: Hol', 'hol tide')).toEqual([
    { text: 'Hol', hit: true },
    { text: 'low ', hit: false },
    { text: 'Tide', hit: true },
    { text: ': ', hit: false },
    { text: 'Hol', hit: true },
  ])
})

test('splits a name without losing text, whatever the query', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, query) => {
      expect(
        splitName(text, query)
          .map((piece) => piece.text)
          .join(''),
      ).toBe(text)
    }),
  )
})

test('keeps a chosen row that moved chosen, and chooses the row at its position when it is gone', () => {
  const list = (...ids: string[]): PaletteItem[] =>
    ids.map((id) => ({ id, group: 'Products', icon: IconKey, name: id, run: () => {} }))
  const at = positionOf(list('a', 'b', 'c', 'd'), 2)
  expect(indexIn(list('new', 'a', 'b', 'c'), at)).toBe(3)
  expect(indexIn(list('a', 'b', 'd', 'e'), at)).toBe(2)
  expect(indexIn(list('a', 'b'), at)).toBe(1)
  expect(indexIn([], at)).toBe(0)
  expect(positionOf([], 0)).toBeNull()
  expect(indexIn(list('a'), null)).toBe(0)
})
