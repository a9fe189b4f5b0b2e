import { expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import { createTally } from './tally.ts'
import type { CopiedOffer } from './world.ts'

const copy = (offerId: string, costCents: number | null): CopiedOffer => ({
  offerId,
  name: offerId,
  platform: 'Steam',
  region: 'Global',
  productType: 'game',
  deliveryType: 'key',
  priceCents: cents(1500),
  stock: 5,
  costCents: costCents === null ? null : cents(costCents),
  ownFloorCents: null,
  ownCeilingCents: null,
  commission: { class: 'keys', percent: 10 },
})
const resultOf = (copies: readonly CopiedOffer[]) => {
  const tally = createTally(new Map(copies.map((each) => [`copy ${each.offerId}`, each])), 0, 1)
  tally.sold(
    copies.map(({ offerId }) => ({ offerId: `copy ${offerId}`, priceCents: cents(1500), at: 1 })),
  )
  return tally.result()
}

test('says of how many offers it knows the profit', () => {
  expect(resultOf([copy('a', 900), copy('b', null), copy('c', 1000)])).toMatchObject({
    units: 3,
    revenueCents: 4500,
    profitCents: 1100,
    profitOffers: 2,
  })
})

test('knows no profit if no offer has a cost', () => {
  expect(resultOf([copy('a', null)])).toMatchObject({ profitCents: null, profitOffers: 0 })
})
