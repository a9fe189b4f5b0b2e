import { describe, expect, test } from 'vitest'
import { createOfferMatcher, folded, productOf, resolveTarget } from './targets.ts'
import type { OwnOffer, Target } from './targets.ts'

const offer = (offerId: string, some: Partial<OwnOffer> = {}): OwnOffer => ({
  offerId,
  productId: `p_${offerId}`,
  name: `Game ${offerId}`,
  platform: 'Steam',
  region: 'Global',
  deliveryType: 'key',
  stock: 0,
  ...some,
})
const offers = [
  offer('one', { productId: '1001', name: 'Ironwharf 3' }),
  offer('two', { productId: '1002', name: 'Hollow Tide: Gold' }),
  offer('three', { productId: '1002', name: 'Hollow Tide', platform: 'GOG', region: 'Europe' }),
  offer('four', { productId: '', name: 'Hollow Tide', platform: 'GOG', region: 'Global' }),
  offer('five', { productId: 'one', name: 'Hollow Tide', platform: 'Steam' }),
  offer('six', { productId: '1006', name: '1001' }),
  offer('seven', { productId: '1007', name: '™' }),
]
const matcher = createOfferMatcher(offers)
const matched = (value: string) => {
  const match = matcher.match(value)
  return match === null ? null : `${match.offer.offerId} by ${match.by}`
}

test.each([
  ['Hollow Tide: Gold™ – Édition', 'hollow tide gold édition'],
  ['  ＩＲＯＮ\twharf  ', 'iron wharf'],
  ['Iron™wharf℠®', 'iron wharf'],
  ['…', ''],
])('folds the name %j to %j', (name, expected) => {
  expect(folded(name)).toBe(expected)
})

test.each([
  ['an offer by its ID, before the same product ID', 'one', 'one by offer-id'],
  ['an offer by its product ID, before the same name', '1001', 'one by product-id'],
  ['an offer by its name, in another spelling', 'IRONWHARF – 3', 'one by name'],
  ['an offer by its name and platform', 'hollow tide (Steam)', 'five by name'],
  ['an offer by its name, platform and region', 'Hollow Tide [GOG] Europe', 'three by name'],
  ['no offer for a product of several offers', '1002', null],
  ['no offer for a name of several offers', 'Hollow Tide', null],
  ['no offer for a name and platform of several offers', 'Hollow Tide GOG', null],
  ['no offer for an unknown name', 'Hollow', null],
  ['no offer for an empty value, although a product ID is unknown', '', null],
  ['no offer for a value without a name', '…', null],
])('matches %s: %j', (_, value, expected) => {
  expect(matched(value)).toBe(expected)
})

test('matches no name without letters and digits', () => {
  const unnamed = createOfferMatcher([offer('one', { name: '…', platform: '', region: '' })])
  expect(unnamed.match('!')).toBeNull()
})

describe('the offer of a line', () => {
  const target = (value: string | null, chosen?: { offerId: string | null }): Target => ({
    value,
    lines: 1,
    chosen: chosen ?? null,
  })
  test.each([
    ['is the chosen one', target('one', { offerId: 'two' }), 'one', 'two', 'chosen'],
    ['is chosen as none', target('one', { offerId: null }), 'one', null, 'chosen'],
    ['is none if the chosen one is gone', target('one', { offerId: 'x' }), null, null, 'chosen'],
    ['is the one of its value', target('1001'), 'two', 'one', 'product-id'],
    ['is none if its value matches none', target('unknown'), 'two', null, 'none'],
    ['is the one of the file', target(null), 'two', 'two', 'chosen'],
    ['is none without one of the file', target(null), null, null, 'none'],
    ['is none if the one of the file is gone', target(null), 'x', null, 'none'],
  ] as const)('%s', (_, given, fileOffer, offerId, by) => {
    const resolved = resolveTarget(given, fileOffer, matcher)
    expect([resolved.offer?.offerId ?? null, resolved.by]).toEqual([offerId, by])
  })
})

test('compares keys per product, or per offer if the product is unknown', () => {
  expect(productOf({ offerId: 'one', productId: '1001' })).toBe('1001')
  expect(productOf({ offerId: 'one', productId: '' })).toBe('offer one')
})
