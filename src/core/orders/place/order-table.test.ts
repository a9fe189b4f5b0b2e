import { expect, test } from 'vitest'
import { addCents, cents } from '../../../../server/api/money.ts'
import { parseOrderTable } from './order-table.ts'

function read(text: string) {
  let next = 0
  return parseOrderTable(text, {
    product: (id) =>
      id === 'p1'
        ? { name: 'Ironwharf 3', priceCents: cents(3316), removed: false }
        : id === 'p2'
          ? { name: 'No price', priceCents: null, removed: false }
          : id === 'gone'
            ? { name: 'Gone', priceCents: cents(1), removed: true }
            : null,
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
  expect(orders).toEqual([
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
  ['A,p9,1,1', /not in the catalogue/],
  ['A,gone,1,1', /removed from the catalogue/],
  ['A,p1,10,1', /1 to 9/],
  ['A,p1,1.5,1', /1 to 9/],
  ['A,p1,1,1.234', /two decimals/],
  ['A,p2,1,', /enter the maximum price/],
  ['A,,1,1', /Product id missing/],
  ['A,p1,1,1e3', /two decimals/],
  ['A,p1,-1,1', /1 to 9/],
])("reports the invalid row %j, and doesn't place its order", (row, why) => {
  const { orders, problems } = read(row)
  expect(problems).toMatchObject([{ line: 1, problem: expect.stringMatching(why) }])
  expect(orders[0]?.problems).toHaveLength(1)
})

test('excludes only the affected order for a used reference, one with other characters, and too many lines', () => {
  const { orders } = read(
    ['OLD,p1,1,1', 'b b,p1,1,1', ...Array.from({ length: 11 }, () => 'C,p1,1,1'), 'D,p1,1,1'].join(
      '\n',
    ),
  )
  expect(orders.map(({ externalId, problems }) => [externalId, problems.length])).toEqual([
    ['OLD', 1],
    ['b b', 1],
    ['C', 1],
    ['D', 0],
  ])
})

test('reports an empty table', () => {
  expect(read(' \n\n')).toEqual({
    orders: [],
    problems: [{ line: 1, problem: 'The table is empty.' }],
  })
})
