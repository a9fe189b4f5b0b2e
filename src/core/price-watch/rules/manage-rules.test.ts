import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import type { PriceRule } from '../../../contract/price-watch/price-rules.ts'
import { catalogueSchema } from '../../catalogue/catalogue.ts'
import type { ServiceConnection } from '../../context.ts'
import { createMirrorHarness } from '../../mirror/testing/harness.ts'
import type { MirrorHarness } from '../../mirror/testing/harness.ts'
import { offersFeature, offersSchemas } from '../../offers/offers.ts'
import { outboxFeature, outboxSchema } from '../../outbox/outbox.ts'
import { salesSchema } from '../../sales/sales.ts'
import { formatMessages } from '../../testing/format-messages.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import type { ManualClock } from '../../testing/manual-clock.ts'
import { startFeature } from '../../testing/start-feature.ts'
import { createPriceEngine } from '../engine/price-engine.ts'
import type { PriceEngine } from '../engine/price-engine.ts'
import { priceWatchSchema } from '../schema.ts'
import type { WatchSession } from '../session.ts'
import { priceRulesFeature } from './price-rules.ts'
import { createRules } from './manage-rules.ts'
import { hour, rule } from './testing/examples.ts'

const accountId = 'a'
/** Offers in the service: all are behind, except the last one. */
const served = [
  { id: 'off_1', platform: 'Steam', region: 'Global', productType: 'game', deliveryType: 'key' },
  { id: 'off_2', platform: 'GOG', region: 'Europe', productType: 'dlc', deliveryType: 'account' },
  { id: 'off_3', platform: 'Steam', region: '', productType: 'game', deliveryType: 'key' },
  { id: 'off_4', platform: 'Xbox', region: 'Global', productType: 'game', deliveryType: 'key' },
]
const common = rule({ name: 'All', floor: { kind: 'receive', cents: cents(1) } })
const of = (name: string, offerIds: string[], some: Partial<PriceRule> = {}): PriceRule => ({
  ...common,
  name,
  scope: { kind: 'offers', offerIds },
  ...some,
})

let clock: ManualClock
let harness: MirrorHarness
let keeper: PriceEngine
let session: WatchSession
let rules: ReturnType<typeof createRules>
/** Effects outside the rules, in order. */
let events: string[]
let notes: unknown[]
const close: { close(): Promise<void> }[] = []

beforeEach(async () => {
  clock = manualClock()
  events = []
  notes = []
  const call = (async (_operation: string, { params: { id } }: { params: { id: string } }) => ({
    ...served.find((offer) => offer.id === id),
    productId: `p ${id}`,
    name: `Game ${id}`,
    price: 1000,
    customerPrice: 1100,
    status: 'active',
    stock: 5,
    isCheapest: id === 'off_4',
    lowestCustomerPrice: 1000,
    commission: { class: 'keys', percent: 10, amount: 100 },
  })) as unknown as ServiceConnection['call']
  harness = createMirrorHarness({
    schemas: [catalogueSchema, ...offersSchemas, outboxSchema, salesSchema, priceWatchSchema],
    clock,
    wrap: () => ({ ready: async () => {}, call }),
  })
  const outbox = startFeature(outboxFeature, harness.context, {})
  const priceRules = startFeature(priceRulesFeature, harness.context, {})
  const offers = startFeature(offersFeature, harness.context, { outbox, priceRules })
  close.push(offers, outbox, priceRules)
  harness.add({ id: accountId, role: 'seller', baseUrl: 'http://127.0.0.1:1/v1', key: 'svcs_none' })
  for (const { id } of served)
    await offers.pricing.refreshOffer(accountId, id, { priority: 'watch' })
  keeper = createPriceEngine({ context: harness.context, offers, outbox, priceRules, accountId })
  session = {
    files: { accountId, spawn: (work: Promise<unknown>) => work },
    keeper,
    sending: {
      stop: () => void events.push('stop all sending'),
      takeBackOf: (ruleId: string, note: string) => void events.push(`stop ${ruleId}, ${note}`),
    },
    watcher: { now: () => void events.push('sync') },
    ends: new AbortController().signal,
  } as unknown as WatchSession
  await keeper.considerAll(session.ends)
  rules = createRules({
    context: harness.context,
    offers,
    openSession: async () => session,
    changed: (id) => () => void events.push(`changed ${id}`),
    note: (id, title, detail) => void notes.push({ id, ...formatted(title, detail) }),
  })
})
afterEach(() => harness.close(...close.splice(0)))

const formatted = (title: unknown, detail: unknown) => formatMessages({ title, detail }) as object
/** Saves a rule, which then proposes, and forgets the effects. */
async function saved(draft: PriceRule, first = false): Promise<string> {
  const { ruleId } = await rules.saveRule({ accountId, ruleId: null, rule: draft, first })
  await rules.setMode({ accountId, ruleId, mode: 'propose' })
  events = []
  notes = []
  return ruleId
}
/** What a rule does now, as the question before auto-apply shows it. */
async function effectOf(ruleId: string) {
  const rule = (await rules.rules({ accountId })).find((each) => each.ruleId === ruleId)?.rule
  if (rule === undefined) throw new Error('no rule')
  const { sums } = await rules.preview({ accountId, ruleId, rule })
  return { offers: sums.offers, change: sums.change }
}
/** Turns on auto-apply after the question. */
const switchOn = async (ruleId: string, typed: string | null = null) =>
  rules.setMode({ accountId, ruleId, mode: 'auto', seen: await effectOf(ruleId), typed })
const failsWith = (code: string, some: object = {}) => ({ problem: { code, ...some } })
const inLive = (): void => {
  Object.assign(harness.context.accounts.get(accountId), { mode: 'live' })
}
const targetOf = (offerId: string) => keeper.watched().get(offerId)?.decision.targetCents

describe('saving a rule', () => {
  test('adds it last and off, and decides all offers', async () => {
    const ruleId = await saved(of('One', ['off_1']))
    clock.advance(5)
    const view = await rules.saveRule({ accountId, ruleId: null, rule: common })
    expect(view).toEqual({
      ruleId: view.ruleId,
      revision: 1,
      mode: 'off',
      rule: common,
      covers: 0,
    })
    expect(events).toEqual(['changed a', 'sync'])
    expect((await rules.rules({ accountId })).map((each) => each.ruleId)).toEqual([
      ruleId,
      view.ruleId,
    ])
    expect(keeper.rules().at(-1)?.writtenAt).toBe(clock.now())
  })
  test('adds it first on request', async () => {
    const ruleId = await saved(common)
    const { ruleId: own } = await rules.saveRule({
      accountId,
      ruleId: null,
      rule: of('One', ['off_1']),
      first: true,
    })
    expect((await rules.rules({ accountId })).map((each) => each.ruleId)).toEqual([own, ruleId])
  })
  test('changes it, and decides its offers again', async () => {
    const ruleId = await saved(common)
    expect(targetOf('off_1')).toBe(908)
    const dearer = { ...common, floor: { kind: 'receive' as const, cents: cents(950) } }
    expect(await rules.saveRule({ accountId, ruleId, rule: dearer })).toEqual({
      ruleId,
      revision: 2,
      mode: 'propose',
      rule: dearer,
      covers: 4,
    })
    expect(targetOf('off_1')).toBeNull()
    expect(events).toEqual(['changed a', 'sync'])
  })
  test('turns auto-apply off and stops sending, unless only its name changed', async () => {
    const ruleId = await saved(of('One', ['off_4']))
    await switchOn(ruleId)
    events = []
    const renamed = of('Renamed', ['off_4'])
    expect((await rules.saveRule({ accountId, ruleId, rule: renamed })).mode).toBe('auto')
    expect(events).toEqual(['changed a', 'sync'])
    const changed = of('Renamed', ['off_4'], { leastCents: cents(2) })
    expect((await rules.saveRule({ accountId, ruleId, rule: changed })).mode).toBe('propose')
    expect(events).toEqual([
      'changed a',
      'sync',
      `stop ${ruleId}, rule-proposes`,
      'changed a',
      'sync',
    ])
  })
  test('works before the account starts to sync', async () => {
    session.watcher = null
    await rules.saveRule({ accountId, ruleId: null, rule: common })
    expect(events).toEqual(['changed a'])
  })
  test('keeps a rule off that was off', async () => {
    const { ruleId } = await rules.saveRule({ accountId, ruleId: null, rule: common })
    const changed = { ...common, leastCents: cents(2) }
    expect((await rules.saveRule({ accountId, ruleId, rule: changed })).mode).toBe('off')
  })
  test('rejects a rule that contradicts itself, or that no longer exists', async () => {
    const wrong = { ...common, startsAt: 2, endsAt: 1 }
    await expect(rules.saveRule({ accountId, ruleId: null, rule: wrong })).rejects.toMatchObject(
      failsWith('INVALID_INPUT', {
        what: 'This rule contradicts itself.',
        next: 'Check its conflicts.',
        effect: 'Nothing was saved.',
        details: { conflict: 'dates' },
      }),
    )
    await expect(rules.saveRule({ accountId, ruleId: 'gone', rule: common })).rejects.toMatchObject(
      failsWith('NOT_FOUND', {
        what: 'This rule no longer exists.',
        next: 'Check the list of rules.',
        effect: 'Nothing was changed.',
      }),
    )
    expect(await rules.rules({ accountId })).toEqual([])
    expect(events).toEqual([])
  })
})

test('counts the offers that each rule applies to', async () => {
  await saved(of('Two', ['off_1', 'off_2']))
  await saved(common)
  await saved(of('None', ['off_1']))
  expect(
    (await rules.rules({ accountId })).map(({ rule: { name }, covers }) => [name, covers]),
  ).toEqual([
    ['Two', 2],
    ['All', 2],
    ['None', 0],
  ])
})

test('removes a rule, and decides its offers again', async () => {
  const [one, all] = [await saved(of('One', ['off_1'])), await saved(common)]
  const left = await rules.removeRule({ accountId, ruleId: one })
  expect(left.map(({ ruleId, covers }) => [ruleId, covers])).toEqual([[all, 4]])
  expect(events).toEqual(['changed a', 'sync'])
  await expect(rules.removeRule({ accountId, ruleId: one })).rejects.toMatchObject(
    failsWith('NOT_FOUND'),
  )
})

describe('ordering the rules', () => {
  test('changes which rule applies', async () => {
    const [one, all] = [await saved(of('One', ['off_1'])), await saved(common)]
    const ordered = await rules.orderRules({ accountId, ruleIds: [all, one] })
    expect(ordered.map(({ ruleId, covers }) => [ruleId, covers])).toEqual([
      [all, 4],
      [one, 0],
    ])
    expect(events).toEqual(['changed a', 'sync'])
  })
  test('rejects an order of other rules', async () => {
    const [one, all] = [await saved(of('One', ['off_1'])), await saved(common)]
    for (const ruleIds of [[all], [all, one, 'new'], [all, 'new'], [all, all], []])
      await expect(rules.orderRules({ accountId, ruleIds })).rejects.toMatchObject(
        failsWith('CONFLICT', {
          what: 'The list of rules has changed.',
          next: 'Check the list, then move the rule again.',
          effect: 'Nothing was moved.',
        }),
      )
    expect((await rules.rules({ accountId })).map(({ ruleId }) => ruleId)).toEqual([one, all])
    expect(events).toEqual([])
  })
})

describe('switching a rule', () => {
  test('logs each mode, and stops sending when auto-apply is turned off', async () => {
    const ruleId = await saved(of('One', ['off_4']))
    const confirmed = () => keeper.rules()[0]?.confirmedAt
    expect((await switchOn(ruleId))[0]?.mode).toBe('auto')
    const confirmedAt = clock.now()
    expect(confirmed()).toBe(confirmedAt)
    expect(events).toEqual(['changed a', 'sync'])
    clock.advance(hour)
    await rules.setMode({ accountId, ruleId, mode: 'propose' })
    expect(events).toEqual([
      'changed a',
      'sync',
      `stop ${ruleId}, rule-proposes`,
      'changed a',
      'sync',
    ])
    expect(confirmed(), 'the time of the last confirmation').toBe(confirmedAt)
    await rules.setMode({ accountId, ruleId, mode: 'off' })
    expect(events.filter((event) => event.startsWith('stop '))).toHaveLength(1)
    expect(notes).toEqual([
      { id: 'a', title: 'Price rule', detail: 'One: auto-apply on' },
      { id: 'a', title: 'Price rule', detail: 'One: proposes' },
      { id: 'a', title: 'Price rule', detail: 'One: off' },
    ])
  })
  test('turns auto-apply on only for the effect that the person saw', async () => {
    const ruleId = await saved(of('One', ['off_4']))
    const seen = await effectOf(ruleId)
    for (const other of [null, { ...seen, offers: 0 }, { ...seen, change: seen.change + 1 }])
      await expect(
        rules.setMode({ accountId, ruleId, mode: 'auto', seen: other }),
      ).rejects.toMatchObject(failsWith('CHANGED_MEANWHILE', { details: seen }))
    expect(keeper.rules()[0]?.mode).toBe('propose')
    expect(events).toEqual([])
  })
  test('keeps sending if auto-apply was on before', async () => {
    const ruleId = await saved(of('One', ['off_4']))
    await switchOn(ruleId)
    await switchOn(ruleId)
    expect(events.filter((event) => event.startsWith('stop '))).toEqual([])
  })
  test('requires the name for auto-apply in LIVE only', async () => {
    const ruleId = await saved(of('One', ['off_4']))
    inLive()
    const auto = (typed?: string | null) => switchOn(ruleId, typed)
    for (const typed of [undefined, null, '', 'one'])
      await expect(auto(typed)).rejects.toMatchObject(
        failsWith('NOT_CONFIRMED', {
          what: 'The rule’s name wasn’t typed.',
          next: 'Type “One” to turn on auto-apply.',
          effect: 'The rule still proposes.',
        }),
      )
    expect(events).toEqual([])
    expect((await rules.setMode({ accountId, ruleId, mode: 'off' }))[0]?.mode).toBe('off')
    expect((await auto(' One '))[0]?.mode).toBe('auto')
  })
})

describe('choices', () => {
  test('are the values of all offers, sorted, without empty ones', async () => {
    expect(await rules.choices({ accountId })).toEqual({
      platforms: ['GOG', 'Steam', 'Xbox'],
      regions: ['Europe', 'Global'],
      productTypes: ['dlc', 'game'],
      deliveryTypes: ['account', 'key'],
      offers: [],
    })
  })
  test('name the given offers that exist', async () => {
    const { offers } = await rules.choices({ accountId, offerIds: ['off_2', 'gone'] })
    expect(offers).toEqual([
      {
        offerId: 'off_2',
        name: 'Game off_2',
        platform: 'GOG',
        region: 'Europe',
        deliveryType: 'account',
      },
    ])
  })
})

describe('a preview', () => {
  test('lists only changes, unless all offers are requested', async () => {
    const preview = await rules.preview({ accountId, ruleId: null, rule: common })
    expect(preview).toMatchObject({ total: 3, sums: { offers: 4, change: 3 }, at: null })
    expect(preview.lines.map(({ offerId }) => offerId)).toEqual(['off_1', 'off_2', 'off_3'])
    const all = await rules.preview({ accountId, ruleId: null, rule: common, changesOnly: false })
    expect([all.total, all.lines.map(({ reason }) => reason)]).toEqual([
      4,
      ['undercut', 'undercut', 'undercut', 'leading'],
    ])
  })
  test('returns the requested lines', async () => {
    const { total, lines } = await rules.preview({
      accountId,
      ruleId: null,
      rule: common,
      window: { offset: 1, limit: 1 },
    })
    expect([total, lines.map(({ offerId }) => offerId)]).toEqual([3, ['off_2']])
  })
  test('places a new rule last or first, and a known rule at its position', async () => {
    const ruleId = await saved(common)
    const covered = async (some: { ruleId?: string; first?: boolean }) =>
      (await rules.preview({ accountId, ruleId: null, rule: common, ...some })).sums.offers
    expect([await covered({}), await covered({ first: true }), await covered({ ruleId })]).toEqual([
      0, 4, 4,
    ])
  })
})
