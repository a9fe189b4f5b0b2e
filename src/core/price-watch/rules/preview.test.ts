import { describe, expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import type { PriceRule } from '../../../contract/price-watch/price-rules.ts'
import type { OfferFacts, StoredRule, WatchConditions } from './facts.ts'
import { createPreview, ownConflicts } from './preview.ts'
import type { Previewed } from './preview.ts'
import { facts, hour, minute, rule, state } from './testing/examples.ts'
import { noon } from './testing/situations.ts'

type Given = {
  ruleId?: string | null
  rules?: readonly StoredRule[]
  first?: boolean
  conditions?: Partial<WatchConditions>
}
const preview = (
  draft: PriceRule,
  offers: readonly OfferFacts[] = [facts()],
  { ruleId = null, rules = [], first, conditions = {} }: Given = {},
): Previewed => {
  const all = { stopped: false, staleMs: 15 * minute, ...conditions }
  const { add, result } = createPreview(rules, ruleId, draft, noon, all, first)
  for (const each of offers) add({ facts: each, state: state() })
  return result()
}
const stored = (ruleId: string, some: Partial<PriceRule> = {}): StoredRule => ({
  ruleId,
  revision: 1,
  mode: 'propose',
  rule: rule({ name: `Rule ${ruleId}`, ...some }),
})
const receive = (amount: number) => ({ kind: 'receive' as const, cents: cents(amount) })
const warning = (kind: string, offerIds: string[], ruleName: string | null = null) => ({
  kind,
  severity: 'warn',
  offers: offerIds.length,
  offerIds,
  ruleName,
})
const stop = (kind: string, offerIds: string[] = []) => ({
  ...warning(kind, offerIds),
  severity: 'stop',
})

test('lists the decision for each offer of the rule', () => {
  expect(preview(rule())).toEqual({
    sums: { offers: 1, change: 1, stay: 0, atFloor: 0, noCost: 0, conflict: 0, notSelling: 0 },
    lines: [
      {
        offerId: 'off_1',
        name: 'Hollow Tide',
        platform: 'Steam',
        region: 'Global',
        deliveryType: 'key',
        bestCents: 1369,
        priceCents: 1285,
        customerCents: 1414,
        targetCents: 1244,
        targetCustomerCents: 1368,
        floorCents: 1120,
        reason: 'undercut',
      },
    ],
    conflicts: [],
  })
})

test.each([
  ['change', {}, rule(), 'undercut'],
  ['stay', { isCheapest: true }, rule(), 'leading'],
  ['atFloor', {}, rule({ floor: receive(1250) }), 'at-floor'],
  ['noCost', { costCents: null }, rule(), 'no-cost'],
  ['noCost', { commissionPercent: null }, rule(), 'no-commission'],
  ['conflict', {}, rule({ ceiling: receive(1000) }), 'floor-above-ceiling'],
  ['notSelling', { stock: 0 }, rule(), 'not-selling'],
])('counts under %s an offer with %o', (total, some, draft, reason) => {
  const { sums, lines } = preview(draft, [facts(some), facts({ ...some, offerId: 'off_2' })])
  const none = { change: 0, stay: 0, atFloor: 0, noCost: 0, conflict: 0, notSelling: 0 }
  expect(sums).toEqual({ ...none, offers: 2, [total]: 2 })
  expect(lines.map((line) => line.reason)).toEqual([reason, reason])
})

test('decides as if sending were not stopped', () => {
  expect(preview(rule(), [facts()], { conditions: { stopped: true } }).sums.change).toBe(1)
  const old = facts({ seenAt: noon - hour })
  expect(preview(rule(), [old]).lines[0]?.reason).toBe('stale')
})

describe('among other rules', () => {
  const steam = stored('steam', { scope: { kind: 'offers', offerIds: ['off_1', 'off_2'] } })
  const rest = stored('rest')
  const offers = ['off_1', 'off_2', 'off_3'].map((offerId) => facts({ offerId }))
  const previewed = (given: Given, draft = rule()) => {
    const { lines, conflicts } = preview(draft, offers, given)
    return { lines: lines.map(({ offerId }) => offerId), conflicts }
  }

  test('a new rule comes last, and only gets offers that no other rule covers', () => {
    expect(previewed({ rules: [steam] })).toEqual({
      lines: ['off_3'],
      conflicts: [warning('rule-above', ['off_1', 'off_2'], 'Rule steam')],
    })
    expect(previewed({ rules: [steam, rest] })).toEqual({
      lines: [],
      conflicts: [
        warning('rule-above', ['off_1', 'off_2'], 'Rule steam'),
        warning('rule-above', ['off_3'], 'Rule rest'),
        warning('covers-none', []),
      ],
    })
  })
  test('a new rule can come first', () => {
    expect(previewed({ rules: [steam, rest], first: true })).toEqual({
      lines: ['off_1', 'off_2', 'off_3'],
      conflicts: [],
    })
  })
  test('a known rule keeps its position, and its draft replaces it', () => {
    const above = [warning('rule-above', ['off_1', 'off_2'], 'Rule steam')]
    const rules = [steam, rest, stored('last')]
    expect(previewed({ rules, ruleId: 'rest' })).toEqual({ lines: ['off_3'], conflicts: above })
    expect(previewed({ rules, ruleId: 'rest', first: true }).lines).toEqual(['off_3'])
    expect(previewed({ rules: [rest], ruleId: 'rest' }, steam.rule).lines).toEqual([
      'off_1',
      'off_2',
    ])
    expect(previewed({ rules, ruleId: 'steam' }, steam.rule)).toEqual({
      lines: ['off_1', 'off_2'],
      conflicts: [],
    })
  })
  test('a rule that is off or not yet in force is previewed as if it were in force', () => {
    const off = { ...rest, mode: 'off' as const }
    const later = rule({ startsAt: noon + hour, endsAt: noon + 2 * hour })
    expect(previewed({ rules: [off], ruleId: 'rest' }, later).lines).toHaveLength(3)
    expect(previewed({}, rule({ endsAt: noon - hour })).lines).toHaveLength(3)
    expect(previewed({}, rule({ startsAt: noon - hour })).lines).toHaveLength(3)
  })
  test('other rules that are off cover nothing', () => {
    expect(previewed({ rules: [{ ...rest, mode: 'off' }] }).lines).toHaveLength(3)
  })
  test('reports only offers in its scope as covered by another rule', () => {
    const scope = { kind: 'offers' as const, offerIds: ['off_2', 'off_9'] }
    expect(previewed({ rules: [rest] }, rule({ scope })).conflicts).toEqual([
      warning('rule-above', ['off_2'], 'Rule rest'),
      warning('covers-none', []),
    ])
    expect(previewed({}, rule({ scope })).lines).toEqual(['off_2'])
  })
})

describe('conflicts with offers', () => {
  const customer = { kind: 'customer' as const, cents: cents(2000) }
  test.each([
    ['no-cost', rule(), { costCents: null }, warning],
    ['no-cost', rule({ ceiling: rule().floor, floor: receive(1) }), { costCents: null }, warning],
    ['no-commission', rule({ floor: customer }), { commissionPercent: null }, warning],
    ['floor-above-ceiling', rule({ ceiling: receive(1119) }), {}, stop],
    ['below-cost', rule({ floor: receive(979) }), {}, warning],
  ])('include %s', (kind, draft, some, conflict) => {
    const { conflicts } = preview(draft, [facts(some), facts({ ...some, offerId: 'off_2' })])
    expect(conflicts).toEqual([conflict(kind, ['off_1', 'off_2'])])
  })
  test.each([
    ['equal limits', rule({ ceiling: receive(1120) }), {}],
    ['a floor at the cost', rule({ floor: receive(980) }), {}],
    ['a floor for an offer without a cost', rule({ floor: receive(5) }), { costCents: null }],
  ])('do not include %s', (_, draft, some) => {
    expect(preview(draft, [facts(some)]).conflicts).toEqual([])
  })
  test('name at most 200 offers', () => {
    const many = Array.from({ length: 250 }, (_, index) =>
      facts({ offerId: `off_${index}`, costCents: null }),
    )
    const [conflict] = preview(rule(), many).conflicts
    expect([conflict?.offers, conflict?.offerIds.length]).toEqual([250, 200])
  })
})

describe('conflicts within a rule', () => {
  const raise: PriceRule['leading'] = {
    act: 'raise',
    step: { by: 'amount', cents: cents(5) },
    everyMs: hour,
  }
  const nowhere = { ...rule().hours, zone: 'Nowhere/Else' }
  test.each([
    ['a raise without a ceiling', { leading: raise }, ['raise-without-ceiling']],
    ['a raise up to a ceiling', { leading: raise, ceiling: receive(2000) }, []],
    ['an unknown time zone', { hours: nowhere }, ['zone-unknown']],
    ['an end before its start', { startsAt: noon, endsAt: noon - 1 }, ['dates']],
    ['an end at its start', { startsAt: noon, endsAt: noon }, ['dates']],
    ['an end after its start', { startsAt: noon, endsAt: noon + 1 }, []],
    ['only a start', { startsAt: noon }, []],
    ['only an end', { endsAt: noon }, []],
    ['nothing wrong', {}, []],
  ])('include %s', (_, some, kinds) => {
    const conflicts = kinds.map((kind) => stop(kind))
    expect(ownConflicts(rule(some))).toEqual(conflicts)
    expect(preview(rule(some)).conflicts).toEqual(conflicts)
  })
  test('previews hours of an unknown time zone in UTC', () => {
    const inHours = (from: number) =>
      preview(rule({ hours: { days: [3], from: from * 60, to: 14 * 60, zone: 'Nowhere/Else' } }))
    expect(inHours(12).lines[0]?.reason).toBe('undercut')
    expect(inHours(13).lines[0]?.reason).toBe('out-of-hours')
  })
})
