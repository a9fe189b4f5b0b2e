import { expect, test } from 'vitest'
import { type Column, fittingColumns, gridTemplate } from './columns.ts'

const column = (id: string, width: number, more: Partial<Column<null>> = {}): Column<null> => ({ id, header: id, width, cell: () => null, ...more })
const columns = [column('name', 200, { grow: true, minWidth: 150 }), column('platform', 100, { leaves: 2 }), column('region', 90, { leaves: 1 }), column('price', 80)]
const widthOf = (one: Column<null>): number => one.width

test('columns leave in their order, the others never', () => {
  expect(fittingColumns(columns, widthOf, 500).map((one) => one.id)).toEqual(['name', 'platform', 'region', 'price'])
  expect(fittingColumns(columns, widthOf, 419).map((one) => one.id)).toEqual(['name', 'platform', 'price'])
  expect(fittingColumns(columns, widthOf, 300).map((one) => one.id)).toEqual(['name', 'price'])
  expect(fittingColumns(columns, widthOf, 10).map((one) => one.id)).toEqual(['name', 'price'])
})

test('one column takes what is left', () => {
  expect(gridTemplate(columns, widthOf, true)).toBe('29px minmax(150px, 1fr) 100px 90px 80px')
})
