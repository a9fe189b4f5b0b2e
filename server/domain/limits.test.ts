import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RateClass } from '../api/endpoint.ts'
import type { PartnerCaller, SellerCaller } from '../api/handlers.ts'
import { createRateGate, type RateGate } from './limits.ts'
import { classRates, keyRates, RateLimitedError } from './rates.ts'

const partner = (keyId: string): PartnerCaller => ({ kind: 'partner', partnerId: 'ptn_1', keyId, mode: keyId === 'a' ? 'live' : 'test', scopes: [] })
const seller: SellerCaller = { kind: 'seller', sellerId: 'slr_1', keyId: 's' }

/** What the pipeline does with one request: null when admitted, else how long to wait. */
function arrive(gate: RateGate, caller: PartnerCaller | SellerCaller, rate: RateClass | null): RateLimitedError | null {
  try {
    gate.demandKey(caller, rate)
    if (rate !== null) gate.demandClass(caller, rate)
  } catch (error) {
    if (error instanceof RateLimitedError) return error
    throw error
  }
  gate.count(caller, rate)
  return null
}

type Arrival = { at: number; keyId: string; rate: RateClass | null }

/** The same rules by looking at every admitted request there ever was. */
function bruteForce() {
  const admitted: Arrival[] = []
  const fits = ({ at, keyId, rate }: Arrival): boolean =>
    keyRates.every(({ limit, windowMs }) => admitted.filter((one) => one.keyId === keyId && one.at > at - windowMs).length < limit) &&
    (rate === null || admitted.filter((one) => one.rate === rate && one.at > at - classRates[rate].windowMs).length < classRates[rate].limit)
  return { fits, add: (arrival: Arrival) => void admitted.push(arrival) }
}

const arrivals = fc.array(fc.record({
  // Bursts, a steady flow near the rates, and pauses, so that every window fills and drains.
  gap: fc.oneof(
    { weight: 60, arbitrary: fc.constant(0) }, { weight: 120, arbitrary: fc.integer({ min: 1, max: 60 }) }, { weight: 1, arbitrary: fc.integer({ min: 900, max: 40_000 }) },
  ),
  keyId: fc.constantFrom('a', 'b'),
  rate: fc.constantFrom(null, 'orders' as const, 'orders' as const, 'downloads' as const),
}), { minLength: 800, maxLength: 1500, size: 'max' })

describe('request rates', () => {
  it('decide and tell the wait exactly as brute force does', () => {
    const refusals = new Map<string, number>()
    fc.assert(fc.property(arrivals, (sequence) => {
      const clock = { at: 1_000_000, now: () => clock.at }
      const gate = createRateGate(clock)
      const plain = bruteForce()
      for (const { gap, keyId, rate } of sequence) {
        clock.at += gap
        const arrival = { at: clock.at, keyId, rate }
        const refused = arrive(gate, partner(keyId), rate)
        expect(refused === null).toBe(plain.fits(arrival))
        if (refused === null) plain.add(arrival)
        else {
          refusals.set(refused.usedUp.name, (refusals.get(refused.usedUp.name) ?? 0) + 1)
          expect(plain.fits({ ...arrival, at: clock.at + refused.retryAfterMs })).toBe(true)
          expect(plain.fits({ ...arrival, at: clock.at + refused.retryAfterMs - 1 })).toBe(false)
        }
      }
    }), { numRuns: 40 })
    expect([...refusals.keys()].toSorted()).toEqual(expect.arrayContaining(['key-second', 'orders']))
  })

  it('let no burst put a 21st request into any second', () => {
    const clock = { at: 0, now: () => clock.at }
    const gate = createRateGate(clock)
    for (let i = 0; i < 20; i += 1) expect(arrive(gate, partner('a'), null)).toBeNull()
    clock.at = 999
    expect(arrive(gate, partner('a'), null)).toMatchObject({ retryAfterMs: 1, usedUp: { name: 'key-second' } })
    clock.at = 1000
    expect(arrive(gate, partner('a'), null)).toBeNull()
  })

  it('count uploads per seller, apart from orders', () => {
    const clock = { at: 0, now: () => clock.at }
    const gate = createRateGate(clock)
    for (let i = 0; i < 300; i += 1) {
      clock.at += 60
      expect(arrive(gate, seller, 'uploads')).toBeNull()
    }
    expect(arrive(gate, seller, 'uploads')).toMatchObject({ usedUp: { name: 'uploads' }, rates: [{ name: 'key-second' }, { name: 'key-minute' }, { name: 'uploads' }] })
    expect(arrive(gate, seller, null)).toBeNull()
  })

  it('forget what a moved-back clock left in the future, and take a small step back for none', () => {
    const clock = { at: 1_000_000_000, now: () => clock.at }
    const gate = createRateGate(clock)
    for (let i = 0; i < 20; i += 1) arrive(gate, partner('a'), null)
    clock.at -= 5
    const refused = arrive(gate, partner('a'), null)
    expect(refused).toMatchObject({ retryAfterMs: 1005 })
    clock.at += 1004
    expect(arrive(gate, partner('a'), null)).toMatchObject({ retryAfterMs: 1 })
    clock.at += 1
    expect(arrive(gate, partner('a'), null)).toBeNull()
    clock.at -= 86_400_000
    expect(arrive(gate, partner('a'), null)).toBeNull()
  })
})
