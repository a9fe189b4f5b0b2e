import { expect, test } from 'vitest'
import { localized } from '../../../contract/localization/localized.ts'
import { monotonicAt } from '../../clock.ts'
import { formatMessages } from '../../testing/format-messages.ts'
import { cents } from '../../../../server/api/money.ts'
import { alertOf, createAlertThrottle, groupAlerts } from './alerts.ts'
import type { Alert } from './alerts.ts'
import type { OfferFacts } from './facts.ts'

const before = { status: 'active', stock: 9, is_cheapest: 1, price_cents: cents(435), low_at: null }
const now = (more: Partial<OfferFacts> = {}): OfferFacts => ({
  offerId: 'off_1',
  productId: 'p',
  name: 'Cinderkeep',
  platform: '',
  region: '',
  productType: '',
  deliveryType: '',
  priceCents: cents(435),
  customerCents: cents(479),
  commission: null,
  status: 'active',
  stock: 9,
  sold: null,
  isCheapest: true,
  lowestCustomerCents: cents(479),
  updatedAt: null,
  ...more,
})

test('alerts when an event happens, not for an earlier state', () => {
  expect(alertOf(before, now(), 5)).toBeNull()
  expect(
    formatMessages(alertOf(before, now({ isCheapest: false, lowestCustomerCents: cents(459) }), 5)),
  ).toMatchObject({
    kind: 'lost-lead',
    text: 'The best price is 4.59, yours is 4.79.',
  })
  expect(alertOf({ ...before, is_cheapest: 0 }, now({ isCheapest: false }), 5)).toBeNull()
  expect(formatMessages(alertOf(before, now({ stock: 5 }), 5))).toMatchObject({
    kind: 'low-stock',
    text: '5 keys are left.',
  })
  expect(alertOf({ ...before, stock: 5 }, now({ stock: 4 }), 5)).toBeNull()
  expect(alertOf({ ...before, low_at: 8 }, now({ stock: 8 }), 5)).toMatchObject({
    kind: 'low-stock',
  })
  expect(alertOf(before, now({ stock: 0, isCheapest: false }), 5)).toMatchObject({ kind: 'empty' })
})

test('sends no lost-lead alert when the seller changed the price or paused the offer', () => {
  expect(alertOf(before, now({ priceCents: cents(500), isCheapest: false }), 5)).toBeNull()
  expect(alertOf(before, now({ status: 'paused', isCheapest: false, stock: 0 }), 5)).toBeNull()
})

test('groups events of a kind into one notice, and limits repeats for one offer', () => {
  const alert = (offerId: string): Alert => ({
    kind: 'lost-lead',
    offerId,
    name: `Game ${offerId}`,
    text: localized('offers.best-price', { best: 459, own: 479 }),
  })
  expect(formatMessages(groupAlerts([alert('a')]))).toEqual([
    {
      kind: 'lost-lead',
      title: 'Lost the lead on Game a',
      text: 'The best price is 4.59, yours is 4.79.',
      path: '/offers/a',
    },
  ])
  expect(formatMessages(groupAlerts(['a', 'b', 'c', 'd', 'e'].map(alert)))).toMatchObject([
    { title: 'Lost the lead on 5 offers', text: 'Game a, Game b, Game c and 2 more.' },
  ])
  expect(formatMessages(groupAlerts(['a', 'b', 'c'].map(alert)))).toMatchObject([
    { title: 'Lost the lead on 3 offers', text: 'Game a, Game b, Game c.' },
  ])
  let at = 0
  const memory = createAlertThrottle({ monotonic: () => monotonicAt(at) })
  expect(memory.fresh([alert('a')]).length).toBe(1)
  at = 29 * 60_000
  expect(memory.fresh([alert('a'), alert('b')]).map(({ offerId }) => offerId)).toEqual(['b'])
  at = 31 * 60_000
  expect(memory.fresh([alert('a')]).length).toBe(1)
})
