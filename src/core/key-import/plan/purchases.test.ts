import { expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import { detectForm } from '../parse/detect/detect.ts'
import { purchaseMeaningOf } from '../parse/detect/header-words.ts'
import { readCost, readSupplier } from '../parse/text/purchase-cell.ts'
import { createPurchaseSums } from './purchases.ts'

test.each([
  ['4.20', '', 420],
  ['4,20', '', 420],
  ['4', '', 400],
  ['€ 3.20', '', 320],
  ['3,20 EUR', '', 320],
  ['3.20', 'EUR', 320],
  ['1.234,50', '', 123_450],
  ['1,234.50', '€', 123_450],
  ['0', '', 0],
])('reads the cost %s %s', (cell, currency, expected) => {
  expect(readCost(cell, currency)).toEqual({ costCents: expected, unreadable: false })
})

test.each([
  ['1,234', ''],
  ['1.234', ''],
  ['4.205', ''],
  ['$4.20', ''],
  ['4.20 USD', ''],
  ['4.20', 'USD'],
  ['-1.00', ''],
  ['free', ''],
  ['200000', ''],
])('does not guess what %s %s costs', (cell, currency) => {
  expect(readCost(cell, currency)).toEqual({ costCents: null, unreadable: true })
})

test('reads no cost from an empty cell, and no key as a supplier', () => {
  expect(readCost(' ', 'EUR')).toEqual({ costCents: null, unreadable: false })
  expect(readSupplier(' ACME Ltd ')).toBe('ACME Ltd')
  expect(readSupplier('AAAAA-BBBBB-CCCC1')).toBe('')
})

test.each([
  ['Cost', 'cost'],
  ['purchase_price', 'cost'],
  ['EK-Preis', 'cost'],
  ['Einkaufspreis', 'cost'],
  ['Prix d’achat', 'cost'],
  ['Precio de compra', 'cost'],
  ['Cena zakupu', 'cost'],
  ['Закупочная цена', 'cost'],
  ['采购价', 'cost'],
  ['仕入価格', 'cost'],
  ['Währung', 'currency'],
  ['Lieferant', 'supplier'],
  ['Price', null],
  ['Preis', null],
  ['Key', null],
])('takes the column %s for %s', (name, expected) => {
  expect(purchaseMeaningOf(name)).toBe(expected)
})

test('detects the columns of costs, but not one without amounts', () => {
  const lines = ['key;cost;supplier;currency', 'AAAAA-BBBBB-CCCC1;4,20;ACME;EUR']
  expect(detectForm(lines, 'a.csv', () => false, {})).toMatchObject({
    keyColumn: 0,
    costColumn: 1,
    supplierColumn: 2,
    currencyColumn: 3,
  })
  const words = ['key;cost', 'AAAAA-BBBBB-CCCC1;see invoice']
  expect(detectForm(words, 'a.csv', () => false, {})).toMatchObject({ costColumn: null })
  expect(detectForm(lines, 'a.csv', () => false, { costColumn: null }).costColumn).toBeNull()
})

test('averages the costs of an offer’s ready keys, rounded half up', () => {
  const sums = createPurchaseSums()
  const cost = (amount: number, supplier: string) => ({
    costCents: cents(amount),
    unreadable: false,
    supplier,
  })
  for (const [amount, supplier] of [
    [100, 'ACME'],
    [101, 'Other'],
  ] as const)
    sums.add(1, cost(amount, supplier))
  sums.add(1, { costCents: null, unreadable: true, supplier: '' })
  expect(
    sums.result(
      ['off_a', 'off_b'],
      new Map([
        [0, 1],
        [1, 4],
      ]),
    ),
  ).toEqual([
    {
      offerId: 'off_b',
      keys: 4,
      priced: 2,
      unreadable: 1,
      costCents: 101,
      lowestCents: 100,
      highestCents: 101,
      suppliers: ['ACME', 'Other'],
    },
  ])
})
