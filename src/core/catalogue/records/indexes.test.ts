import { expect, test } from 'vitest'
import { LATE_INDEX_MINIMUM, finishListing, dropLateIndexes } from './indexes.ts'
import { LATE_INDEXES } from '../schema.ts'
import { searchProducts } from '../search/search.ts'
import type { Sort } from '../search/search.ts'
import { filterOf, generatedProducts, openMirror, putProducts } from '../testing/products.ts'

const indexes = (db: ReturnType<typeof openMirror>): string[] =>
  db
    .prepare<[], string>(
      `SELECT name || ' ' || substr(sql, instr(sql, ' ON ')) FROM sqlite_schema
      WHERE type = 'index' AND sql IS NOT NULL ORDER BY 1`,
    )
    .pluck()
    .all()
const sorts: (Sort | null)[] = [
  null,
  { column: 'price', direction: 'desc' },
  { column: 'updated', direction: 'asc' },
]
const answers = (db: ReturnType<typeof openMirror>) =>
  sorts.flatMap((sort) =>
    ['', 'tide', 'amebr'].map((query) =>
      searchProducts(db, filterOf({ query }), sort, { offset: 0, limit: 40 }),
    ),
  )

test('a large first listing creates the indexes it left out at its end, and searches work in between', async () => {
  const [whole, late] = [openMirror(), openMirror()]
  dropLateIndexes(late, LATE_INDEX_MINIMUM)
  expect(indexes(whole).length - indexes(late).length).toBe(Object.keys(LATE_INDEXES).length)
  for (const db of [whole, late]) putProducts(db, generatedProducts(300))
  expect(answers(late)).toEqual(answers(whole))

  // Cancelled, and finished later.
  const stop = new AbortController()
  stop.abort()
  await finishListing(late, stop.signal)
  expect(indexes(late)).not.toEqual(indexes(whole))
  await finishListing(late, new AbortController().signal)
  expect(indexes(late)).toEqual(indexes(whole))
  expect(answers(late)).toEqual(answers(whole))
})

test('keeps the indexes of a small catalogue, and of a mirror that holds products', () => {
  const [db, before] = [openMirror(), indexes(openMirror())]
  dropLateIndexes(db, LATE_INDEX_MINIMUM - 1)
  dropLateIndexes(db, null)
  expect(indexes(db)).toEqual(before)
  putProducts(db, generatedProducts(1))
  dropLateIndexes(db, LATE_INDEX_MINIMUM)
  expect(indexes(db)).toEqual(before)
})
