import { expect, test } from 'vitest'
import {
  type Column,
  fittingColumns,
  gridTemplate,
  contentWidths,
  spreadWidths,
  surelyFits,
} from './columns.ts'

const column = (id: string, width: number, more: Partial<Column<null>> = {}): Column<null> => ({
  id,
  header: id,
  width,
  cell: () => null,
  ...more,
})
const columns = [
  column('name', 200, { grow: true, minWidth: 150 }),
  column('platform', 100, { hideOrder: 2 }),
  column('region', 90, { hideOrder: 1 }),
  column('price', 80),
]
const widthOf = (one: Column<null>): number => one.width

test('hides columns in their order and never hides the others', () => {
  expect(fittingColumns(columns, widthOf, 500).map((one) => one.id)).toEqual([
    'name',
    'platform',
    'region',
    'price',
  ])
  expect(fittingColumns(columns, widthOf, 419).map((one) => one.id)).toEqual([
    'name',
    'platform',
    'price',
  ])
  expect(fittingColumns(columns, widthOf, 300).map((one) => one.id)).toEqual(['name', 'price'])
  expect(fittingColumns(columns, widthOf, 10).map((one) => one.id)).toEqual(['name', 'price'])
})

test('hides columns until the growing one has the width it wants, and keeps its minimum', () => {
  const [name, ...others] = columns
  const wanting = [{ ...(name ?? column('name', 200)), wantedWidth: 240 }, ...others]
  expect(fittingColumns(wanting, widthOf, 510).map(({ id }) => id)).toHaveLength(4)
  expect(fittingColumns(wanting, widthOf, 509).map(({ id }) => id)).toEqual([
    'name',
    'platform',
    'price',
  ])
  expect(fittingColumns(wanting, widthOf, 250).map(({ id }) => id)).toEqual(['name', 'price'])
  expect(gridTemplate(wanting, widthOf, false)).toMatch(/^minmax\(150px, 1fr\)/)
})

test('gives one column the remaining width', () => {
  expect(gridTemplate(columns, widthOf, true)).toBe('29px minmax(150px, 1fr) 100px 90px 80px')
})

test('computes the content width of each cell, with the rest going to the growing column', () => {
  const room = contentWidths(columns, widthOf, 600)
  expect(columns.map(room)).toEqual([310, 80, 70, 60])
  expect(
    contentWidths(columns, widthOf, 300)(column('name', 200, { grow: true, minWidth: 150 })),
  ).toBe(130)
})

test('lets all columns grow in a wide window, except those whose width was chosen', () => {
  const spread = (available: number, sized: readonly string[] = []) =>
    columns.map(
      spreadWidths(columns, { widthOf, isSized: ({ id }) => sized.includes(id) }, available),
    )
  // The name takes up to 520 px alone.
  expect(spread(790)).toEqual([200, 100, 90, 80])
  expect(spread(1580)).toEqual([200, 200, 180, 160])
  expect(spread(1580, ['platform'])).toEqual([200, 100, 193, 171])
  const fixed = columns.slice(1)
  const isSized = (): boolean => false
  expect(fixed.map(spreadWidths(fixed, { widthOf, isSized }, 2000))).toEqual([100, 90, 80])
})

test('clips content unless it surely fits', () => {
  expect(surelyFits('123.45'.length, 84)).toBe(true)
  expect(surelyFits('12,345.67'.length, 84)).toBe(false)
  expect(surelyFits(0, 18)).toBe(true)
  expect(surelyFits(1, 18)).toBe(false)
})
