import fc from 'fast-check'
import { expect, test } from 'vitest'
import { searchWords, sortKey, wordsOf } from './fold.ts'

test.each([
  ['Wayfarer’s Almanac', ['wayfarers', 'almanac']],
  ['The Witcher™ 3: Wild Hunt', ['the', 'witcher', '3', 'wild', 'hunt']],
  ['S.T.A.L.K.E.R. 2', ['stalker', '2']],
  ['Café Łódź – Straße', ['cafe', 'lodz', 'strasse']],
  ['ＦＵＬＬ width', ['full', 'width']],
  ['Ελλάδα', ['ελλαδα']],
  ['" - : ( * AND', ['and']],
  ['', []],
])('%s', (text, words) => {
  expect(wordsOf(text)).toEqual(words)
})

test('numerals are found as digits, and labels by their initials', () => {
  expect(searchWords(wordsOf('Kingdoms of Ash II'), ['Steam', 'United States'])).toEqual([
    'kingdoms',
    'of',
    'ash',
    'ii',
    '2',
    'steam',
    'united',
    'states',
    'us',
  ])
})

test('a word that is also an object property is a word like any other', () => {
  expect(searchWords(wordsOf('Constructor'), ['Constructor'])).toEqual(['constructor'])
})

test('plain names are folded like all others', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'aBxiv3 .\'`’‘–—“”™®-_:;"é/&(~'), maxLength: 20 }),
      (text) => {
        // An accented letter makes a text take the general path.
        expect(wordsOf(`${text} e\u0301`)).toEqual([...wordsOf(text), 'e'])
      },
    ),
  )
})

test('sort keys ignore case, accents and punctuation', () => {
  expect(sortKey('  “Écho” – Part ²')).toBe('echo part 2')
})
