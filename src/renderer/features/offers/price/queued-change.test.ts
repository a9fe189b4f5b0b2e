import { expect, test } from 'vitest'
import { cents } from '../../../../../server/api/money.ts'
import type { OfferRow } from '../../../../contract/offers/offers.ts'
import { discardsQueued, queuedParts, queuedPrice } from './queued-change.ts'

type Lost = NonNullable<NonNullable<OfferRow['pending']>['lost']>
/** An active offer at 10.00, with a queued price of 12.00 and a queued pause. */
const row = (lost: Lost) =>
  ({
    priceCents: cents(1000),
    status: 'active',
    pending: { state: 'waits', priceCents: cents(1200), status: 'paused', problem: null, lost },
  }) as OfferRow

test('sends the former price and status if the response to the queued one was lost', () => {
  const price = { priceCents: cents(1000) }
  const status = { status: 'active' as const }
  expect(discardsQueued(row([]), price)).toBe(true)
  expect(discardsQueued(row([]), status)).toBe(true)
  expect(discardsQueued(row(['status']), price)).toBe(true)
  expect(discardsQueued(row(['status']), status)).toBe(false)
  expect(discardsQueued(row(['price']), price)).toBe(false)
  expect(discardsQueued(row(['price']), status)).toBe(true)
  expect(discardsQueued(row([]), { priceCents: cents(1100) })).toBe(false)
})

test('separates queued parts from those whose response was lost', () => {
  const parts = (lost: Lost) => queuedParts(row(lost), String)
  expect(parts([])).toEqual({ queued: ['price 1200', 'pause'], lost: [] })
  expect(parts(['status'])).toEqual({ queued: ['price 1200'], lost: ['pause'] })
  expect(parts(['price', 'status'])).toEqual({ queued: [], lost: ['price 1200', 'pause'] })
})

test('begins an edit with a queued price, and not with one that was rejected or is being saved', () => {
  type Pending = NonNullable<OfferRow['pending']>
  const pending: Pending = { state: 'waits', priceCents: cents(1200), status: null, problem: null }
  const priced = (state: Pending['state']) =>
    queuedPrice({ ...row([]), pending: { ...pending, state } })
  expect(priced('waits')).toBe(1200)
  expect(priced('refused')).toBeNull()
  expect(priced('saving')).toBeNull()
  expect(queuedPrice({ ...row([]), pending: null })).toBeNull()
})
