import { describe, expect, it } from 'vitest'
import type { RateClass } from '../../api/endpoints/endpoint.ts'
import type { PartnerCaller, SellerCaller } from '../../api/handlers.ts'
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts'
import { RateLimitedError } from './rates.ts'

const partner = (keyId: string): PartnerCaller => ({
  kind: 'partner',
  partnerId: 'ptn_1',
  keyId,
  mode: keyId === 'a' ? 'live' : 'test',
  scopes: [],
})
const seller: SellerCaller = { kind: 'seller', sellerId: 'slr_1', keyId: 's' }

/**
 * Runs one request through the checks, as the HTTP pipeline does: null when admitted, otherwise the
 * wait.
 */
function arrive(
  gate: RateLimiter,
  caller: PartnerCaller | SellerCaller,
  rate: RateClass | null,
): RateLimitedError | null {
  try {
    gate.assertKeyRate(caller, rate)
    if (rate !== null) gate.assertClassRate(caller, rate)
  } catch (error) {
    if (error instanceof RateLimitedError) return error
    throw error
  }
  gate.count(caller, rate)
  return null
}

describe('request rates', () => {
  it('never admit a 21st request within any second', () => {
    const clock = { at: 0, now: () => clock.at }
    const gate = createRateLimiter(clock)
    for (let i = 0; i < 20; i += 1) expect(arrive(gate, partner('a'), null)).toBeNull()
    clock.at = 999
    expect(arrive(gate, partner('a'), null)).toMatchObject({
      retryAfterMs: 1,
      usedUp: { name: 'key-second' },
    })
    clock.at = 1000
    expect(arrive(gate, partner('a'), null)).toBeNull()
  })

  it('count uploads per seller, separately from orders', () => {
    const clock = { at: 0, now: () => clock.at }
    const gate = createRateLimiter(clock)
    for (let i = 0; i < 300; i += 1) {
      clock.at += 60
      expect(arrive(gate, seller, 'uploads')).toBeNull()
    }
    expect(arrive(gate, seller, 'uploads')).toMatchObject({
      usedUp: { name: 'uploads' },
      rates: [{ name: 'key-second' }, { name: 'key-minute' }, { name: 'uploads' }],
    })
    expect(arrive(gate, seller, null)).toBeNull()
  })

  it('drop arrivals from before a large clock step back, and tolerate a small one', () => {
    const clock = { at: 1_000_000_000, now: () => clock.at }
    const gate = createRateLimiter(clock)
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
