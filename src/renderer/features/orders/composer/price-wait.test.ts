import { expect, test } from 'vitest'
import { cents } from '../../../../../server/api/money.ts'
import { composeOrder } from './compose-order.ts'
import { linesWithinMaximum } from './price-wait.ts'

const product = {
  productId: 'p1',
  name: 'Ironwharf 3',
  platform: 'Steam',
  region: 'Global',
  deliveryType: 'key',
  qty: 99,
  inStock: true,
  proposedMaxCents: null,
  tiers: [],
  releaseDate: null,
  removed: false,
  excludedCountries: null,
}
/** Two lines of one product at a price: the first has a maximum of 5.00, the second of 7.00. */
const linesAt = (price: number) =>
  composeOrder(
    [500, 700].map((max, id) => ({
      id,
      productId: 'p1',
      qty: 1,
      maxCents: cents(max),
      seenCents: cents(max),
    })),
    {
      lines: [{ ...product, priceCents: cents(price) }],
      balanceCents: null,
      proposedExternalId: 'KD-1',
      spent24hCents: cents(0),
      limits: { order: null, day: null },
    },
  ).lines
const idsAt = (price: number, since: ReadonlyMap<number, number>, quotedAt = 2): number[] =>
  linesWithinMaximum(linesAt(price), since, quotedAt).map(({ id }) => id)

test('reports only the line that waits, not another one of the same product', () => {
  expect(idsAt(600, new Map([[0, 1]]))).toEqual([])
  expect(idsAt(600, new Map([[1, 1]]))).toEqual([1])
})

test('reports each waiting line at its own maximum', () => {
  const since = new Map([
    [0, 1],
    [1, 1],
  ])
  expect(idsAt(800, since)).toEqual([])
  expect(idsAt(600, since)).toEqual([1])
  expect(idsAt(500, since)).toEqual([0, 1])
})

test('waits for a later reading of the prices', () => {
  expect(idsAt(500, new Map([[0, 2]]), 2)).toEqual([])
  expect(idsAt(500, new Map([[0, 2]]), 3)).toEqual([0])
})
