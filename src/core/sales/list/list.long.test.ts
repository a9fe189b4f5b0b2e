import { afterAll, expect, test } from 'vitest'
import { saleSortColumns } from '../../../contract/sales.ts'
import { MANY, exportMany, openSales } from '../testing/many-sales.ts'

const { db, close } = openSales()
afterAll(close)

test.each(
  saleSortColumns.flatMap((column) => [[column, 'asc'] as const, [column, 'desc'] as const]),
)(
  'finds a long list of sales by %s, %s, in pieces, each once, while sales arrive',
  async (column, direction) => {
    const { exported, inOrder, position, most } = await exportMany(db, column, direction)
    expect(exported).toEqual(inOrder)
    expect(position).toBe(MANY - 1)
    expect(most).toBeLessThanOrEqual(10_000)
  },
)
