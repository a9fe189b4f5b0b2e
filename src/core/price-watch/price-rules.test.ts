import { afterAll, beforeAll, expect, test } from 'vitest'
import { cents } from '../../../server/api/money.ts'
import { newRuleDefaults } from '../../contract/price-watch/price-rules.ts'
import type { PriceRule } from '../../contract/price-watch/price-rules.ts'
import { eagerRule, startWatchedSeller } from './testing/watched-seller.ts'
import type { WatchedSeller } from './testing/watched-seller.ts'

let world: WatchedSeller
let offers: WatchedSeller['offers']
let watch: WatchedSeller['watch']
let market: WatchedSeller['market']
let switchOn: WatchedSeller['switchOn']
beforeAll(async () => {
  world = await startWatchedSeller()
  ;({ offers, watch, market, switchOn } = world)
  await watch.saveRule({ accountId, ruleId: null, rule: eagerRule() })
}, 120_000)
afterAll(() => world.close())

const accountId = 'seller'

test('applies a rule for one offer first; its floor is shown with the offer and limits bulk changes', async () => {
  const [{ ruleId: general = '' } = {}] = await watch.rules({ accountId })
  await watch.saveRule({ accountId, ruleId: general, rule: eagerRule({ name: 'All' }) })
  await watch.setMode({ accountId, ruleId: general, mode: 'propose' })
  const row = (await market('all')).find(({ costCents }) => costCents === null)
  if (row === undefined) throw new Error('no offer')
  const { offerId, priceCents } = row
  const floorCents = priceCents - 5
  const own = eagerRule({
    name: row.name,
    scope: { kind: 'offers', offerIds: [offerId] },
    floor: { kind: 'receive', cents: cents(floorCents) },
  })
  expect((await watch.preview({ accountId, ruleId: null, rule: own })).conflicts).toContainEqual(
    expect.objectContaining({ kind: 'rule-above', ruleName: 'All' }),
  )
  expect(
    (await watch.preview({ accountId, ruleId: null, rule: own, first: true })).sums.offers,
  ).toBe(1)
  const { ruleId } = await watch.saveRule({ accountId, ruleId: null, rule: own, first: true })
  expect(
    (await watch.setMode({ accountId, ruleId, mode: 'propose' })).map((view) => view.ruleId),
  ).toEqual([ruleId, general])
  expect(offers.offer({ accountId, offerId }).floorCents).toBe(floorCents)
  const lower = {
    kind: 'price',
    how: { by: 'amount', cents: cents(-50) },
    keepFloor: true,
  } as const
  const preview = async () =>
    (await offers.bulks.preview({ accountId, chosen: { offerIds: [offerId] }, change: lower }))
      .rows[0]
  expect(await preview()).toMatchObject({
    note: 'stops-at-floor',
    after: { priceCents: floorCents },
  })
  const {
    offers: [named],
    platforms,
    deliveryTypes,
  } = await watch.choices({ accountId, offerIds: [offerId, 'off_gone'] })
  expect([named?.name, platforms.includes(row.platform), deliveryTypes.length > 0]).toEqual([
    row.name,
    true,
    true,
  ])
  await watch.removeRule({ accountId, ruleId })
  expect(offers.offer({ accountId, offerId }).floorCents, 'the floor of the general rule').toBe(1)
})

test('turns auto-apply off when a rule changes until a person confirms it, and reports conflicts first', async () => {
  const [{ ruleId = '' } = {}] = await watch.rules({ accountId })
  expect(
    (await watch.saveRule({ accountId, ruleId, rule: eagerRule({ name: 'Renamed' }) })).mode,
  ).toBe('propose')
  const { sums, conflicts } = await watch.preview({
    accountId,
    ruleId,
    rule: eagerRule({
      floor: { kind: 'cost', profitCents: cents(10), profitPercent: 0 },
      ceiling: { kind: 'customer', cents: cents(1) },
    }),
    changesOnly: false,
  })
  expect(sums.offers).toBe(
    sums.change + sums.stay + sums.atFloor + sums.noCost + sums.conflict + sums.notSelling,
  )
  expect(conflicts.map(({ kind }) => kind)).toContain('no-cost')
  await expect(
    watch.saveRule({
      accountId,
      ruleId,
      rule: eagerRule({ hours: { ...newRuleDefaults.hours, zone: 'Nowhere/Else' } }),
    }),
  ).rejects.toMatchObject({ problem: { code: 'INVALID_INPUT' } })
})

test('applies a rule only between its dates, previews it before, and rejects an end before the start', async () => {
  const [{ ruleId = '' } = {}] = await watch.rules({ accountId })
  const now = world.harness.context.clock.now()
  const covered = async (some: Partial<PriceRule>): Promise<number | undefined> =>
    (await watch.saveRule({ accountId, ruleId, rule: eagerRule({ name: 'Renamed', ...some }) }))
      .covers
  const all = await covered({})
  expect(all).toBeGreaterThan(3)
  expect(await covered({ startsAt: now - 1, endsAt: now + 3_600_000 })).toBe(all)
  expect(await covered({ startsAt: now + 3_600_000 })).toBe(0)
  expect(await market('proposals'), 'nothing before it starts').toEqual([])
  expect(
    (await watch.preview({ accountId, ruleId, rule: eagerRule({ startsAt: now + 3_600_000 }) }))
      .sums.offers,
  ).toBe(all)
  expect(await covered({ endsAt: now - 1 }), 'over').toBe(0)
  await expect(
    watch.saveRule({ accountId, ruleId, rule: eagerRule({ startsAt: now + 2, endsAt: now + 1 }) }),
  ).rejects.toMatchObject({ problem: { code: 'INVALID_INPUT', details: { conflict: 'dates' } } })
  expect(await covered({})).toBe(all)
})

test('requires the rule’s name to be typed for auto-apply in LIVE', async () => {
  const [{ ruleId = '' } = {}] = await watch.rules({ accountId })
  const account = world.harness.context.accounts.get(accountId)
  Object.assign(account, { mode: 'live' })
  await expect(switchOn(ruleId)).rejects.toMatchObject({
    problem: { code: 'NOT_CONFIRMED' },
  })
  await expect(switchOn(ruleId, 'renamed')).rejects.toMatchObject({
    problem: { code: 'NOT_CONFIRMED' },
  })
  expect((await switchOn(ruleId, 'Renamed')).map(({ mode }) => mode)).toEqual(['auto'])
  await watch.setMode({ accountId, ruleId, mode: 'off' })
  Object.assign(account, { mode: 'sandbox' })
})

test('limits bulk changes and rules by the offer’s own floor and ceiling, also without a rule', async () => {
  const [{ ruleId: general = '' } = {}] = await watch.rules({ accountId })
  const { mode } = (await watch.rules({ accountId }))[0] ?? {}
  const [row] = await market('all')
  if (row === undefined) throw new Error('no offer')
  const { offerId, priceCents } = row
  const [floor, ceiling] = [cents(priceCents - 3), cents(priceCents + 3)]
  await watch.setMode({ accountId, ruleId: general, mode: 'off' })
  offers.setTerms({
    accountId,
    offerIds: [offerId],
    ownFloorCents: floor,
    ownCeilingCents: ceiling,
  })
  const reached = async (by: number) =>
    (
      await offers.bulks.preview({
        accountId,
        chosen: { offerIds: [offerId] },
        change: { kind: 'price', how: { by: 'amount', cents: cents(by) }, keepFloor: true },
      })
    ).rows[0]?.after.priceCents
  expect([await reached(-50), await reached(50)]).toEqual([floor, ceiling])
  await watch.setMode({ accountId, ruleId: general, mode: 'propose' })
  expect([await reached(-50), await reached(50)], 'a rule with wider limits').toEqual([
    floor,
    ceiling,
  ])
  expect(offers.offer({ accountId, offerId })).toMatchObject({
    floorCents: floor,
    ceilingCents: ceiling,
  })
  offers.setTerms({ accountId, offerIds: [offerId], ownFloorCents: null, ownCeilingCents: null })
  if (mode !== undefined && mode !== 'auto')
    await watch.setMode({ accountId, ruleId: general, mode })
})
