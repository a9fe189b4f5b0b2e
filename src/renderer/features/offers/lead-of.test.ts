import { describe, expect, it } from 'vitest'
import type { OfferRow } from '../../../contract/offers.ts'
import { leadOf, leadWhileTyping } from './lead-of.ts'

const row = (change: Partial<OfferRow> = {}): OfferRow => ({
  offerId: 'off_1',
  productId: 'p',
  name: 'Cinderkeep',
  platform: 'Steam',
  region: 'Europe',
  productType: 'game',
  deliveryType: 'key',
  priceCents: 435,
  customerCents: 479,
  commission: { class: 'keys', percent: 10 },
  status: 'active',
  stock: 8,
  sold: 1,
  isCheapest: false,
  lowestCustomerCents: 459,
  costCents: null,
  lowAt: null,
  updatedAt: 0,
  seenAt: 0,
  pending: null,
  ...change,
})

describe('lead of an offer', () => {
  it('shows how far behind it is', () =>
    expect(leadOf(row())).toEqual({ kind: 'behind', distanceCents: 20 }))
  it('shows no distance while leading, because the service doesn’t report one', () =>
    expect(leadOf(row({ isCheapest: true, lowestCustomerCents: 479 }))).toEqual({
      kind: 'leading',
    }))
  it('shows a word when paused, empty, or unknown', () => {
    expect(leadOf(row({ status: 'paused' }))).toEqual({ kind: 'word', word: 'Paused' })
    expect(leadOf(row({ stock: 0 }))).toEqual({ kind: 'word', word: 'Not listed' })
    expect(leadOf(row({ isCheapest: null }))).toEqual({ kind: 'word', word: 'Unknown' })
  })

  it('follows the price being typed', () => {
    expect(leadWhileTyping(row(), 400)).toEqual({ kind: 'typed', distanceCents: 19, leading: true })
    expect(leadWhileTyping(row(), 430)).toEqual({
      kind: 'typed',
      distanceCents: 14,
      leading: false,
    })
  })

  it('doesn’t guess the lead of a leading offer at a higher price', () => {
    expect(leadWhileTyping(row({ isCheapest: true, lowestCustomerCents: 479 }), 500)).toEqual({
      kind: 'word',
      word: 'Unknown',
    })
    expect(leadWhileTyping(row({ isCheapest: true, lowestCustomerCents: 479 }), 430)).toEqual({
      kind: 'typed',
      distanceCents: 6,
      leading: true,
    })
  })
})
