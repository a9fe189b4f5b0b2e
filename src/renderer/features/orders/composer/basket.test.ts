import { beforeEach, expect, it } from 'vitest'
import { cents } from '../../../../../server/api/money.ts'
import { newLine, useBasket } from './basket.ts'

const { add, change, fill, remove } = useBasket.getState()
const lines = () => useBasket.getState().lines['account'] ?? []

beforeEach(() => {
  fill('account', [newLine('p1', 2), newLine('p1', 3)])
})

it('changes one of two lines of the same product', () => {
  const [, second] = lines()
  change('account', second?.id ?? 0, { qty: 5, maxCents: cents(700) })
  expect(lines()).toMatchObject([
    { productId: 'p1', qty: 2, maxCents: null },
    { productId: 'p1', qty: 5, maxCents: 700 },
  ])
})

it('removes one of two lines of the same product', () => {
  const [first] = lines()
  remove('account', first?.id ?? 0)
  expect(lines()).toMatchObject([{ productId: 'p1', qty: 3 }])
})

it('adds a unit to the first line of a product in the order, otherwise a line', () => {
  add('account', 'p1')
  add('account', 'p2')
  expect(lines()).toMatchObject([
    { productId: 'p1', qty: 3 },
    { productId: 'p1', qty: 3 },
    { productId: 'p2', qty: 1 },
  ])
  expect(new Set(lines().map(({ id }) => id)).size).toBe(3)
})
