import { expect, test } from 'vitest'
import { cents } from '../../../../../server/api/money.ts'
import type { SimulationResult } from '../../../../contract/price-watch/price-simulation.ts'
import { profitDetail, verdict } from './simulation-figures.ts'

const offer = { name: 'One', units: 1, revenueCents: cents(1500), changes: 0, lead: 1 }
const resultWith = (some: Partial<SimulationResult>): SimulationResult => ({
  lead: 0.5,
  units: 2,
  revenueCents: cents(3000),
  profitCents: cents(600),
  profitOffers: 2,
  changes: 0,
  raised: 0,
  wars: 0,
  decisions: 0,
  refused: 0,
  days: [],
  worst: null,
  offers: ['a', 'b'].map((offerId) => ({ ...offer, offerId })),
  ...some,
})

test('says of how many offers the profit is known unless it is known of all', () => {
  expect(profitDetail(resultWith({}))).toBe('')
  expect(profitDetail(resultWith({ profitOffers: 1 }))).toBe('for 1 of 2 offers')
  expect(profitDetail(resultWith({ profitCents: null, profitOffers: 0 }))).toBe('')
  expect(profitDetail(resultWith({ profitOffers: null }))).toBe('for offers with a cost')
})

test('compares profits only if they are known of all offers', () => {
  const lower = { revenueCents: cents(2500), profitCents: cents(900) }
  expect(verdict(resultWith({}), resultWith(lower))).toBe('B earns more')
  expect(
    verdict(resultWith({ profitOffers: 1 }), resultWith({ ...lower, profitOffers: 1, lead: 0.6 })),
  ).toBe('B has less revenue and leads more')
  const unknown = { profitCents: null, profitOffers: 0 }
  expect(verdict(resultWith(unknown), resultWith(unknown))).toBe('B has the same revenue')
})
