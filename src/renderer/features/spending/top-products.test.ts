import { expect, test } from 'vitest'
import { cents, sumCents } from '../../../../server/api/money.ts'
import { shownProducts, topProducts } from './top-products.ts'

const products = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ cents: cents(1000 - index), units: index + 1 }))

test('adds up to all products: those shown, and the sum of the others', () => {
  const all = products(shownProducts + 3)
  const { shown, others } = topProducts(all)
  expect(shown).toEqual(all.slice(0, shownProducts))
  expect(others).toMatchObject({ count: 3 })
  expect(sumCents([...shown.map(({ cents }) => cents), others?.cents ?? cents(0)])).toBe(
    sumCents(all.map(({ cents }) => cents)),
  )
  expect(shown.reduce((sum, { units }) => sum + units, others?.units ?? 0)).toBe(
    all.reduce((sum, { units }) => sum + units, 0),
  )
})

test('shows all products without a sum of others if they fit', () => {
  const all = products(shownProducts)
  expect(topProducts(all)).toEqual({ shown: all, others: null })
  expect(topProducts([])).toEqual({ shown: [], others: null })
})
