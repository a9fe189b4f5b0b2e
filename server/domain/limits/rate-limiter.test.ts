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

  it("report a small clock step back in the wait for the endpoint's own rate too", () => {
    const clock = { at: 0, now: () => clock.at }
    const gate = createRateLimiter(clock)
    for (let i = 0; i < 120; i += 1) {
      clock.at = i * 100
      arrive(gate, partner('a'), 'orders')
    }
    clock.at = 20_000
    expect(arrive(gate, partner('b'), 'orders')).toMatchObject({ retryAfterMs: 40_000 })
    clock.at -= 5
    expect(arrive(gate, partner('b'), 'orders')).toMatchObject({ retryAfterMs: 40_005 })
  })

  it("report the key's rate when both waits are equal", () => {
    const clock = { at: 0, now: () => clock.at }
    const gate = createRateLimiter(clock)
    for (const at of [0, 1000, 2000, 3000, 4000, 59_000]) {
      clock.at = at
      for (let i = 0; i < 20; i += 1) expect(arrive(gate, partner('a'), 'orders')).toBeNull()
    }
    expect(arrive(gate, partner('a'), 'orders')).toMatchObject({
      retryAfterMs: 1000,
      usedUp: { name: 'key-second' },
    })
  })

  it.each([
    ['orders', 120],
    ['downloads', 300],
  ] as const)('admit, for both modes together, as many %s a minute as %i', (rate, limit) => {
    const clock = { at: 0, now: () => clock.at }
    const gate = createRateLimiter(clock)
    const arriveAt = (at: number, key: string) => {
      clock.at = at
      return arrive(gate, partner(key), rate)
    }
    for (let i = 0; i < limit; i += 1) expect(arriveAt(i * 100, i % 2 === 0 ? 'a' : 'b')).toBeNull()
    const refused = arriveAt(59_999, 'a')
    expect(refused).toMatchObject({
      code: 'RATE_LIMITED',
      name: 'RateLimitedError',
      retryAfterMs: 1,
      details: { retryAfterMs: 1 },
      usedUp: { name: rate, limit, windowMs: 60_000 },
      rates: [
        { name: 'key-second', limit: 20, windowMs: 1000 },
        { name: 'key-minute', limit: 600, windowMs: 60_000 },
        { name: rate, limit, windowMs: 60_000 },
      ],
    })
    const other = { ...partner('c'), partnerId: 'ptn_2' }
    expect(arrive(gate, other, rate)).toBeNull()
    expect(arriveAt(60_000, 'b')).toBeNull()
    expect(arriveAt(60_099, 'a')).toMatchObject({ retryAfterMs: 1 })
  })

  it('admit 600 requests of one key a minute, and count a rejected one in none', () => {
    const clock = { at: 0, now: () => clock.at }
    const gate = createRateLimiter(clock)
    for (let i = 0; i < 600; i += 1) {
      clock.at = i * 60
      expect(arrive(gate, partner('a'), null)).toBeNull()
    }
    for (let i = 0; i < 50; i += 1)
      expect(arrive(gate, partner('a'), null)).toMatchObject({
        usedUp: { name: 'key-minute' },
        retryAfterMs: 60_000 - 599 * 60,
      })
    expect(arrive(gate, partner('b'), null)).toBeNull()
    clock.at = 60_000
    expect(arrive(gate, partner('a'), null)).toBeNull()
  })

  it('report the longest wait when the key and the account are both used up', () => {
    const clock = { at: 0, now: () => clock.at }
    const gate = createRateLimiter(clock)
    for (let i = 0; i < 100; i += 1) {
      clock.at = i * 60
      arrive(gate, partner('b'), 'orders')
    }
    clock.at = 10_000
    for (let i = 0; i < 20; i += 1) expect(arrive(gate, partner('a'), 'orders')).toBeNull()
    expect(arrive(gate, partner('a'), 'orders')).toMatchObject({
      retryAfterMs: 50_000,
      usedUp: { name: 'orders' },
    })
    expect(arrive(gate, partner('a'), null)).toMatchObject({
      retryAfterMs: 1000,
      usedUp: { name: 'key-second' },
    })
    for (let i = 0; i < 20; i += 1) expect(arrive(gate, partner('c'), null)).toBeNull()
    expect(arrive(gate, partner('c'), 'downloads')).toMatchObject({
      retryAfterMs: 1000,
      usedUp: { name: 'key-second' },
    })
  })

  it('keep limiting a caller while thousands of others come and go', () => {
    const clock = { at: 0, now: () => clock.at }
    const gate = createRateLimiter(clock)
    for (let i = 0; i < 999; i += 1) arrive(gate, partner(`old ${i}`), null)
    clock.at = 59_900
    for (let i = 0; i < 20; i += 1) arrive(gate, partner('a'), null)
    clock.at = 60_500
    for (let i = 0; i < 3000; i += 1) arrive(gate, partner(`new ${i}`), null)
    expect(arrive(gate, partner('a'), null)).toMatchObject({ retryAfterMs: 400 })
  })

  it.each([
    [60_000, { retryAfterMs: 61_000 }],
    [60_001, null],
  ])('forget what came before a step back only if it is longer than a minute: %i', (ms, result) => {
    const clock = { at: 1_000_000_000, now: () => clock.at }
    const gate = createRateLimiter(clock)
    for (let i = 0; i < 20; i += 1) arrive(gate, partner('a'), null)
    clock.at -= ms
    const refused = arrive(gate, partner('a'), null)
    if (result === null) expect(refused).toBeNull()
    else expect(refused).toMatchObject(result)
  })
})
