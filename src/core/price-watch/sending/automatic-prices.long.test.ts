import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PriceRule } from '../../../contract/price-watch/price-rules.ts'
import { failure } from '../../failure.ts'
import { eagerRule, startWatchedSeller } from '../testing/watched-seller.ts'
import type { WatchedSeller } from '../testing/watched-seller.ts'

const accountId = 'seller'

let world: WatchedSeller
let watch: WatchedSeller['watch']
let faults: WatchedSeller['faults']
beforeEach(async () => {
  world = await startWatchedSeller()
  ;({ watch, faults } = world)
}, 120_000)
afterEach(() => world.close())

const ruleOf = (offerIds: readonly string[], some: Partial<PriceRule> = {}): PriceRule =>
  eagerRule({ scope: { kind: 'offers', offerIds: [...offerIds] }, ...some })
async function save(offerIds: readonly string[], some: Partial<PriceRule> = {}): Promise<string> {
  const rule = ruleOf(offerIds, some)
  return (await watch.saveRule({ accountId, ruleId: null, rule })).ruleId
}
const found = async (offerId: string) => watch.offer({ accountId, offerId })
const sentIds = (): string[] => faults.sent.map(({ id }) => id)

/** Offers that are behind and for which a rule wants another price. */
async function behind(count: number): Promise<string[]> {
  const ruleId = await save((await world.market('losing')).map(({ offerId }) => offerId))
  await watch.setMode({ accountId, ruleId, mode: 'propose' })
  const ids = (await world.market('proposals')).map(({ offerId }) => offerId).slice(0, count)
  await watch.removeRule({ accountId, ruleId })
  expect(ids).toHaveLength(count)
  return ids
}

/** Sends prices one after the other, and runs `task` during the first request of a kind. */
function duringFirst(wanted: string, task: () => Promise<unknown>): void {
  faults.limit = 600
  let begun = false
  faults.before = async (operation) => {
    if (operation !== wanted || begun) return
    begun = true
    await task()
  }
}

async function expectProposed(offerIds: readonly string[], note: string): Promise<void> {
  for (const offerId of offerIds) {
    expect(await found(offerId)).toMatchObject({
      sending: false,
      proposal: { targetCents: expect.any(Number) as number },
    })
    const { rows } = await watch.decisions({ accountId, offerId, sentOnly: true })
    expect(rows[0]).toMatchObject({ reason: 'last-check', by: 'auto', inputs: { note } })
  }
}

test('sends none of the queued automatic prices after auto-apply is suspended', async () => {
  const [a = '', b = '', c = '', ...rest] = await behind(12)
  const three = [a, b, c]
  const ruleId = await save(three)
  await world.switchOn(ruleId)
  await watch.now(accountId)
  expect(sentIds().sort()).toEqual(three.toSorted())
  faults.sent.length = 0
  await watch.saveRule({ accountId, ruleId, rule: ruleOf([...three, ...rest]) })
  duringFirst('changeOffer', async () => {
    for (const [index, offerId] of three.entries())
      await world.seller('PATCH', `/offers/${offerId}`, { price: 80 + index })
    await world.offers.syncNow(accountId)
    await watch.refresh({ accountId, offerIds: three })
  })
  await world.switchOn(ruleId)
  await watch.now(accountId)
  expect((await watch.overview({ accountId })).elsewhere.suspended).toBe(true)
  expect(sentIds()).toHaveLength(1)
  const unsent = rest.filter((offerId) => !sentIds().includes(offerId))
  await expectProposed(unsent, 'suspended')
  const [offerId = ''] = unsent
  const { proposal } = await found(offerId)
  if (proposal === null) throw new Error('nothing is proposed')
  await watch.approve({ accountId, offers: [{ offerId, targetCents: proposal.targetCents }] })
  await watch.now(accountId)
  expect(sentIds().slice(1), 'a person can still approve prices').toEqual([offerId])
})

test.each(['proposes again', 'is changed', 'is switched off'])(
  'takes back only the automatic prices of a rule that %s',
  async (how) => {
    const ids = await behind(6)
    const [approved, own, others] = [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]
    const proposing = await save(approved, { name: 'Proposing' })
    await watch.setMode({ accountId, ruleId: proposing, mode: 'propose' })
    const ruleId = await save(own, { name: 'Own' })
    const other = await save(others, { name: 'Other' })
    faults.before = (operation) => {
      if (operation === 'changeOffer')
        throw failure('SERVICE_UNAVAILABLE', 'Not changed.', 'Try again.', { status: 503 })
    }
    await watch.approve({
      accountId,
      offers: (await world.market('proposals')).flatMap(({ offerId, proposal }) =>
        proposal === null ? [] : [{ offerId, targetCents: proposal.targetCents }],
      ),
    })
    for (const id of [ruleId, other]) await world.switchOn(id)
    await watch.now(accountId)
    expect((await watch.overview({ accountId })).counts.sending).toBe(6)
    duringFirst('changeOffer', async () =>
      how === 'is changed'
        ? watch.saveRule({ accountId, ruleId, rule: ruleOf(own, { name: 'Own', atFloor: 'go' }) })
        : watch.setMode({
            accountId,
            ruleId,
            mode: how === 'proposes again' ? 'propose' : 'off',
          }),
    )
    await watch.now(accountId)
    expect(sentIds().sort()).toEqual([...approved, ...others].toSorted())
    if (how === 'is switched off')
      for (const offerId of own)
        expect(await found(offerId)).toMatchObject({ sending: false, proposal: null })
    else await expectProposed(own, 'rule-proposes')
  },
)

test('sends no automatic price of an offer whose rule now only proposes', async () => {
  const ids = await behind(4)
  const ruleId = await save(ids)
  duringFirst('changeOffer', async () => {
    const before = await watch.saveRule({
      accountId,
      ruleId: null,
      rule: ruleOf(ids, { name: 'Before' }),
      first: true,
    })
    await watch.setMode({ accountId, ruleId: before.ruleId, mode: 'propose' })
  })
  await world.switchOn(ruleId)
  await watch.now(accountId)
  expect(sentIds()).toHaveLength(1)
  await expectProposed(
    ids.filter((offerId) => !sentIds().includes(offerId)),
    'rule-proposes',
  )
})

test('sends no price of an offer that a person holds after its batch was checked', async () => {
  const ids = await behind(3)
  const ruleId = await save(ids)
  duringFirst('changeOffer', async () => watch.hold({ accountId, offerIds: ids, until: null }))
  await world.switchOn(ruleId)
  await watch.now(accountId)
  expect(sentIds()).toHaveLength(1)
  for (const offerId of ids.filter((id) => !sentIds().includes(id)))
    expect(await found(offerId)).toMatchObject({ sending: false, proposal: null, reason: 'held' })
})

test('leaves an offer on hold that a person holds while the service rejects its price', async () => {
  const [offerId = ''] = await behind(1)
  const ruleId = await save([offerId])
  duringFirst('changeOffer', async () => {
    await watch.hold({ accountId, offerIds: [offerId], until: null })
    throw failure('INVALID_INPUT', 'The price is invalid.', 'Change it.', { status: 422 })
  })
  await world.switchOn(ruleId)
  await watch.now(accountId)
  expect(await found(offerId)).toMatchObject({ reason: 'held', until: null })
})

test('sends a price of the next rule if its rule is turned off while the offer is read', async () => {
  const [offerId = ''] = await behind(1)
  const first = await save([offerId], { name: 'First' })
  const second = await save([offerId], { name: 'Second' })
  await world.switchOn(second)
  // The offer must be read again before its price is sent.
  world.harness.context.mirrors
    .database(accountId)
    .exec('UPDATE offers SET seen_at = seen_at - 60000')
  let isQueued = false
  duringFirst('getOffer', async () => {
    isQueued = (await found(offerId)).sending
    await watch.setMode({ accountId, ruleId: first, mode: 'off' })
  })
  await world.switchOn(first)
  await watch.now(accountId)
  expect(isQueued).toBe(true)
  expect(sentIds()).toEqual([offerId])
  expect(world.harness.reports).toEqual([])
  const { rows } = await watch.decisions({ accountId, offerId, sentOnly: true })
  const notes = rows.map(({ inputs: { note } }) => note)
  expect(rows[0]?.reason).toBe('applied')
  expect(notes.filter((note) => note === 'rule-gone')).toHaveLength(1)
})
