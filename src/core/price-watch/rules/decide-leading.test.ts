import { describe, expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import type { PriceRule } from '../../../contract/price-watch/price-rules.ts'
import type { OfferFacts, WatchState } from './facts.ts'
import { observe, afterChange } from './state.ts'
import { decided, facts, hour, minute, rule, state } from './testing/examples.ts'
import { noon } from './testing/situations.ts'

const raising = (step: number): PriceRule['leading'] => ({
  act: 'raise',
  step: { by: 'amount', cents: cents(step) },
  everyMs: 6 * hour,
})
const raises = rule({ leading: raising(5), ceiling: { kind: 'customer', cents: cents(2995) } })
const leading = facts({ isCheapest: true, bestCents: cents(1414) })
const since = (ms: number): WatchState =>
  state({ lead: 'leading', leadSince: noon - ms, ownSince: noon - ms })

describe('leading', () => {
  test('never goes down, because the best price is its own', () => {
    expect(decided(rule(), leading, since(hour))).toMatchObject({
      reason: 'leading',
      targetCents: null,
    })
  })
  test('raises by a step after leading long enough', () => {
    expect(decided(raises, leading, since(7 * hour))).toMatchObject({
      reason: 'raise',
      targetCustomerCents: cents(1419),
    })
    expect(decided(raises, leading, since(5 * hour))).toMatchObject({
      reason: 'leading',
      targetCents: null,
      until: noon + hour,
    })
  })
  test('stops at the ceiling', () => {
    const low = { ...raises, ceiling: { kind: 'customer', cents: cents(1416) } } as const
    expect(decided(low, leading, since(7 * hour))).toMatchObject({
      reason: 'raise',
      targetCustomerCents: cents(1416),
    })
    expect(
      decided(
        { ...low, ceiling: { kind: 'customer', cents: cents(1414) } },
        leading,
        since(7 * hour),
      ).reason,
    ).toBe('at-ceiling')
  })
  test('steps back when a raise loses the lead, and doesn’t retry that price for a day', () => {
    const raised = afterChange(since(7 * hour), {
      at: noon - minute,
      fromCents: cents(1285),
      toCents: cents(1290),
      reason: 'raise',
    })
    const lost = facts({
      priceCents: cents(1290),
      customerCents: cents(1419),
      bestCents: cents(1416),
    })
    const back = decided(raises, lost, observe(raised, lost, true))
    expect(back).toMatchObject({ reason: 'step-back', targetCents: cents(1285) })
    const stepped = afterChange(raised, {
      at: noon,
      fromCents: cents(1290),
      toCents: cents(1285),
      reason: 'step-back',
    })
    const again = { ...leading, seenAt: noon + 8 * hour }
    expect(
      decided(
        raises,
        again,
        observe({ ...stepped, lead: 'behind' }, { ...again, seenAt: noon + minute }, true),
        noon + 8 * hour,
      ),
    ).toMatchObject({ reason: 'leading', targetCents: null })
    expect(
      decided(
        raises,
        { ...again, seenAt: noon + 25 * hour },
        { ...stepped, lead: 'leading', leadSince: noon + minute, changes: [] },
        noon + 25 * hour,
      ).reason,
    ).toBe('raise')
  })
  test('treats a rival below the price before the raise like any other', () => {
    const raised = afterChange(since(7 * hour), {
      at: noon - hour,
      fromCents: cents(1285),
      toCents: cents(1290),
      reason: 'raise',
    })
    expect(
      decided(
        raises,
        facts({ priceCents: cents(1290), customerCents: cents(1419), bestCents: cents(1400) }),
        raised,
      ).reason,
    ).toBe('undercut')
  })
  test('doesn’t repeat a raise for a day to a price that lost the lead, or above it', () => {
    const failedAt = (amount: number, at: number) =>
      decided(raises, leading, { ...since(7 * hour), failed: { cents: cents(amount), at } })
    // A step of 5 cents leads to 12.90.
    expect(failedAt(1290, noon - 23 * hour)).toMatchObject({
      reason: 'leading',
      targetCents: null,
      until: noon + hour,
    })
    expect(failedAt(1291, noon - 23 * hour).targetCents).toBe(1290)
    expect(failedAt(1290, noon - 24 * hour).targetCents).toBe(1290)
  })
  test.each([
    ['the offer took the lead', { leadSince: noon - 2 * hour }, noon + 4 * hour],
    ['its price is known', { ownSince: noon - hour }, noon + 5 * hour],
    ['it was read, if the lead is new', { lead: 'behind' }, noon + 6 * hour],
  ] as const)('waits before a raise since %s', (_, some, until) => {
    expect(decided(raises, leading, { ...since(9 * hour), ...some })).toMatchObject({
      reason: 'leading',
      targetCents: null,
      until,
    })
  })
  test('raises exactly when the time is over', () => {
    expect(decided(raises, leading, since(6 * hour)).reason).toBe('raise')
    expect(decided(raises, leading, since(6 * hour - 1)).reason).toBe('leading')
  })
  test.each([
    ['9', 5, 1419],
    ['9', 4, 1419],
    ['9', 20, 1429],
    // The commission allows no price of 14.24.
    ['4', 5, 1423],
    ['99', 5, 1499],
    ['99', 90, 1499],
  ])('raises to the ending %s by about %i cents: %i', (ending, step, customer) => {
    expect(
      decided({ ...raises, ending, leading: raising(step) }, leading, since(7 * hour)),
    ).toMatchObject({ reason: 'raise', targetCustomerCents: customer })
  })
  test('keeps the price if the step changes nothing', () => {
    expect(decided({ ...raises, leading: raising(0) }, leading, since(7 * hour))).toMatchObject({
      reason: 'leading',
      targetCents: null,
      until: null,
    })
  })
  test('needs the commission to raise', () => {
    const unknown = { ...leading, commissionPercent: null }
    const ceiling = { kind: 'receive', cents: cents(2000) } as const
    expect(decided({ ...raises, ceiling }, unknown, since(7 * hour)).reason).toBe('no-commission')
  })
})

describe('behind after a raise', () => {
  const raised = state({ probe: { fromCents: cents(1285), toCents: cents(1290), at: noon - hour } })
  const lost = (some: Partial<OfferFacts> = {}): OfferFacts =>
    facts({ priceCents: cents(1290), customerCents: cents(1419), bestCents: cents(1416), ...some })
  const floor = (amount: number): PriceRule =>
    rule({ floor: { kind: 'receive', cents: cents(amount) } })

  test.each<[string, Partial<OfferFacts>, string]>([
    ['the rival is above the earlier price', {}, 'step-back'],
    ['the rival is at the earlier price', { bestCents: cents(1414) }, 'step-back'],
    ['the rival is below the earlier price', { bestCents: cents(1413) }, 'undercut'],
    ['the best price is unknown', { bestCents: null }, 'step-back'],
    ['the best price is stale', { bestCents: cents(1400), bestAt: noon - hour }, 'step-back'],
    ['the commission is unknown', { commissionPercent: null }, 'step-back'],
    ['the price was changed again', { priceCents: cents(1291) }, 'undercut'],
  ])('decides when %s', (_, some, reason) => {
    expect(decided(rule(), lost(some), raised).reason).toBe(reason)
  })
  test('ignores a change that didn’t raise the price', () => {
    const same = state({ probe: { fromCents: cents(1290), toCents: cents(1290), at: noon - hour } })
    expect(decided(rule(), lost({ bestCents: cents(1419) }), same).reason).toBe('undercut')
  })
  test('steps back no further than the floor', () => {
    expect(decided(floor(1280), lost(), raised)).toMatchObject({
      reason: 'step-back',
      targetCents: 1285,
    })
    expect(decided(floor(1287), lost(), raised)).toMatchObject({
      reason: 'step-back',
      targetCents: 1287,
    })
    expect(decided(floor(1290), lost(), raised)).toMatchObject({
      reason: 'at-floor',
      targetCents: null,
    })
  })
  test('steps back even if the change is small or recent', () => {
    const hasty = { ...rule(), leastCents: cents(50), coolDownMs: hour }
    const changes = [{ at: noon - minute, fromCents: cents(1285), toCents: cents(1290) }]
    expect(decided(hasty, lost(), { ...raised, changes }).reason).toBe('step-back')
  })
})
