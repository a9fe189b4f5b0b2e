import { expect, test } from 'vitest'
import { cents } from '../../../../../server/api/money.ts'
import type { Column } from '../columns/columns.ts'
import { isoMoment, plainAmount, tableText } from './table-text.ts'

type Row = { name: string; cents: number | null; at: number | null; stock: number }
const columns: Column<Row>[] = [
  { id: 'name', header: 'Product', width: 100, cell: (row) => row.name },
  {
    id: 'price',
    header: 'Price EUR',
    width: 100,
    text: (row) => plainAmount(row.cents === null ? null : cents(row.cents)),
    cell: () => null,
  },
  {
    id: 'at',
    header: 'Placed',
    width: 100,
    text: (row) => isoMoment(row.at),
    cell: () => 'today, 20:44',
  },
  { id: 'stock', header: 'Stock', width: 100, text: (row) => row.stock, cell: () => null },
  { id: 'act', header: '', width: 100, cell: () => 'Send' },
]
const rows: Row[] = [
  { name: 'Tide, "Deluxe"', cents: 128_460, at: Date.UTC(2026, 10, 22, 5, 20), stock: 7 },
  { name: '=1+1', cents: null, at: null, stock: 0 },
]

test('copies columns as text, with amounts and moments for spreadsheets, without formulas and button columns', () => {
  expect(tableText(columns, rows, 'csv')).toBe(
    'Product,Price EUR,Placed,Stock\r\n"Tide, ""Deluxe""",1284.60,2026-11-22T05:20:00.000Z,7\r\n"\'=1+1",,,0\r\n',
  )
  expect(tableText(columns, rows, 'text').split('\r\n')[1]?.split('\t')).toHaveLength(4)
})
