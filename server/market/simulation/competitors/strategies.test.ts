import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { marketStrategies } from '../../../api/dashboard/market.ts'
import { cents } from '../../../api/money.ts'
import { customerPriceUnder } from '../../../domain/offers/pricing.ts'
import { seededRandom } from '../../random.ts'
import { type PriceView, sellerPriceWithin, wantedPrice } from './strategies.ts'

const price = fc.integer({ min: 1, max: 500_000 }).map(cents)
const view: fc.Arbitrary<PriceView> = fc
  .record({
    usual: price,
    own: price,
    rival: fc.option(price),
    share: fc.integer({ min: 50, max: 100 }),
    hour: fc.nat(23),
    weekend: fc.boolean(),
    war: fc.boolean(),
  })
  .map(({ share, ...rest }) => ({
    ...rest,
    floor: cents(Math.max(1, Math.floor((rest.usual * share) / 100))),
    ceiling: cents(Math.ceil(rest.usual * 1.35)),
  }))
const strategy = fc.constantFrom(...marketStrategies)
const wanted = (name: (typeof marketStrategies)[number], seen: PriceView, seed = 'x') =>
  wantedPrice(name, seen, seededRandom(seed))

/** A seller in the middle of the market, with room to go lower. */
const ordinary: PriceView = {
  own: cents(1000),
  rival: cents(990),
  usual: cents(1000),
  floor: cents(800),
  ceiling: cents(1350),
  hour: 12,
  weekend: false,
  war: false,
}

describe('every strategy', () => {
  it('stays between costs and plausible prices, in whole cents, and decides the same for the same chance', () => {
    fc.assert(
      fc.property(strategy, view, fc.string(), (name, seen, seed) => {
        const decided = wanted(name, seen, seed)
        expect(decided).toBeGreaterThanOrEqual(seen.floor)
        expect(decided).toBeLessThanOrEqual(Math.max(seen.ceiling, seen.floor))
        expect(Number.isInteger(decided)).toBe(true)
        expect(wanted(name, seen, seed)).toBe(decided)
      }),
    )
  })
})

describe('a strategy', () => {
  it('undercuts by one to five cents if its costs allow it', () => {
    fc.assert(
      fc.property(view, fc.string(), (seen, seed) => {
        fc.pre(
          seen.rival !== null &&
            seen.rival - 5 >= seen.floor &&
            seen.rival <= seen.ceiling &&
            seen.own >= seen.rival,
        )
        const gap = (seen.rival ?? 0) - wanted('undercutter', seen, seed)
        expect(gap).toBeGreaterThanOrEqual(1)
        expect(gap).toBeLessThanOrEqual(5)
      }),
    )
  })

  it('undercuts by one to three percent', () => {
    const seen = {
      ...ordinary,
      rival: cents(10_000),
      own: cents(10_500),
      usual: cents(10_000),
      floor: cents(8000),
      ceiling: cents(13_500),
    }
    for (const seed of ['a', 'b', 'c', 'd']) {
      expect(wanted('percentUndercutter', seen, seed)).toBeGreaterThanOrEqual(9700)
      expect(wanted('percentUndercutter', seen, seed)).toBeLessThanOrEqual(9900)
    }
  })

  it('raises to just below the next price if it leads by more than necessary', () => {
    expect(wanted('undercutter', { ...ordinary, own: cents(850) })).toBeGreaterThan(980)
  })

  it('matches the lowest price exactly', () => {
    expect(wanted('matcher', ordinary)).toBe(990)
    expect(wanted('matcher', { ...ordinary, rival: cents(1080) })).toBe(1080)
  })

  it('keeps a premium whatever others do', () => {
    for (const rival of [cents(800), cents(990), null])
      expect(wanted('premium', { ...ordinary, rival })).toBe(1099)
  })

  it('raises prices up to the ceiling when it has no competitors', () => {
    expect(wanted('opportunist', { ...ordinary, rival: null })).toBe(1050)
    expect(wanted('opportunist', { ...ordinary, rival: null, own: cents(1340) })).toBe(1350)
  })

  it('works by day and on weekdays only, and has weekend prices', () => {
    expect(wanted('scheduled', ordinary)).toBe(985)
    expect(wanted('scheduled', { ...ordinary, hour: 23 })).toBe(1000)
    expect(wanted('scheduled', { ...ordinary, hour: 23, weekend: true })).toBe(940)
  })

  it('makes deep cuts in a price war, and returns to an ordinary price afterwards', () => {
    expect(wanted('warrior', { ...ordinary, war: true })).toBeLessThan(970)
    expect(wanted('warrior', { ...ordinary, own: cents(810) })).toBeGreaterThanOrEqual(970)
  })

  it("doesn't stay at the bottom forever", () => {
    const bottom = { ...ordinary, own: cents(800), rival: cents(795) }
    const decided = Array.from({ length: 100 }, (_, index) =>
      wanted('undercutter', bottom, `${index}`),
    )
    expect(decided.filter((each) => each === 800).length).toBeGreaterThan(60)
    expect(decided.filter((each) => each > 960).length).toBeGreaterThan(3)
  })
})

it('a seller’s price is the highest one that keeps the customer price within a limit', () => {
  const product = { productType: 'game', deliveryType: 'key' } as const
  fc.assert(
    fc.property(
      price,
      fc.integer({ min: 0, max: 5000 }).map((hundredths) => hundredths / 100),
      (limit, percent) => {
        const own = sellerPriceWithin(limit, percent)
        const paid = (each: number) =>
          customerPriceUnder(
            cents(each),
            { keys: percent, accounts_and_gifts: 0, special_subscriptions: 0 },
            product,
          )
        expect(own === 1 || paid(own) <= limit).toBe(true)
        expect(paid(own + 1)).toBeGreaterThan(limit)
      },
    ),
  )
  expect(sellerPriceWithin(cents(20_000_000), 10)).toBe(10_000_000)
})
