import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cents } from '../../../../../server/api/money.ts'
import { guardPrice } from './price-guard.ts'

const offer = (price: number, floor: number | null = null, ceiling: number | null = null) => ({
  priceCents: cents(price),
  floorCents: floor === null ? null : cents(floor),
  ceilingCents: ceiling === null ? null : cents(ceiling),
})

it.each([
  ['12.90 to 0.50', 1290, 50, null],
  ['38.65 to 9.00', 3865, 900, null],
  ['3.90 to 37.00', 390, 3700, 370],
  ['12.40 to 1.24', 1200, 124, 1240],
  ['12.40 to 124.00', 1200, 12_400, 1240],
  ['1.30 by 30.8 %', 100, 131, null],
])('asks about %s at a guard of 30 %', (_name, from, to, suggested) => {
  expect(guardPrice(offer(from), cents(to), 30)).toEqual({
    fromCents: from,
    toCents: to,
    overPercent: 30,
    floorCents: null,
    ceilingCents: null,
    suggestedCents: suggested,
  })
})

it.each([
  ['exactly the guard up', 1000, 1300],
  ['exactly the guard down', 1000, 700],
  ['the same price', 1000, 1000],
])('does not ask about %s', (_name, from, to) => {
  expect(guardPrice(offer(from), cents(to), 30)).toBeNull()
})

it('asks about a price above the ceiling, at any guard, unless it moves towards it', () => {
  expect(guardPrice(offer(1000, null, 1100), cents(1101), 0)).toMatchObject({
    overPercent: null,
    floorCents: null,
    ceilingCents: 1100,
  })
  expect(guardPrice(offer(1000, null, 1100), cents(1100), 0)).toBeNull()
  expect(guardPrice(offer(1300, null, 1100), cents(1200), 30)).toBeNull()
  expect(guardPrice(offer(1000, null, 900), cents(100), 30)).toMatchObject({ suggestedCents: null })
})

it('asks about a price below the floor, at any guard, and suggests none below it', () => {
  expect(guardPrice(offer(1000, 900), cents(899), 0)).toEqual({
    fromCents: 1000,
    toCents: 899,
    overPercent: null,
    floorCents: 900,
    ceilingCents: null,
    suggestedCents: null,
  })
  expect(guardPrice(offer(1000, 900), cents(899), 30)).toMatchObject({ suggestedCents: null })
  expect(guardPrice(offer(1000, 900), cents(900), 0)).toBeNull()
})

it('does not ask about a price that rises towards the floor', () => {
  expect(guardPrice(offer(800, 900), cents(850), 30)).toBeNull()
})

it('asks about nothing at a guard of 0 without a floor', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1 }), fc.integer({ min: 1 }), (from, to) => {
      expect(guardPrice(offer(from % 1e7), cents((to % 1e7) + 1), 0)).toBeNull()
    }),
  )
})

it('suggests only prices that it would not ask about', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e6 }),
      fc.integer({ min: 1, max: 1e6 }),
      fc.option(fc.integer({ min: 1, max: 1e6 }), { nil: null }),
      fc.integer({ min: 1, max: 100 }),
      (from, to, floor, percent) => {
        const guarded = guardPrice(offer(from, floor), cents(to), percent)
        if (guarded?.suggestedCents == null) return
        expect(guardPrice(offer(from, floor), guarded.suggestedCents, percent)).toBeNull()
      },
    ),
  )
})
