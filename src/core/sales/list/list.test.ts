import { afterAll, expect, test } from 'vitest'
import { MANY, allSales, exportMany, idOf, openSales, putSale } from '../testing/many-sales.ts'
import { salesCsv } from './csv.ts'

const { db, close } = openSales()
afterAll(close)

const SALES = 1200

test.each([
  { column: 'sold', direction: 'desc' },
  { column: 'sold', direction: 'asc' },
  { column: 'status', direction: 'asc' },
  { column: 'price', direction: 'desc' },
] as const)(
  'exports each sale once by $column, $direction, while sales arrive and change @long',
  async (sort) => {
    db.exec('DELETE FROM sales')
    for (let number = 0; number < SALES; number += 1) putSale(db, number)
    const exporting = salesCsv(db, allSales(sort), 'csv')
    // The first window is written now.
    for (let number = 0; number < 300; number += 1) putSale(db, number, 'released')
    for (let number = SALES; number < SALES + 5; number += 1) putSale(db, number)
    const { parts, sales } = await exporting
    const ids = parts.join('').match(/sal_\d{5}/g) ?? []
    expect(sales).toBe(SALES)
    expect(ids.toSorted()).toEqual(Array.from({ length: SALES }, (_, number) => idOf(number)))
  },
)

test('finds a long list of sales in pieces, each once, while sales arrive', async () => {
  const { exported, inOrder, position, most } = await exportMany(db, 'sold', 'desc')
  expect(exported).toEqual(inOrder)
  expect(position).toBe(MANY - 1)
  expect(most).toBeLessThanOrEqual(10_000)
})
