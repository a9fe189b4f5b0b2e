import { expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import { newRuleDefaults } from '../../../contract/price-watch/price-rules.ts'
import type { PriceRule } from '../../../contract/price-watch/price-rules.ts'
import { createNodeBackends } from '../../../platform/backends/node-backends.ts'
import { serverPath } from '../../testing/backend.ts'
import { simulateRules } from './run.ts'
import type { CopiedOffer } from './world.ts'

const copies = Array.from({ length: 6 }, (_, index): CopiedOffer => ({
  offerId: `off_${index}`,
  name: `Product ${index}`,
  platform: 'Steam',
  region: 'Global',
  productType: 'game',
  deliveryType: 'key',
  priceCents: cents(1500 + index * 100),
  stock: 50,
  costCents: index === 0 ? null : cents(900),
  ownFloorCents: null,
  ownCeilingCents: null,
  commission: { class: 'keys', percent: 10 },
}))
const rule: PriceRule = {
  ...newRuleDefaults,
  floor: { kind: 'cost', profitCents: cents(100), profitPercent: 0 },
}
const play = (rules: PriceRule[], cancel = new AbortController()) =>
  simulateRules({
    backends: createNodeBackends(serverPath),
    copies,
    rules,
    days: 3,
    market: { seed: '4711', intensity: 3, sellers: 8, customers: 100 },
    world: 'the same for every run',
    signal: cancel.signal,
    progress: () => {},
  })

test('gives the same rules the same result: the market meets them with the same ids', async () => {
  const [first, second] = await Promise.all([play([rule]), play([rule])])
  expect(first.units).toBeGreaterThan(0)
  expect(second).toEqual(first)
}, 120_000)

test('leaves the market of other products alone when rules change the price of one', async () => {
  const forOne: PriceRule = { ...rule, scope: { kind: 'offers', offerIds: ['off_3'] } }
  const [none, ruled] = await Promise.all([play([]), play([forOne])])
  // A request moves the service's time by a millisecond, so shares differ by millionths.
  const others = (of: typeof none) =>
    of.offers
      .filter(({ offerId }) => offerId !== 'off_3')
      .map((offer) => ({ ...offer, lead: offer.lead?.toFixed(6) }))
  expect(ruled.changes).toBeGreaterThan(0)
  expect(others(ruled)).toEqual(others(none))
}, 120_000)

test('leads more with rules than without, stays within their limits, and has consistent totals', async () => {
  const [none, ruled] = await Promise.all([play([]), play([rule])])
  expect(none).toMatchObject({ changes: 0, refused: 0 })
  expect(ruled.lead ?? 0).toBeGreaterThan(none.lead ?? 0)
  expect(ruled.changes).toBeGreaterThan(0)
  expect(ruled.refused).toBe(0)
  for (const { days, offers, units, revenueCents, changes } of [none, ruled]) {
    for (const parts of [days, offers]) {
      expect(parts.reduce((sum, part) => sum + part.units, 0)).toBe(units)
      expect(parts.reduce((sum, part) => sum + part.revenueCents, 0)).toBe(revenueCents)
      expect(parts.reduce((sum, part) => sum + part.changes, 0)).toBe(changes)
    }
  }
  expect(ruled.offers.map(({ offerId }) => offerId).sort()).toEqual(
    copies.map(({ offerId }) => offerId),
  )
  expect(
    ruled.offers.find(({ offerId }) => offerId === 'off_0')?.changes,
    'no cost, no floor, no change',
  ).toBe(0)
}, 120_000)

test('replays recorded best prices as another rival, which withdraws while none is known', async () => {
  // Without the market's own sellers, so that the recorded rival is the only one.
  const alone = { seed: '4711', intensity: 0.1, sellers: 0, customers: 0 }
  const start = {
    backends: createNodeBackends(serverPath),
    rules: [],
    days: 1,
    market: alone,
    world: 'the same for every run',
    signal: new AbortController().signal,
    progress: () => {},
  }
  const recorded = copies.slice(1, 3).map((copy) => ({
    ...copy,
    best: [
      { afterMs: 0, customerCents: cents(900) },
      { afterMs: 12 * 3_600_000, customerCents: null },
    ],
  }))
  const [without, played] = await Promise.all([
    simulateRules({ ...start, copies: copies.slice(1, 3) }),
    simulateRules({ ...start, copies: recorded }),
  ])
  expect(without.lead).toBe(1)
  expect(played.lead, 'leads from the noon step on').toBeCloseTo(13 / 24, 3)
}, 120_000)

test('stops the backend of a cancelled simulation', async () => {
  const cancel = new AbortController()
  const work = play([rule], cancel)
  setTimeout(() => cancel.abort(), 50)
  expect(
    await work.then(
      () => 'played',
      () => 'ended',
    ),
  ).toBe('ended')
}, 60_000)
