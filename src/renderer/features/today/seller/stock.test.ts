import { expect, test } from 'vitest'
import { cents } from '../../../../../server/api/money.ts'
import type { ListedOffer } from '../../../../contract/offers/offers.ts'
import { byUrgency, stockNeed, stockTexts } from './stock.ts'

const offer = (offerId: string, stock: number, price: number, soldDays: number[] | null) =>
  ({ offerId, stock, priceCents: cents(price), soldDays }) as ListedOffer

test('stock lasts as many days as it sells a day in the last week', () => {
  expect(stockNeed(offer('a', 8, 500, [0, 1, 2, 3, 4, 2, 2]))).toMatchObject({
    days: 4,
    perDayCents: 1000,
  })
  expect(stockNeed(offer('b', 0, 999, [1, 0, 0, 0, 0, 0, 0]))).toMatchObject({
    days: 0,
    perDayCents: 143,
  })
})

test('nothing is claimed about an offer that sold nothing, or whose sales aren’t read yet', () => {
  expect(stockNeed(offer('a', 3, 500, [0, 0, 0, 0, 0, 0, 0]))).toMatchObject({
    days: null,
    perDayCents: 0,
  })
  expect(stockNeed(offer('b', 3, 500, null))).toMatchObject({ days: null, perDayCents: null })
})

test('the shortest cover comes first, then what earns most, and what sells nothing last', () => {
  const needs = [
    stockNeed(offer('sells nothing', 0, 9900, [0, 0, 0, 0, 0, 0, 0])),
    stockNeed(offer('lasts', 14, 100, [1, 1, 1, 1, 1, 1, 1])),
    stockNeed(offer('cheap', 0, 100, [1, 1, 1, 1, 1, 1, 1])),
    stockNeed(offer('dear', 0, 900, [1, 1, 1, 1, 1, 1, 1])),
  ]
  expect(needs.toSorted(byUrgency).map((need) => need.offer.offerId)).toEqual([
    'dear',
    'cheap',
    'lasts',
    'sells nothing',
  ])
})

test('says once that an offer sold nothing, and nothing while its sales aren’t read yet', () => {
  const none = [0, 0, 0, 0, 0, 0, 0]
  const daily = [1, 1, 1, 1, 1, 1, 1]
  const textsOf = (stock: number, soldDays: number[] | null) =>
    stockTexts(stockNeed(offer('a', stock, 500, soldDays)))
  const noSales = 'no sales in 7 days'
  expect(textsOf(3, none)).toEqual({ keys: '3 keys', cents: 'blank', when: noSales })
  expect(textsOf(0, none)).toEqual({ keys: 'empty', cents: 'blank', when: noSales })
  expect(textsOf(0, daily)).toEqual({ keys: '', cents: 500, when: 'empty' })
  expect(textsOf(3, daily)).toEqual({ keys: '3 keys', cents: 500, when: 'lasts 3 days' })
  expect(textsOf(3, null)).toEqual({ keys: '3 keys', cents: null, when: '' })
})
