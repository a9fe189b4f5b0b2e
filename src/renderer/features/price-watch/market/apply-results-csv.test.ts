import { expect, test } from 'vitest'
import { cents } from '../../../../../server/api/money.ts'
import type { MarketRow, PriceSend } from '../../../../contract/price-watch/price-watch-records.ts'
import { appliedCsv, appliedPrices, isFailed, reasonOf, resultOf } from './apply-results-csv.ts'

// Only the fields that the results show.
const row = (offerId: string): MarketRow =>
  ({
    offerId,
    name: `=Ironwharf ${offerId}`,
    platform: 'Steam',
    region: 'Europe',
    deliveryType: 'gift',
    priceCents: cents(1290),
    proposal: { targetCents: cents(1240) },
  }) as MarketRow
const send = (offerId: string, state: PriceSend['state'], note: string | null): PriceSend => ({
  sendId: `send-${offerId}`,
  offerId,
  state,
  note,
})
const offerIds = ['sent', 'moved', 'refused', 'changed', 'unread']
const lines = appliedPrices(
  {
    rows: offerIds.map(row),
    sends: ['sent', 'moved', 'refused', 'unread'].map((offerId) => ({
      offerId,
      sendId: `send-${offerId}`,
    })),
  },
  [
    send('sent', 'applied', null),
    send('moved', 'returned', 'market-moved'),
    send('refused', 'refused', 'OFFER_CLOSED'),
  ],
)

test('each applied proposal has a result and a reason', () => {
  expect(lines.map((line) => [line.row.offerId, resultOf(line), reasonOf(line)])).toEqual([
    ['sent', 'Sent', ''],
    ['moved', 'Not sent', 'the market moved, and another price is right now'],
    ['refused', 'Rejected by the service', 'OFFER_CLOSED'],
    ['changed', 'Not sent', 'the proposal had changed'],
    ['unread', 'Waiting', ''],
  ])
})

test('only prices that were not sent are retried', () => {
  expect(lines.filter(isFailed).map((line) => line.row.offerId)).toEqual([
    'moved',
    'refused',
    'changed',
  ])
})

test('the CSV has a row per proposal, and escapes formulas', () => {
  const [head, first] = appliedCsv(lines).split('\r\n')
  expect(head).toBe(
    'Offer id,Product,Platform,Region,Delivery,Price before EUR,Price wanted EUR,Result,Reason',
  )
  expect(first).toBe(`sent,"'=Ironwharf sent",Steam,Europe,gift,12.90,12.40,Sent,`)
})
