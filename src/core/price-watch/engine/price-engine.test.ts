import { afterEach, beforeEach, expect, test } from 'vitest'
import { startFeature } from '../../testing/start-feature.ts'
import type { Started } from '../../testing/start-feature.ts'
import { cents } from '../../../../server/api/money.ts'
import { newRuleDefaults } from '../../../contract/price-watch/price-rules.ts'
import type { PriceRule } from '../../../contract/price-watch/price-rules.ts'
import { catalogueSchema } from '../../catalogue/catalogue.ts'
import type { ServiceConnection } from '../../context.ts'
import { createMirrorHarness } from '../../mirror/testing/harness.ts'
import type { MirrorHarness } from '../../mirror/testing/harness.ts'
import { offersFeature, offersSchemas } from '../../offers/offers.ts'
import type { Offers } from '../../offers/offers.ts'
import { priceRulesFeature } from '../rules/price-rules.ts'
import { outboxFeature, outboxSchema } from '../../outbox/outbox.ts'
import { salesSchema } from '../../sales/sales.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import type { ManualClock } from '../../testing/manual-clock.ts'
import { createPriceEngine } from './price-engine.ts'
import type { PriceEngine } from './price-engine.ts'
import { priceWatchSchema } from '../schema.ts'
import { MINUTE_MS } from '../../../../server/api/time.ts'

const rule: PriceRule = {
  ...newRuleDefaults,
  name: 'All',
  floor: { kind: 'receive', cents: cents(1) },
}
const never = new AbortController().signal
let clock: ManualClock
let harness: MirrorHarness
let startEngine: () => PriceEngine
let offers: Started<Offers>
let keeper: PriceEngine
/** The best customer price of each offer that is behind. */
const best = new Map<string, number>()
/** The seller's price of each offer whose price isn't 1000. */
const prices = new Map<string, number>()
const close: { close(): Promise<void> }[] = []

beforeEach(async () => {
  clock = manualClock()
  best.clear()
  prices.clear()
  for (const id of ['off_1', 'off_2', 'off_3']) best.set(id, 1000)
  const call = (async (_operation: string, { params: { id } }: { params: { id: string } }) => ({
    id,
    productId: `p ${id}`,
    name: id,
    price: prices.get(id) ?? 1000,
    customerPrice: 1100,
    status: 'active',
    stock: 5,
    isCheapest: false,
    lowestCustomerPrice: best.get(id),
    commission: { class: 'keys', percent: 10, amount: 100 },
  })) as unknown as ServiceConnection['call']
  harness = createMirrorHarness({
    schemas: [catalogueSchema, ...offersSchemas, outboxSchema, salesSchema, priceWatchSchema],
    clock,
    wrap: () => ({ ready: async () => {}, call }),
  })
  const outbox = startFeature(outboxFeature, harness.context, {})
  const priceRules = startFeature(priceRulesFeature, harness.context, {})
  offers = startFeature(offersFeature, harness.context, { outbox, priceRules })
  close.push(offers, outbox, priceRules)
  harness.add({ id: 'a', role: 'seller', baseUrl: 'http://127.0.0.1:1/v1', key: 'svcs_none' })
  for (const id of best.keys()) await read(id)
  startEngine = () =>
    createPriceEngine({ context: harness.context, offers, outbox, priceRules, accountId: 'a' })
  keeper = startEngine()
  keeper.store.putRule('r', rule, clock.now())
  keeper.store.setMode('r', 'propose', null)
  keeper.rulesChanged()
  await keeper.considerAll(never)
  await keeper.decideDue(never)
})
afterEach(() => harness.close(...close.splice(0)))

const read = (offerId: string) => offers.pricing.refreshOffer('a', offerId, { priority: 'watch' })
const reasons = (): (string | undefined)[] =>
  ['off_1', 'off_2', 'off_3'].map((id) => keeper.watched().get(id)?.decision.reason)

test('decides only changed offers and those whose hold is over between two readings', async () => {
  const state = keeper.stateOf('off_2')
  if (state === null) throw new Error('off_2 is not watched')
  keeper.remember('off_2', {
    ...state,
    hold: { why: 'snoozed', until: clock.now() + 5 * MINUTE_MS, since: clock.now() },
  })
  keeper.consider(['off_2'])
  expect(reasons()).toEqual(['undercut', 'snoozed', 'undercut'])
  clock.advance(4 * MINUTE_MS)
  expect(await keeper.decideDue(never), 'nothing is due').toBe(0)
  clock.advance(MINUTE_MS)
  expect(await keeper.decideDue(never)).toBe(1)
  expect(reasons()).toEqual(['undercut', 'undercut', 'undercut'])
  best.set('off_3', 900)
  await read('off_3')
  expect(await keeper.decideDue(never)).toBe(1)
  expect(keeper.store.proposal('off_3')).toMatchObject({ bestCents: 900 })
})

test('marks offers with old readings as stale, once', async () => {
  clock.advance(15 * MINUTE_MS + 1)
  expect(await keeper.decideDue(never)).toBe(3)
  expect(reasons()).toEqual(['stale', 'stale', 'stale'])
  expect(await keeper.decideDue(never)).toBe(0)
})

test('decides every offer each time if a rule has hours or dates', async () => {
  keeper.store.putRule('r', { ...rule, endsAt: clock.now() + MINUTE_MS }, clock.now())
  keeper.rulesChanged()
  await keeper.considerAll(never)
  expect(reasons()).toEqual(['undercut', 'undercut', 'undercut'])
  clock.advance(MINUTE_MS)
  expect(await keeper.decideDue(never)).toBe(3)
  expect(reasons()).toEqual(['no-rule', 'no-rule', 'no-rule'])
})

/** As after a price of this offer that a rule set. */
function changedByRule(offerId: string): void {
  const state = keeper.stateOf(offerId)
  if (state === null) throw new Error(`${offerId} is not watched`)
  const changes = [{ at: clock.now(), fromCents: cents(1000), toCents: cents(990) }]
  keeper.remember(offerId, { ...state, changes })
}
/** Reads a price of an offer from the service, and decides. Returns the offer's state. */
async function readPrice(offerId: string, price: number) {
  prices.set(offerId, price)
  await read(offerId)
  keeper.consider([offerId])
  return keeper.stateOf(offerId)
}

test('suspends auto-apply until a person releases offers, also after an hour and a restart', async () => {
  for (const [index, offerId] of ['off_1', 'off_2', 'off_3'].entries()) {
    changedByRule(offerId)
    await readPrice(offerId, 1200 + index)
    clock.advance(MINUTE_MS)
  }
  expect(keeper.suspended()).toBe(true)
  clock.advance(3 * 60 * MINUTE_MS)
  expect([keeper.suspended(), keeper.foreign()]).toEqual([true, ['off_1', 'off_2', 'off_3']])
  keeper = startEngine()
  expect([keeper.suspended(), keeper.foreign()]).toEqual([true, ['off_1', 'off_2', 'off_3']])
  const state = keeper.stateOf('off_2')
  if (state === null) throw new Error('off_2 is not watched')
  keeper.remember('off_2', { ...state, hold: null })
  expect([keeper.suspended(), keeper.foreign()]).toEqual([false, ['off_1', 'off_3']])
})

test('suspends auto-apply only for offers that the shop still has', async () => {
  for (const [index, offerId] of ['off_1', 'off_2', 'off_3'].entries()) {
    changedByRule(offerId)
    await readPrice(offerId, 1200 + index)
  }
  const suspended = async () => {
    await keeper.considerAll(never)
    return [keeper.suspended(), keeper.foreign()]
  }
  expect(await suspended()).toEqual([true, ['off_1', 'off_2', 'off_3']])
  harness.context.mirrors.database('a').exec(`DELETE FROM offers WHERE offer_id = 'off_2'`)
  expect(await suspended()).toEqual([false, ['off_1', 'off_3']])
  keeper = startEngine()
  expect(await suspended(), 'also after a restart').toEqual([false, ['off_1', 'off_3']])
  await read('off_2')
  expect(await suspended()).toEqual([true, ['off_1', 'off_3', 'off_2']])
})

test('doesn’t suspend auto-apply for prices that were set elsewhere over more than an hour', async () => {
  for (const [index, offerId] of ['off_1', 'off_2', 'off_3'].entries()) {
    changedByRule(offerId)
    await readPrice(offerId, 1200 + index)
    clock.advance(30 * MINUTE_MS)
  }
  expect([keeper.suspended(), keeper.foreign()]).toEqual([false, ['off_1', 'off_2', 'off_3']])
})

test('recognizes the price of a send whose outcome it reads hours later, after a restart', async () => {
  changedByRule('off_1')
  clock.advance(MINUTE_MS)
  keeper.store.recordSentPrice('off_1', cents(950), clock.now())
  keeper.store.queue(
    {
      sendId: 's',
      offerId: 'off_1',
      ruleId: 'r',
      sentBy: 'auto',
      reason: 'undercut',
      fromCents: cents(1000),
      targetCents: cents(950),
      bestCents: cents(1000),
    },
    clock.now(),
  )
  keeper.store.setSend('s', 'sending', null, null)
  clock.advance(3 * 60 * MINUTE_MS)
  keeper = startEngine()
  expect(await readPrice('off_1', 950)).toMatchObject({ ownCents: 950, hold: null })
})

test('recognizes a price that a person set here if it is read hours later', async () => {
  changedByRule('off_1')
  clock.advance(MINUTE_MS)
  keeper.store.recordSentPrice('off_1', cents(1150), clock.now())
  clock.advance(3 * 60 * MINUTE_MS)
  keeper = startEngine()
  expect(await readPrice('off_1', 1150)).toMatchObject({ ownCents: 1150, hold: null })
})

test('counts a price as set elsewhere that the service rejected from here hours before', async () => {
  changedByRule('off_1')
  keeper.store.recordSentPrice('off_1', cents(950), clock.now())
  const send = {
    sendId: 's',
    offerId: 'off_1',
    ruleId: 'r',
    sentBy: 'auto',
    reason: 'undercut',
    fromCents: cents(1000),
    targetCents: cents(950),
    bestCents: cents(1000),
  } as const
  keeper.store.queue(send, clock.now())
  keeper.store.setSend('s', 'refused', null, clock.now())
  clock.advance(3 * 60 * MINUTE_MS)
  expect((await readPrice('off_1', 950))?.hold).toMatchObject({ why: 'foreign' })
})

test('counts a price as set elsewhere that was sent here before the present one was read', async () => {
  changedByRule('off_1')
  keeper.store.recordSentPrice('off_1', cents(950), clock.now())
  clock.advance(MINUTE_MS)
  await readPrice('off_1', 950)
  clock.advance(60 * MINUTE_MS)
  const state = await readPrice('off_1', 1200)
  if (state === null) throw new Error('off_1 is not watched')
  expect(state.hold).toMatchObject({ why: 'foreign' })
  keeper.remember('off_1', { ...state, hold: null })
  clock.advance(60 * MINUTE_MS)
  expect((await readPrice('off_1', 950))?.hold).toMatchObject({ why: 'foreign' })
})
