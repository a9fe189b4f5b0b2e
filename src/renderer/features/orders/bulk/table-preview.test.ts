import { describe, expect, test } from 'vitest'
import { cents } from '../../../../../server/api/money.ts'
import { previousOf } from './table-draft.ts'
import { previewRows, tableChange } from './table-preview.ts'
import type { ReadTable } from './table-preview.ts'

type Line = ReadTable['orders'][number]['lines'][number]
const line = (at: number, changes: Partial<Line> = {}): Line => ({
  line: at,
  productId: 'p1',
  name: 'Ironwharf 3',
  platform: 'Steam',
  region: 'Europe',
  deliveryType: 'key',
  qty: 2,
  maxUnitCents: cents(600),
  priceCents: cents(550),
  lastPaidCents: null,
  warnings: [],
  ...changes,
})
const order = (
  externalId: string,
  lines: Line[],
  more: Partial<ReadTable['orders'][number]> = {},
): ReadTable['orders'][number] => ({
  externalId,
  line: 1,
  lines,
  rejected: [],
  atMostCents: cents(1200),
  problems: [],
  ...more,
})
const table = (...orders: ReadTable['orders']): ReadTable => ({
  orders,
  problems: [],
  atMostCents: cents(1200),
  balanceCents: null,
})
const rejected = { line: 2, productId: 'p9', name: null, problem: 'Not in the catalogue.' }

describe('the rows of a table', () => {
  test('name what will be bought, in file order, and why a row won’t be', () => {
    const rows = previewRows(
      table(
        order('A', [line(1), line(3)], { rejected: [rejected], problems: ['Line 2: Not in …'] }),
        order('B', [line(4, { warnings: ['below-price'] })]),
        order('C', [line(5)], { problems: ['An order with this reference already exists.'] }),
      ),
      new Map(),
    )
    expect(
      rows.map(({ externalId, name, isPlaced, notes }) => [
        externalId,
        name,
        isPlaced,
        notes.map(({ text }) => text),
      ]),
    ).toEqual([
      ['A', 'Ironwharf 3', false, ['Left out: another line of this order']],
      ['A', 'p9', false, ['Not in the catalogue.']],
      ['A', 'Ironwharf 3', false, ['Left out: another line of this order']],
      ['B', 'Ironwharf 3', true, ['Won’t be placed at the current price']],
      ['C', 'Ironwharf 3', false, ['An order with this reference already exists.']],
    ])
  })

  test('show a price far above the last one in percent', () => {
    const [row] = previewRows(
      table(order('A', [line(1, { lastPaidCents: cents(275), warnings: ['above-last-paid'] })])),
      new Map(),
    )
    expect(row?.notes[0]?.text).toBe('Far above the last price paid: 2.75 → 5.50 (+100 %)')
  })

  test('show the earlier maximum of each of two lines of a product', () => {
    const [first, second] = [
      { externalId: 'A', productId: 'p1', maxUnitCents: cents(500) },
      { externalId: 'A', productId: 'p1', maxUnitCents: cents(400) },
    ]
    const rows = previewRows(table(order('A', [line(1), line(2)])), previousOf([first, second]))
    expect(rows.map(({ previousMaxCents }) => previousMaxCents)).toEqual([500, 400])
  })

  test('show the maximum of the earlier try where it differs', () => {
    const previous = new Map([
      ['A\np1', cents(500)],
      ['B\np1', cents(600)],
    ])
    const rows = previewRows(table(order('A', [line(1)]), order('B', [line(2)])), previous)
    expect(rows.map(({ previousMaxCents }) => previousMaxCents)).toEqual([500, null])
  })
})

describe('a table that is read again before it is placed', () => {
  const shown = table(order('A', [line(1)]), order('B', [line(2)]))

  test('is placed if nothing changed', () => {
    expect(tableChange(shown, structuredClone(shown))).toBeNull()
  })

  test('reports a changed price, count and total', () => {
    const now = {
      ...table(
        order('A', [line(1, { priceCents: cents(700), warnings: ['below-price'] })]),
        order('B', [line(2, { priceCents: cents(700) })], {
          problems: ['This reference is used.'],
        }),
      ),
      atMostCents: cents(600),
    }
    expect(tableChange(shown, now)).toEqual({
      orders: { from: 2, to: 1 },
      atMost: { from: 1200, to: 600 },
      prices: [{ product: 'Ironwharf 3, Steam · Europe', from: 550, to: 700 }],
    })
  })

  test.each<[string, Partial<Line>]>([
    ['maximum', { maxUnitCents: cents(601) }],
    ['stock', { warnings: ['out-of-stock'] }],
    ['product', { name: 'Another' }],
  ])('reports a changed %s', (_what, change) => {
    const now = table(order('A', [line(1, change)]), order('B', [line(2)]))
    expect(tableChange(shown, now)).not.toBeNull()
  })
})
