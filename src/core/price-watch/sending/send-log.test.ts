import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import type { MarketRow } from '../../../contract/price-watch/price-watch-records.ts'
import { failure } from '../../failure.ts'
import { customerFor } from '../rules/target.ts'
import { eagerRule, startWatchedSeller } from '../testing/watched-seller.ts'
import type { WatchedSeller } from '../testing/watched-seller.ts'

const accountId = 'seller'

let world: WatchedSeller
let watch: WatchedSeller['watch']
let faults: WatchedSeller['faults']
beforeAll(async () => {
  world = await startWatchedSeller()
  ;({ watch, faults } = world)
  const { ruleId } = await watch.saveRule({ accountId, ruleId: null, rule: eagerRule() })
  await watch.setMode({ accountId, ruleId, mode: 'propose' })
}, 120_000)
afterEach(() => faults.reset())
afterAll(() => world.close())

/** The first offer with a proposal. */
async function proposed() {
  const [row] = await world.market('proposals')
  if (row?.proposal == null || row.commissionPercent === null) throw new Error('nothing proposed')
  return { ...row, percent: row.commissionPercent, targetCents: row.proposal.targetCents }
}
/** Approves a price whose offer must be read again. */
async function approve({ offerId, targetCents }: Pick<MarketRow, 'offerId'> & SendTarget) {
  world.harness.context.mirrors
    .database(accountId)
    .exec('UPDATE offers SET seen_at = seen_at - 60000')
  await watch.approve({ accountId, offers: [{ offerId, targetCents }] })
  await watch.now(accountId)
}
type SendTarget = { targetCents: ReturnType<typeof cents> }
const latestSend = async (offerId: string) =>
  (await watch.decisions({ accountId, offerId, sentOnly: true })).rows[0]

test('logs a price as not sent if its offer can’t be read, and holds the offer', async () => {
  faults.limit = 600
  faults.before = (operation) => {
    if (operation === 'getOffer')
      throw failure('INSUFFICIENT_SCOPE', 'Not allowed.', 'Use another key.', { status: 403 })
  }
  const row = await proposed()
  await approve(row)
  expect(faults.sent).toEqual([])
  expect(await latestSend(row.offerId)).toMatchObject({
    reason: 'last-check',
    inputs: { note: 'unreadable' },
  })
  expect(await watch.offer({ accountId, offerId: row.offerId })).toMatchObject({
    sending: false,
    reason: 'held-refused',
  })
})

test('logs the prices of the check for a price that the market overtook', async () => {
  faults.limit = 600
  const row = await proposed()
  const beforeCents = cents(row.priceCents + 40)
  await world.seller('PATCH', `/offers/${row.offerId}`, { price: beforeCents / 100 })
  await approve(row)
  expect(faults.sent).toEqual([])
  expect(await latestSend(row.offerId)).toMatchObject({
    reason: 'last-check',
    beforeCents,
    targetCents: row.targetCents,
    inputs: {
      note: 'market-moved',
      customerCents: customerFor(beforeCents, row.percent),
      targetCustomerCents: customerFor(row.targetCents, row.percent),
    },
  })
})

test('logs the prices of the check for a sent price whose offer was decided again', async () => {
  faults.limit = 600
  const row = await proposed()
  faults.after = async (operation) => {
    if (operation !== 'changeOffer') return
    await world.offers.syncNow(accountId)
    await watch.refresh({ accountId, offerIds: [row.offerId] })
  }
  await approve(row)
  expect(await latestSend(row.offerId)).toMatchObject({
    reason: 'applied',
    beforeCents: row.priceCents,
    targetCents: row.targetCents,
    inputs: {
      isCheapest: false,
      customerCents: customerFor(row.priceCents, row.percent),
      targetCustomerCents: customerFor(row.targetCents, row.percent),
    },
  })
})
