import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ProblemCode } from '../../../contract/problem-codes.ts'
import { outlookOf } from '../../certainty/certainty.ts'
import { later } from '../../clock.ts'
import { Failure, failure } from '../../failure.ts'
import { eagerRule, startWatchedSeller } from '../testing/watched-seller.ts'
import type { WatchedSeller } from '../testing/watched-seller.ts'

const accountId = 'seller'
/** Prices that are checked together with a rate limit. */
const BATCH = 8

let world: WatchedSeller
let watch: WatchedSeller['watch']
let faults: WatchedSeller['faults']
beforeEach(async () => {
  world = await startWatchedSeller()
  ;({ watch, faults } = world)
  faults.limit = 600
  const { ruleId } = await watch.saveRule({ accountId, ruleId: null, rule: eagerRule() })
  await watch.setMode({ accountId, ruleId, mode: 'propose' })
}, 120_000)
afterEach(() => world.close())

/** The first proposals, for offers whose readings are too old to send by. */
async function proposed(count: number) {
  const rows = (await world.market('proposals')).flatMap(({ offerId, proposal }) =>
    proposal === null ? [] : [{ offerId, targetCents: proposal.targetCents }],
  )
  expect(rows.length).toBeGreaterThanOrEqual(count)
  world.harness.context.mirrors
    .database(accountId)
    .exec(
      'UPDATE offers SET seen_at = seen_at - 60000; UPDATE offers_sync SET last_at = last_at - 20000',
    )
  return rows.slice(0, count)
}
type Proposals = Awaited<ReturnType<typeof proposed>>
const idsOf = (offers: Proposals): string[] => offers.map(({ offerId }) => offerId)
const approve = (offers: Proposals) => watch.approve({ accountId, offers })
const unread = (code: ProblemCode): Failure =>
  new Failure(failure(code, 'Not loaded.', 'Try again.').problem, outlookOf(code, 500, 'read'))
function failReadings(offers: Proposals, code: ProblemCode): void {
  const ids = idsOf(offers)
  faults.before = (operation, input) => {
    if (operation !== 'getOffer') return
    if (ids.includes((input as { params: { id: string } }).params.id)) throw unread(code)
  }
}
const readAll = (): void => {
  faults.before = () => {}
}
const latest = async (offerId = '') =>
  (await watch.decisions({ accountId, offerId, sentOnly: true })).rows[0]
const sentIds = (): string[] => faults.sent.map(({ id }) => id)
const sending = async (): Promise<number> => (await watch.overview({ accountId })).counts.sending

test.each<ProblemCode>(['BAD_ANSWER', 'INTERNAL_ERROR'])(
  'sends the other prices if an offer can’t be read (%s), and proposes its price after a minute',
  async (code) => {
    const all = await proposed(4)
    const [bad, others] = [all.slice(0, 1), all.slice(1)]
    failReadings(bad, code)
    await approve(all)
    await watch.now(accountId)
    expect(sentIds()).toEqual(idsOf(others))
    await watch.now(accountId)
    expect(await sending()).toBe(1)
    const { clock } = world.harness.context
    const real = clock.monotonic.bind(clock)
    vi.spyOn(clock, 'monotonic').mockImplementation(() => later(real(), 61_000))
    await watch.now(accountId)
    expect(await sending()).toBe(0)
    expect(await latest(bad[0]?.offerId)).toMatchObject({
      reason: 'last-check',
      inputs: { note: 'unreadable' },
    })
    expect(sentIds()).toEqual(idsOf(others))
  },
)

test('sends a price once its offer can be read again', async () => {
  const bad = await proposed(1)
  failReadings(bad, 'BAD_ANSWER')
  await approve(bad)
  await watch.now(accountId)
  expect(sentIds()).toEqual([])
  readAll()
  await watch.now(accountId)
  expect(sentIds()).toEqual(idsOf(bad))
})

test('sends the other prices first after a batch of which no offer could be read', async () => {
  const all = await proposed(BATCH + 2)
  failReadings(all.slice(0, BATCH), 'BAD_ANSWER')
  await approve(all)
  await watch.now(accountId)
  await watch.now(accountId)
  expect(sentIds()).toEqual(idsOf(all.slice(BATCH)))
  expect(await sending()).toBe(BATCH)
  readAll()
  await watch.now(accountId)
  expect(await sending()).toBe(0)
})

test('sends the other prices while it can’t be read whether one was applied', async () => {
  const all = await proposed(3)
  const [lost, others] = [all.slice(0, 1), all.slice(1)]
  faults.after = (operation) => {
    if (operation !== 'changeOffer') return
    failReadings(lost, 'BAD_ANSWER')
    throw failure('ANSWER_LOST', 'The response was lost.', 'Wait.')
  }
  await approve(lost)
  await watch.now(accountId)
  faults.after = () => {}
  await approve(others)
  await watch.now(accountId)
  expect(sentIds()).toEqual(idsOf(all))
  expect(await sending()).toBe(1)
  readAll()
  await watch.now(accountId)
  expect(await sending()).toBe(0)
  expect(await latest(lost[0]?.offerId)).toMatchObject({ inputs: { note: 'answer-lost' } })
})
