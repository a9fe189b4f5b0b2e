import fc from 'fast-check'
import { expect, test } from 'vitest'
import { partsOf, piecesOf, PART } from './text-parts.ts'

test('splits a text into short parts in order, at a word if one is near and never within a letter', () => {
  const words = 'The code was used already. '.repeat(2000)
  const { parts, shown } = partsOf(words, 3)
  expect(parts.every((part) => part.length <= PART && part.endsWith(' '))).toBe(true)
  expect(parts.join('')).toBe(words.slice(0, shown))
  const signs = partsOf(`a${'𓀀'.repeat(PART)}`, 2).parts
  expect(signs.map((part) => part.isWellFormed())).toEqual([true, true])
  expect(partsOf('', 3)).toEqual({ parts: [], shown: 0 })
})

test('splits only runs without a space into pieces', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.string({ unit: 'grapheme' }),
          fc.integer({ min: 150, max: 900 }).map((length) => 'Ab𓀀'.repeat(length)),
        ),
      ),
      (some) => {
        const text = some.join(' ')
        const pieces = piecesOf(text)
        expect(pieces.map((each) => each.text).join('')).toBe(text)
        expect(pieces.every((each) => /\S{401,}/u.test(each.text) === false)).toBe(true)
      },
    ),
    { numRuns: 60 },
  )
  expect(piecesOf('it says: used already')).toEqual([
    { text: 'it says: used already', isPiece: false },
  ])
  expect(piecesOf('钥匙'.repeat(500))).toHaveLength(1)
  expect(
    piecesOf(`see ${'x'.repeat(450)} there`).map(({ text, isPiece }) => [text.length, isPiece]),
  ).toEqual([
    [4, false],
    [200, true],
    [200, true],
    [50, true],
    [6, false],
  ])
})
