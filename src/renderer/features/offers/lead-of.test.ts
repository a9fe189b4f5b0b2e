import { describe, expect, it } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import type { OfferRow } from '../../../contract/offers/offers.ts'
import { leadOf, leadWhileTyping } from './lead-of.ts'

const row = (change: Partial<OfferRow> = {}): OfferRow => ({
  offerId: 'off_1',
  productId: 'p',
  name: 'Cinderkeep',
  platform: 'Steam',
  region: 'Europe',
  productType: 'game',
  deliveryType: 'key',
  priceCents: cents(435),
  customerCents: cents(479),
  commission: { class: 'keys', percent: 10 },
  status: 'active',
  stock: 8,
  sold: 1,
  isCheapest: false,
  lowestCustomerCents: cents(459),
  costCents: null,
  lowAt: null,
  ownFloorCents: null,
  ownCeilingCents: null,
  updatedAt: 0,
  seenAt: 0,
  pending: null,
  ...change,
})

describe('lead of an offer', () => {
  it('shows how far behind it is', () =>
    expect(leadOf(row())).toEqual({ kind: 'behind', distanceCents: cents(20) }))
  it('shows no distance while leading, because the service doesn’t report one', () =>
    expect(leadOf(row({ isCheapest: true, lowestCustomerCents: cents(479) }))).toEqual({
      kind: 'leading',
    }))
  it('shows a word when paused, empty, or unknown', () => {
    expect(leadOf(row({ status: 'paused' }))).toEqual({ kind: 'word', word: 'Paused' })
    expect(leadOf(row({ stock: 0 }))).toEqual({ kind: 'word', word: 'Not listed' })
    expect(leadOf(row({ isCheapest: null }))).toEqual({ kind: 'word', word: 'Unknown' })
    expect(leadOf(row({ isCheapest: null, unavailable: true }))).toEqual({
      kind: 'word',
      word: 'Removed',
    })
  })

  it('follows the price being typed', () => {
    expect(leadWhileTyping(row(), cents(400))).toEqual({
      kind: 'typed',
      distanceCents: cents(19),
      leading: true,
    })
    expect(leadWhileTyping(row(), cents(430))).toEqual({
      kind: 'typed',
      distanceCents: cents(14),
      leading: false,
    })
  })

  it('doesn’t guess the lead of a leading offer at a higher price', () => {
    expect(
      leadWhileTyping(row({ isCheapest: true, lowestCustomerCents: cents(479) }), cents(500)),
    ).toEqual({
      kind: 'word',
      word: 'Unknown',
    })
    expect(
      leadWhileTyping(row({ isCheapest: true, lowestCustomerCents: cents(479) }), cents(430)),
    ).toEqual({
      kind: 'typed',
      distanceCents: cents(6),
      leading: true,
    })
  })
})
