import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { cents } from '../../../server/api/money.ts'
import { failure } from '../failure.ts'
import { outboxFeature } from '../outbox/outbox.ts'
import { formatMessages } from '../testing/format-messages.ts'
import { startFeature } from '../testing/start-feature.ts'
import { priceWatchFeature } from './price-watch.ts'
import { priceRulesFeature } from './rules/price-rules.ts'
import { eagerRule, startWatchedSeller } from './testing/watched-seller.ts'
import type { WatchedSeller } from './testing/watched-seller.ts'

let world: WatchedSeller
let offers: WatchedSeller['offers']
let watch: WatchedSeller['watch']
let faults: WatchedSeller['faults']
let seller: WatchedSeller['seller']
let market: WatchedSeller['market']
let switchOn: WatchedSeller['switchOn']
beforeAll(async () => {
  world = await startWatchedSeller()
  ;({ offers, watch, faults, seller, market, switchOn } = world)
}, 120_000)
afterEach(() => faults.reset())
afterAll(() => world.close())

const accountId = 'seller'
const found = async (offerId: string) => watch.offer({ accountId, offerId })
const priceOf = async (offerId: string): Promise<number> =>
  Math.round(Number((await seller('GET', `/offers/${offerId}`))['price']) * 100)

test('shows who leads and what is lost without rules, and proposes nothing', async () => {
  const { counts } = await watch.overview({ accountId })
  const listed = (
    (await seller('GET', '/offers?limit=100')) as {
      results: { status: string; stock: number; isCheapest: boolean }[]
    }
  ).results
  const selling = listed.filter(({ status, stock }) => status === 'active' && stock > 0)
  expect(counts).toMatchObject({
    offers: listed.length,
    watched: selling.length,
    leading: selling.filter(({ isCheapest }) => isCheapest).length,
    losing: selling.filter(({ isCheapest }) => !isCheapest).length,
    proposals: 0,
  })
  expect(counts.offers).toBe(counts.watched + counts.empty + counts.paused)
  for (const row of await market())
    expect(row).toMatchObject({ lead: 'behind', reason: 'no-rule', proposal: null })
})

test('the daily loss of an offer is unknown without a sale in 30 days, not 0', async () => {
  const rows = await market()
  for (const { offerId, perDayCents } of rows)
    expect(perDayCents === null).toBe((await found(offerId)).history.soldMonth === 0)
  const unknown = rows.filter(({ perDayCents }) => perDayCents === null).length
  expect(unknown).toBeGreaterThan(0)
  const { lostPerDayCents, lostUnknown } = await watch.overview({ accountId })
  expect(lostUnknown).toBe(unknown)
  expect(lostPerDayCents === null).toBe(unknown === rows.length)
})

test('locates every offer of a tab in its order, and none of another tab', async () => {
  for (const tab of ['losing', 'all'] as const)
    for (const sort of [
      { column: 'name', direction: 'desc' },
      { column: 'lost', direction: 'asc' },
    ] as const) {
      const window = { offset: 0, limit: 500 }
      const { rows } = await watch.market({ accountId, tab, sort, window })
      for (const [index, { offerId }] of rows.entries())
        expect(await watch.position({ accountId, tab, sort, offerId })).toEqual({ index })
    }
  const [losing] = await market('losing')
  expect(await watch.position({ accountId, tab: 'held', offerId: losing?.offerId ?? '' })).toEqual({
    index: null,
  })
})

test('proposes a price, sends it once when approved, takes the lead, and logs all inputs', async () => {
  const saved = await watch.saveRule({ accountId, ruleId: null, rule: eagerRule() })
  expect(saved.mode).toBe('off')
  await watch.setMode({ accountId, ruleId: saved.ruleId, mode: 'propose' })
  const [row] = await market('proposals')
  if (row?.proposal == null) throw new Error('nothing is proposed')
  expect(row.proposal.targetCustomerCents).toBeLessThan(row.bestCents ?? 0)
  expect(faults.sent).toEqual([])
  expect(
    await watch.approve({
      accountId,
      offers: [{ offerId: row.offerId, targetCents: cents(row.proposal.targetCents + 1) }],
    }),
  ).toEqual({ approved: 0, sends: [], changed: [row.offerId] })
  const { sends, ...approved } = await watch.approve({
    accountId,
    offers: [{ offerId: row.offerId, targetCents: row.proposal.targetCents }],
  })
  expect(approved).toEqual({ approved: 1, changed: [] })
  const sendIds = sends.map(({ sendId }) => sendId)
  await watch.now(accountId)
  expect(await watch.sends({ accountId, sendIds: [...sendIds, 'unknown'] })).toEqual([
    { sendId: sendIds[0], offerId: row.offerId, state: 'applied', note: null },
  ])
  expect(await priceOf(row.offerId)).toBe(row.proposal.targetCents)
  expect(faults.sent).toHaveLength(1)
  const after_ = await found(row.offerId)
  expect(after_).toMatchObject({
    lead: 'leading',
    proposal: null,
    sending: false,
    priceCents: row.proposal.targetCents,
  })
  expect(after_.history.changes).toMatchObject([
    {
      fromCents: row.priceCents,
      toCents: row.proposal.targetCents,
      reason: 'undercut',
      by: 'person',
    },
  ])
  expect(after_.history.marks).toMatchObject([
    { reason: 'applied', targetCents: row.proposal.targetCents },
  ])
  const { rows } = await watch.decisions({ accountId, offerId: row.offerId })
  expect(rows.map(({ reason }) => reason)).toEqual(
    ['leading', 'applied', 'undercut', 'no-rule'].filter((reason) =>
      rows.some((each) => each.reason === reason),
    ),
  )
  expect(rows.find(({ reason }) => reason === 'applied')).toMatchObject({
    by: 'person',
    beforeCents: row.priceCents,
    targetCents: row.proposal.targetCents,
    ruleName: 'All',
    inputs: { bestCents: row.bestCents },
  })
  const { base64 } = await watch.exportDecisions({ accountId, offerId: row.offerId })
  expect(Buffer.from(base64, 'base64').toString().trim().split('\r\n')).toHaveLength(
    rows.length + 1,
  )
})

test('doesn’t propose a rejected price again, and leaves a held offer alone until it is released', async () => {
  const [first, second] = await market('proposals')
  if (first === undefined || second === undefined) throw new Error('too few proposals')
  await watch.reject({ accountId, offerIds: [first.offerId] })
  await watch.hold({ accountId, offerIds: [second.offerId], until: null })
  expect(await found(first.offerId)).toMatchObject({ reason: 'rejected', proposal: null })
  expect(await found(second.offerId)).toMatchObject({ reason: 'held', proposal: null })
  await watch.release({ accountId, offerIds: [first.offerId, second.offerId] })
  expect((await found(first.offerId)).proposal).toMatchObject({
    targetCents: first.proposal?.targetCents,
  })
})

test('doesn’t send an old price if the market moved after the proposal', async () => {
  const [row] = await market('proposals')
  if (row?.proposal == null) throw new Error('nothing is proposed')
  await seller('PATCH', `/offers/${row.offerId}`, { price: (row.priceCents + 3) / 100 })
  world.harness.context.mirrors
    .database(accountId)
    .prepare('UPDATE offers SET seen_at = seen_at - 60000 WHERE offer_id = ?')
    .run(row.offerId)
  const { sends } = await watch.approve({
    accountId,
    offers: [{ offerId: row.offerId, targetCents: row.proposal.targetCents }],
  })
  await watch.now(accountId)
  expect(faults.sent).toEqual([])
  expect(
    await watch.sends({ accountId, sendIds: sends.map(({ sendId }) => sendId) }),
  ).toMatchObject([{ offerId: row.offerId, state: 'returned', note: 'market-moved' }])
  expect(await priceOf(row.offerId)).toBe(row.priceCents + 3)
  expect(
    (await watch.decisions({ accountId, offerId: row.offerId, sentOnly: true })).rows[0],
  ).toMatchObject({ reason: 'last-check', inputs: { note: 'market-moved' } })
  expect((await found(row.offerId)).proposal).toMatchObject({
    targetCents: row.proposal.targetCents,
  })
})

test('checks the offers of a batch together, and sends their prices one after the other', async () => {
  const rows = await market('proposals')
  const approved = rows.flatMap(({ offerId, proposal }) =>
    proposal === null ? [] : [{ offerId, targetCents: proposal.targetCents }],
  )
  expect(approved.length).toBeGreaterThan(3)
  faults.limit = 600
  // Readings are too old to send by, so that each offer is read again.
  world.harness.context.mirrors
    .database(accountId)
    .prepare('UPDATE offers SET seen_at = seen_at - 60000')
    .run()
  const running = new Map<string, number>()
  const most = new Map<string, number>()
  faults.before = (operation) => {
    running.set(operation, (running.get(operation) ?? 0) + 1)
    most.set(operation, Math.max(most.get(operation) ?? 0, running.get(operation) ?? 0))
  }
  faults.after = (operation) => {
    running.set(operation, (running.get(operation) ?? 0) - 1)
  }
  await watch.approve({ accountId, offers: approved.slice(0, 2) })
  await watch.now(accountId)
  expect(faults.sent).toHaveLength(2)
  expect(most.get('getOffer')).toBeGreaterThan(1)
  expect(most.get('changeOffer')).toBe(1)
})

test('stops the next price of a batch with the kill switch, and proposes all of them again', async () => {
  const rows = await market('proposals')
  expect(rows.length).toBeGreaterThan(3)
  faults.limit = 600
  faults.after = (operation) => {
    if (operation === 'changeOffer' && faults.sent.length === 2) watch.stopAll()
  }
  await watch.approve({
    accountId,
    offers: rows.flatMap(({ offerId, proposal }) =>
      proposal === null ? [] : [{ offerId, targetCents: proposal.targetCents }],
    ),
  })
  await watch.now(accountId)
  expect(faults.sent).toHaveLength(2)
  expect(watch.switch().stoppedAt).not.toBeNull()
  expect((await watch.overview({ accountId })).counts).toMatchObject({ proposals: 0, sending: 0 })
  await expect(
    watch.approve({
      accountId,
      offers: [{ offerId: rows[3]?.offerId ?? '', targetCents: cents(1) }],
    }),
  ).rejects.toMatchObject({ problem: { code: 'STOPPED' } })
  expect((await found(rows[3]?.offerId ?? '')).reason).toBe('stopped')
  watch.resume()
  await watch.now(accountId)
  expect((await market('proposals')).map(({ offerId }) => offerId).sort()).toEqual(
    rows
      .slice(2)
      .map(({ offerId }) => offerId)
      .sort(),
  )
})

test('settles a lost response by the state of the offer: sent once, or proposed again', async () => {
  const [taken, lost] = await market('proposals')
  if (taken?.proposal == null || lost?.proposal == null) throw new Error('too few proposals')
  faults.after = (operation) => {
    if (operation === 'changeOffer') throw failure('ANSWER_LOST', 'No answer.', 'Wait.')
  }
  await watch.approve({
    accountId,
    offers: [{ offerId: taken.offerId, targetCents: taken.proposal.targetCents }],
  })
  await watch.now(accountId)
  expect(await found(taken.offerId)).toMatchObject({
    priceCents: taken.proposal.targetCents,
    sending: false,
    lead: 'leading',
  })
  faults.after = () => {}
  faults.before = (operation) => {
    if (operation === 'changeOffer') throw failure('ANSWER_LOST', 'No answer.', 'Wait.')
  }
  await watch.approve({
    accountId,
    offers: [{ offerId: lost.offerId, targetCents: lost.proposal.targetCents }],
  })
  await watch.now(accountId)
  // It can still arrive.
  expect(await found(lost.offerId)).toMatchObject({ priceCents: lost.priceCents, sending: true })
  world.landFlights()
  await watch.now(accountId)
  expect(await found(lost.offerId)).toMatchObject({
    priceCents: lost.priceCents,
    sending: false,
    proposal: { targetCents: lost.proposal.targetCents },
  })
  expect(faults.sent).toHaveLength(1)
})

test('keeps an approved price queued while the service is unavailable, and sends it once afterwards', async () => {
  const [row] = await market('proposals')
  if (row?.proposal == null) throw new Error('nothing is proposed')
  const { targetCents } = row.proposal
  faults.before = (operation) => {
    if (operation === 'changeOffer')
      throw failure('SERVICE_UNAVAILABLE', 'Not changed.', 'Try again.', { status: 503 })
  }
  await watch.approve({ accountId, offers: [{ offerId: row.offerId, targetCents }] })
  await watch.now(accountId)
  expect(await found(row.offerId)).toMatchObject({ priceCents: row.priceCents, sending: true })
  expect(faults.sent).toEqual([])

  faults.before = () => {}
  await watch.now(accountId)
  expect(await found(row.offerId)).toMatchObject({ priceCents: targetCents, sending: false })
  expect(faults.sent).toHaveLength(1)
})

test('sends by auto-apply; holds an offer whose price was then set elsewhere, and notifies about it', async () => {
  const [{ ruleId = '' } = {}] = await watch.rules({ accountId })
  const waiting = await market('proposals')
  const one = waiting[0]
  if (one?.proposal == null) throw new Error('nothing is proposed')
  await watch.saveRule({
    accountId,
    ruleId,
    rule: eagerRule({ scope: { kind: 'offers', offerIds: [one.offerId] } }),
  })
  await switchOn(ruleId)
  await watch.now(accountId)
  expect(await priceOf(one.offerId)).toBe(one.proposal.targetCents)
  await seller('PATCH', `/offers/${one.offerId}`, { price: (one.priceCents + 20) / 100 })
  await offers.syncNow(accountId)
  await watch.now(accountId)
  expect(await found(one.offerId)).toMatchObject({ reason: 'changed-elsewhere', proposal: null })
  expect((await watch.overview({ accountId })).elsewhere).toEqual({
    offers: [one.offerId],
    suspended: false,
  })
  expect(formatMessages(world.harness.notices)).toContainEqual(
    expect.objectContaining({
      kind: 'price-watch',
      title: `Price changed elsewhere: ${one.name}`,
      path: `/watch/market/${one.offerId}`,
    }),
  )
  expect(faults.sent).toHaveLength(1)
  await watch.release({ accountId, offerIds: [one.offerId] })
  await watch.now(accountId)
  expect(faults.sent).toHaveLength(2)
})

test('suspends auto-apply after three prices were set elsewhere within an hour, until a person reviews', async () => {
  const [{ ruleId = '' } = {}] = await watch.rules({ accountId })
  const [last, ...three] = (await market('losing'))
    .filter(({ reason }) => reason === 'no-rule')
    .slice(0, 4)
    .map(({ offerId }) => offerId)
  if (last === undefined || three.length < 3) throw new Error('too few offers are behind')
  const applyTo = async (offerIds: string[]): Promise<void> => {
    await watch.saveRule({
      accountId,
      ruleId,
      rule: eagerRule({ scope: { kind: 'offers', offerIds } }),
    })
    await switchOn(ruleId)
    await watch.now(accountId)
  }
  await applyTo(three)
  expect(faults.sent.map(({ id }) => id).sort()).toEqual(three.toSorted())
  for (const [index, offerId] of three.entries()) {
    await seller('PATCH', `/offers/${offerId}`, { price: 80 + index })
    await offers.syncNow(accountId)
    await watch.now(accountId)
    const { elsewhere } = await watch.overview({ accountId })
    expect([elsewhere.offers.length, elsewhere.suspended]).toEqual([index + 1, index === 2])
    expect(world.harness.notices.some(({ title }) => title.code === 'price-watch.paused')).toBe(
      index === 2,
    )
  }
  faults.sent.length = 0
  await applyTo([last])
  expect(faults.sent, 'nothing sent automatically while auto-apply is suspended').toEqual([])
  expect(await found(last)).toMatchObject({
    sending: false,
    proposal: { targetCents: expect.any(Number) as number },
  })
  await watch.release({ accountId, offerIds: three })
  await watch.now(accountId)
  await switchOn(ruleId)
  await watch.now(accountId)
  expect(faults.sent.map(({ id }) => id)).toEqual([last])
})
test('restores its local state after a restart', async () => {
  const rulesBefore = await watch.rules({ accountId })
  const decided = (await watch.decisions({ accountId, sentOnly: true })).rows.map(
    ({ number }) => number,
  )
  const again = startFeature(priceWatchFeature, world.harness.context, {
    offers,
    outbox: startFeature(outboxFeature, world.harness.context, {}),
    priceRules: startFeature(priceRulesFeature, world.harness.context, {}),
  })
  expect((await again.rules({ accountId })).map(({ ruleId, rule: of }) => [ruleId, of])).toEqual(
    rulesBefore.map(({ ruleId, rule: of }) => [ruleId, of]),
  )
  expect(
    (await again.decisions({ accountId, sentOnly: true })).rows.map(({ number }) => number),
  ).toEqual(decided)
})
