import DatabaseConstructor from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { interpretQuery } from './interpret-query.ts'
import { matchesTerm, wordIndex, wordIndexTables } from './word-index.ts'
import type { Term, WordQuery } from './word-index.ts'

const vocabulary = ['ab', 'abc', 'abcd', 'abd', 'b', 'ba', 'bad', '2', 'ii', 'iii', 'x']
const word = fc.constantFrom(...vocabulary)
const records = fc.array(fc.uniqueArray(word, { minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 12,
})
const term = fc.record({ text: word, isPrefix: fc.boolean() })
const query = fc.array(fc.array(term, { minLength: 1, maxLength: 2 }), {
  minLength: 1,
  maxLength: 3,
})

function indexOf(all: readonly (readonly string[])[]) {
  const db = new DatabaseConstructor(':memory:')
  db.exec(wordIndexTables('thing'))
  const index = wordIndex(db, 'thing')
  all.forEach((words, i) => index.put(i + 1, words, []))
  return index
}
const byHand = (all: readonly (readonly string[])[], asked: WordQuery): number[] =>
  all.flatMap((words, i) =>
    asked.every((terms) => terms.some((each: Term) => words.some((one) => matchesTerm(one, each))))
      ? [i + 1]
      : [],
  )

test('cached queries never change a result, whatever is searched and written in between @long', () => {
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ ask: query, limit: fc.constantFrom(2, 100), looks: fc.boolean() }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        put: fc.nat({ max: 11 }),
        words: fc.uniqueArray(word, { maxLength: 4 }),
      }),
    },
  )
  fc.assert(
    fc.property(records, fc.array(step, { maxLength: 25 }), (begun, steps) => {
      const all = begun.map((words) => [...words])
      const index = indexOf(all)
      for (const each of steps) {
        if ('ask' in each) {
          const found = index.firstMatches(
            each.ask,
            each.limit,
            each.looks ? (ids) => ids.map((id) => all[id - 1] ?? []) : undefined,
          )
          expect(found).toEqual(byHand(all, each.ask).slice(0, each.limit))
        } else if (each.put < all.length) {
          index.put(each.put + 1, each.words, all[each.put] ?? [])
          all[each.put] = each.words
        }
      }
    }),
    { numRuns: 300 },
  )
})

test('searches only the earlier hits when a typed text gets longer', () => {
  const all = [
    ['dark', 'quest'],
    ['dark', 'queen'],
    ['dark', 'age'],
    ['bright', 'quest'],
  ]
  const index = indexOf(all)
  const looked: (readonly number[])[] = []
  const type = (text: string): number[] | undefined =>
    interpretQuery(index, text, 100, (ids) => {
      looked.push(ids)
      return ids.map((id) => all[id - 1] ?? [])
    })?.found
  expect(['dark', 'dark q', 'dark qu', 'dark que', 'dark ques'].map(type)).toEqual([
    [1, 2, 3],
    [1, 2],
    [1, 2],
    [1, 2],
    [1],
  ])
  expect(looked).toEqual([[1, 2, 3]])
  // A shorter text than before, and a different one, search all records.
  expect(type('d')).toEqual([1, 2, 3])
  expect(type('quest')).toEqual([1, 4])
  expect(looked).toHaveLength(1)
})

test.each([64, 256, 257])('a prefix of %i words finds all of them', (words) => {
  const all = Array.from({ length: words }, (_, i) => [`stea${i}`, i % 2 === 0 ? 'even' : 'odd'])
  const index = indexOf([...all, ['steep', 'even']])
  const prefix = [{ text: 'stea', isPrefix: true }]
  expect(index.firstMatches([prefix], 1000)).toEqual(all.map((_, i) => i + 1))
  expect(index.count([prefix, [{ text: 'even', isPrefix: false }]])).toBe(Math.ceil(words / 2))
})

test.each([
  ['giftcard 30 eur', [1]],
  ['30eur gift', [1]],
  ['star wright', [3]],
  ['tesselo', [2]],
  ['tesello', [2]],
  ['tesllo', [2]],
  ['teselol', [2]],
  ['stawright', [3]],
  ['giftcard 50', []],
  ['teslaro', []],
])('%s finds joined, split and mistyped words', (typed, found) => {
  const index = indexOf([
    ['belport', 'direct', 'gift', 'card', '30', 'eur'],
    ['tesello', 'deluxe'],
    ['starwright', 'colony'],
  ])
  expect(interpretQuery(index, typed, 10)?.found).toEqual(found)
})
