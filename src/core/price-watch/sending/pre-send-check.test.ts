import { expect, test } from 'vitest'
import { cents, type Cents, ZERO } from '../../../../server/api/money.ts'
import { newRuleDefaults } from '../../../contract/price-watch/price-rules.ts'
import { maxReadingAgeMs, preSendRejection } from './pre-send-check.ts'
import type { PreSendFacts } from './pre-send-check.ts'

const now = Date.UTC(2026, 2, 4, 12)
const look = (some: Partial<PreSendFacts> = {}): PreSendFacts => ({
  rule: {
    ...newRuleDefaults,
    floor: { kind: 'cost', profitCents: cents(140), profitPercent: 0 },
    ceiling: { kind: 'customer', cents: cents(2995) },
  },
  targetCents: cents(1244),
  fromCents: cents(1285),
  priceCents: cents(1285),
  status: 'active',
  stock: 3,
  commissionPercent: 10,
  costCents: cents(980),
  ownFloorCents: null,
  ownCeilingCents: null,
  readAt: now - 1000,
  now,
  changesToday: 0,
  stopped: false,
  ...some,
})

test('accepts a price within its limits', () => {
  expect(preSendRejection(look())).toBeNull()
})

test.each<[Partial<PreSendFacts>, string]>([
  [{ stopped: true }, 'stopped'],
  [{ rule: null }, 'rule-gone'],
  [{ status: 'paused' }, 'not-selling'],
  [{ stock: 0 }, 'not-selling'],
  [{ priceCents: cents(1286) }, 'price-moved'],
  [{ readAt: now - maxReadingAgeMs - 1 }, 'not-fresh'],
  [{ targetCents: ZERO }, 'no-price'],
  [{ targetCents: 12.5 as Cents }, 'no-price'],
  [{ targetCents: cents(1285) }, 'no-price'],
  [{ changesToday: newRuleDefaults.changesADay }, 'changes-today'],
  [{ targetCents: cents(1020) }, 'jump'],
  [{ targetCents: cents(1119) }, 'below-floor'],
  [{ ownFloorCents: cents(1245) }, 'below-floor'],
  [{ ownCeilingCents: cents(1100) }, 'above-ceiling'],
  [{ costCents: null }, 'limit-unknown'],
  [{ commissionPercent: null }, 'limit-unknown'],
  [{ priceCents: cents(2700), fromCents: cents(2700), targetCents: cents(2724) }, 'above-ceiling'],
])('%j is rejected as %s', (some, refusal) => {
  expect(preSendRejection(look(some))).toBe(refusal)
})

test('accepts prices exactly at limits that aren’t exact in binary', () => {
  const rule = {
    ...newRuleDefaults,
    mostPercent: 1.4,
    floor: { kind: 'cost', profitCents: ZERO, profitPercent: 4.4 },
  } as const
  const prices = (from: number, to: number) => ({
    priceCents: cents(from),
    fromCents: cents(from),
    targetCents: cents(to),
    costCents: cents(1500),
  })
  expect(preSendRejection(look({ rule, ...prices(1560, 1566) }))).toBeNull()
  expect(preSendRejection(look({ rule, ...prices(1560, 1565) }))).toBe('below-floor')
  const cheap = { ...rule, floor: { kind: 'receive', cents: cents(1) } } as const
  expect(preSendRejection(look({ rule: cheap, ...prices(500, 507) }))).toBeNull()
  expect(preSendRejection(look({ rule: cheap, ...prices(500, 508) }))).toBe('jump')
})

test('accepts prices exactly at the floor and the ceiling', () => {
  expect(preSendRejection(look({ targetCents: cents(1120) }))).toBeNull()
  expect(
    preSendRejection(
      look({ priceCents: cents(2700), fromCents: cents(2700), targetCents: cents(2723) }),
    ),
  ).toBeNull()
})

test('never changes a price by more than half in one step, whatever the rule allows', () => {
  const bold = {
    ...newRuleDefaults,
    floor: { kind: 'receive', cents: cents(1) } as const,
    mostPercent: 100,
  }
  expect(preSendRejection(look({ rule: bold, targetCents: cents(600) }))).toBe('jump')
})
