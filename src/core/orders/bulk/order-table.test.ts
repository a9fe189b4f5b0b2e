import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addCents, cents } from '../../../../server/api/money.ts'
import { orderable } from '../testing/fake-service.ts'
import { parseOrderTable, tableProducts } from './order-table.ts'

const known: Record<string, ReturnType<typeof orderable>> = {
  p1: orderable('p1', { name: 'Ironwharf 3', priceCents: cents(3316), region: 'Europe' }),
  p2: orderable('p2', { name: 'No price', priceCents: null }),
  p3: orderable('p3', { name: 'Scarce', priceCents: cents(1300), qty: 2, deliveryType: 'gift' }),
  p4: orderable('p4', { name: 'Sold out', priceCents: cents(100), qty: 0, inStock: false }),
  gone: orderable('gone', { name: 'Gone', priceCents: cents(1), removed: true }),
}
function read(text: string) {
  let next = 0
  return parseOrderTable(text, {
    product: (id) => known[id] ?? null,
    lastPaid: (id) => (id === 'p1' ? cents(2500) : id === 'p3' ? cents(1000) : null),
    proposedMax: (price) => addCents(price, cents(33)),
    isUsed: (id) => id === 'OLD',
    nextReference: () => `KD-${(next += 1)}`,
  })
}

test('combines rows with one reference into one order, and proposes missing maximum prices', () => {
  const { orders, problems } = read(
    '\ufeffQuantity;Product ID;Reference;Max unit price\r\n2;p1;A-1;\r\n\r\n1;p2;A-1;4,50\r\n3;p1;A-2;33.49\r\n',
  )
  expect(problems).toEqual([])
  expect(orders).toMatchObject([
    {
      externalId: 'A-1',
      line: 2,
      lines: [
        { productId: 'p1', name: 'Ironwharf 3', qty: 2, maxUnitCents: 3349 },
        { productId: 'p2', name: 'No price', qty: 1, maxUnitCents: 450 },
      ],
      atMostCents: 7148,
      problems: [],
    },
    {
      externalId: 'A-2',
      line: 5,
      lines: [{ productId: 'p1', name: 'Ironwharf 3', qty: 3, maxUnitCents: 3349 }],
      atMostCents: 10_047,
      problems: [],
    },
  ])
})

test('reads columns without a header in their default order; a row without a reference is one order', () => {
  expect(read(',p1,2,\n,p1,,').orders).toMatchObject([
    { externalId: 'KD-1', atMostCents: 6698 },
    { externalId: 'KD-2', atMostCents: 3349 },
  ])
})

test.each([
  ['after', ',p1,2,\nKD-1,p1,1,', ['KD-2', 'KD-1']],
  ['before', 'KD-1,p1,1,\n,p1,2,', ['KD-1', 'KD-2']],
])('never adds a row without a reference to the order of a row %s it', (_where, text, expected) => {
  expect(read(text).orders.map(({ externalId }) => externalId)).toEqual(expected)
})

test('counts the units of a product’s earlier rows in an order, whose supply the rows share', () => {
  const text = 'A,p3,2,\nA,p1,9,\nA,p3,1,\nB,p3,1,\n,p3,1,\n,p3,1,\nA,p3,x,\nA,p3,1,'
  const units = [2, 9, 3, 1, 1, 1, 4, 4]
  expect(tableProducts(text).map(({ qty }) => qty)).toEqual(units)
  const asked: number[] = []
  const { orders } = parseOrderTable(text, {
    product: (id, qty) => {
      asked.push(qty)
      return known[id] ?? null
    },
    lastPaid: () => null,
    proposedMax: (price) => price,
    isUsed: () => false,
    nextReference: () => `KD-${asked.length}`,
  })
  expect(asked).toEqual(units)
  expect(orders[0]?.lines.map(({ qty, warnings }) => [qty, warnings])).toEqual([
    [2, []],
    [9, ['low-stock']],
    [1, ['low-stock']],
    [1, ['low-stock']],
  ])
})

test.each([
  ['A,p9,1,1', 'The product p9 is not in the catalogue on this computer.'],
  ['A,gone,1,1', 'Gone was removed from the catalogue.'],
  ['A,p1,10,1', '“10” units: enter 1 to 9 units per line.'],
  ['A,p1,0,1', '“0” units: enter 1 to 9 units per line.'],
  ['A,p1,1.5,1', '“1.5” units: enter 1 to 9 units per line.'],
  ['A,p1,-1,1', '“-1” units: enter 1 to 9 units per line.'],
  ['A,p2,1,', 'The price of No price is unknown: enter the maximum price.'],
  ['A,,1,1', 'Product id missing.'],
  ...['1.234', '1e3', '-1', 'x', '1.', '1 2', '1234567890', '1 USD', 'USD 1', '.5'].map((max) => [
    `A,p1,1,${max}`,
    `“${max}” isn’t an amount in EUR with at most two decimals.`,
  ]),
])("reports the invalid row %j, and doesn't place its order", (row, problem) => {
  const { orders, problems } = read(`A,p1,1,1\n${row}`)
  expect(problems).toEqual([{ line: 2, problem }])
  expect(orders).toMatchObject([{ externalId: 'A', line: 1, problems: [`Line 2: ${problem}`] }])
  expect(orders[0]?.lines).toHaveLength(1)
})

test.each([
  ['7', 700],
  ['7.5', 750],
  ['"7,05"', 705],
  ['€ 7.5', 750],
  ['EUR7', 700],
  ['7.50 eur', 750],
  ['7€', 700],
  ['999999999.99', 99_999_999_999],
  ['0', 0],
])('reads the maximum price %s in EUR as %i cents', (max, expected) => {
  expect(read(`A,p1,9,${max}`)).toMatchObject({
    problems: [],
    orders: [{ lines: [{ qty: 9, maxUnitCents: expected }], atMostCents: 9 * expected }],
  })
})

test.each([
  'externalId,productId,qty,maxUnitPrice',
  'External,PRODUCT,Quantity,Max',
  'Reference,SKU,Units,Max price',
  'Order,id,count,limit',
  'ref,Product-ID,qty,Price',
])('recognizes the header %j', (header) => {
  expect(read(`${header}\nA,p1,2,7`)).toMatchObject({
    problems: [],
    orders: [{ externalId: 'A', line: 2, atMostCents: 1400 }],
  })
})

test('reads columns in any order; missing columns have their default', () => {
  expect(read('Product\np1')).toMatchObject({
    problems: [],
    orders: [{ externalId: 'KD-1', lines: [{ qty: 1, maxUnitCents: 3349 }] }],
  })
  expect(read('qty,product\n3,p1').orders).toMatchObject([{ atMostCents: 10_047 }])
})

test('treats a table whose first row names no product column as one without a header', () => {
  expect(read('reference,p1,2,1\nA,p1,1,1').orders.map(({ externalId }) => externalId)).toEqual([
    'reference',
    'A',
  ])
})

test('leaves out orders after the first 5,000, and reports the first of them', () => {
  const rows = (count: number): string =>
    Array.from({ length: count }, (_, index) => `R${index},p1,1,1`).join('\n')
  expect(read(rows(5000))).toMatchObject({ problems: [] })
  const { orders, problems } = read(rows(5002))
  expect(orders).toHaveLength(5000)
  expect(problems).toEqual([
    { line: 5001, problem: 'More than 5000 orders: the rest is left out.' },
  ])
})

test('allows 100 characters in a reference, and 10 lines in an order', () => {
  const valid = `Az09._:-${'x'.repeat(92)}`
  expect(read(`${valid},p1,1,1`).orders).toMatchObject([{ problems: [] }])
  expect(read(Array.from({ length: 10 }, () => 'C,p1,1,1').join('\n')).orders).toMatchObject([
    { problems: [] },
  ])
})

test('excludes only the affected order for a used reference, one with other characters, and too many lines', () => {
  const tooLong = 'x'.repeat(101)
  const { orders } = read(
    [
      'OLD,p1,1,1',
      'b b,p1,1,1',
      `${tooLong},p1,1,1`,
      ...Array.from({ length: 11 }, () => 'C,p1,1,1'),
      'D,p1,1,1',
    ].join('\n'),
  )
  const characters =
    'Use at most 100 characters for the reference, and only letters, digits and . _ : -'
  expect(orders.map(({ externalId, problems }) => [externalId, problems])).toEqual([
    ['OLD', ['An order with this reference already exists.']],
    ['b b', [characters]],
    [tooLong, [characters]],
    ['C', ['11 lines: an order has at most 10.']],
    ['D', []],
  ])
})

test('reports an empty table', () => {
  expect(read(' \n\n')).toEqual({
    orders: [],
    problems: [{ line: 1, problem: 'The table is empty.' }],
  })
})

test('reads every order that a spreadsheet writes, to the cent', () => {
  const line = fc.record({
    qty: fc.integer({ min: 1, max: 9 }),
    max: fc.integer({ min: 0, max: 99_999_999_999 }),
  })
  fc.assert(
    fc.property(
      fc.array(fc.array(line, { minLength: 1, maxLength: 10 }), { minLength: 1, maxLength: 20 }),
      fc.constantFrom('.', ','),
      fc.constantFrom('\n', '\r\n'),
      (written, decimalMark, lineBreak) => {
        const amount = (max: number): string =>
          `${Math.floor(max / 100)}${decimalMark}${String(max % 100).padStart(2, '0')}`
        const rows = written.flatMap((lines, order) =>
          lines.map(({ qty, max }) => `R${order};p1;${qty};${amount(max)}`),
        )
        const { orders, problems } = read(['Reference;SKU;Qty;Max', ...rows].join(lineBreak))
        expect(problems).toEqual([])
        expect(
          orders.map(({ lines }) => lines.map(({ qty, maxUnitCents: max }) => ({ qty, max }))),
        ).toEqual(written)
        expect(orders.map(({ atMostCents }) => BigInt(atMostCents))).toEqual(
          written.map((lines) =>
            lines.reduce((sum, { qty, max }) => sum + BigInt(qty) * BigInt(max), 0n),
          ),
        )
      },
    ),
    { numRuns: 50 },
  )
})

test('shows each line with its edition, price and last price, and flags what needs a look', () => {
  const { orders } = read('A,p1,2,30\nB,p1,1,40\nC,p3,3,13\nD,p4,1,2\nE,p2,1,2')
  expect(orders.flatMap(({ lines }) => lines)).toEqual([
    {
      line: 1,
      productId: 'p1',
      name: 'Ironwharf 3',
      platform: 'Steam',
      region: 'Europe',
      deliveryType: 'key',
      qty: 2,
      maxUnitCents: 3000,
      priceCents: 3316,
      lastPaidCents: 2500,
      warnings: ['below-price', 'above-last-paid'],
    },
    expect.objectContaining({ maxUnitCents: 4000, warnings: ['above-last-paid'] }),
    // 13.00 is exactly 30 % above the last price.
    expect.objectContaining({ deliveryType: 'gift', warnings: ['low-stock'] }),
    expect.objectContaining({ lastPaidCents: null, warnings: ['out-of-stock'] }),
    expect.objectContaining({ priceCents: null, warnings: [] }),
  ])
})

test('names a product of a row that can’t be ordered, as far as the catalogue knows it', () => {
  expect(read('A,p9,1,1\nB,gone,1,1').orders.map(({ rejected }) => rejected)).toEqual([
    [
      {
        line: 1,
        productId: 'p9',
        name: null,
        problem: 'The product p9 is not in the catalogue on this computer.',
      },
    ],
    [
      {
        line: 2,
        productId: 'gone',
        name: 'Gone',
        problem: 'Gone was removed from the catalogue.',
      },
    ],
  ])
})
