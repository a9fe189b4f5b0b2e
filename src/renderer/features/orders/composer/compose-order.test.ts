import { describe, expect, it } from 'vitest'
import { cents, type Cents } from '../../../../../server/api/money.ts'
import { composeOrder, shortfallOf, withQty, withProposals } from './compose-order.ts'
import type { BasketLine } from './basket.ts'
import type { QuotedLine } from './compose-order.ts'

const product = (change: Partial<QuotedLine> = {}): QuotedLine => ({
  productId: 'p1',
  name: 'Ironwharf 3',
  platform: 'Steam',
  region: 'Global',
  deliveryType: 'key',
  qty: 99,
  inStock: true,
  priceCents: cents(3316),
  proposedMaxCents: cents(3349),
  tiers: [],
  releaseDate: null,
  removed: false,
  excludedCountries: ['DE'],
  ...change,
})
const quote = (...lines: QuotedLine[]) => ({
  lines,
  balanceCents: cents(100_000),
  proposedExternalId: 'KD-1',
  spent24hCents: cents(0),
  limits: { order: null, day: null },
})

const line = (change: Partial<BasketLine> = {}): BasketLine => ({
  id: 0,
  productId: 'p1',
  qty: 1,
  maxCents: cents(3349),
  seenCents: cents(3316),
  ...change,
})

describe('an order being composed', () => {
  it('adds up today’s prices and the highest possible cost', () => {
    const order = composeOrder([line({ qty: 3 })], quote(product()))
    expect(order).toMatchObject({
      todayCents: cents(9948),
      atMostCents: cents(10_047),
      ready: true,
    })
  })

  it('is not ready while a product or its price is unknown', () => {
    expect(composeOrder([line()], undefined).ready).toBe(false)
    expect(
      composeOrder(
        [line({ maxCents: null, seenCents: null })],
        quote(product({ priceCents: null, proposedMaxCents: null })),
      ),
    ).toMatchObject({ ready: false, atMostCents: null })
    expect(composeOrder([], quote()).ready).toBe(false)
  })

  it('warns before sending about lines that the service would reject', () => {
    const warning = (qty: number, maxCents: Cents | null, change: Partial<QuotedLine>) =>
      composeOrder([line({ qty, maxCents })], quote(product(change))).lines[0]?.warning
    expect(warning(1, null, {})).toBeNull()
    expect(warning(5, null, { qty: 4 })).toBe('Only 4 when last seen')
    expect(warning(1, null, { inStock: false })).toMatch(/Out of stock/)
    expect(warning(1, cents(3000), {})).toMatch(/Below today/)
    expect(warning(1, null, { removed: true })).toMatch(/Removed from the catalogue/)
  })

  it('shows products that the customer can’t activate, and distinguishes unknown from allowed', () => {
    const warning = (country: string | null, excludedCountries: string[] | null) =>
      composeOrder([line()], quote(product({ excludedCountries })), country).lines[0]?.warning
    expect(warning('DE', ['DE', 'AT'])).toBe('Can’t be activated in Germany')
    expect(warning('FR', ['DE', 'AT'])).toBeNull()
    expect(warning('FR', null)).toBe('Activation in France unknown: Global')
    expect(warning(null, ['DE'])).toBeNull()
  })

  it('proposes a maximum once, which a later price does not move', () => {
    const added = [line({ maxCents: null, seenCents: null })]
    const proposed = withProposals(
      added,
      quote(product({ priceCents: cents(550), proposedMaxCents: cents(556) })),
    )
    expect(proposed).toEqual([line({ maxCents: cents(556), seenCents: cents(550) })])
    const risen = quote(product({ priceCents: cents(4400), proposedMaxCents: cents(4444) }))
    expect(withProposals(proposed, risen)).toBe(proposed)
    expect(composeOrder(proposed, risen)).toMatchObject({
      ready: false,
      atMostCents: cents(556),
      lines: [{ move: { fromCents: cents(550), toCents: cents(4400), maxCents: cents(4444) } }],
    })
  })

  it('asks again only when the price rises above the maximum', () => {
    const moveAt = (price: number, change: Partial<BasketLine> = {}) =>
      composeOrder(
        [line(change)],
        quote(product({ priceCents: cents(price), proposedMaxCents: cents(price + 30) })),
      ).lines[0]?.move
    expect(moveAt(3316)).toBeNull()
    expect(moveAt(3349)).toBeNull()
    expect(moveAt(3350)).toMatchObject({ fromCents: cents(3316), toCents: cents(3350) })
    expect(moveAt(100)).toBeNull()
    // Typed at this price on purpose: the service rejects it, and nothing is charged.
    expect(moveAt(3350, { maxCents: cents(1), seenCents: cents(3350) })).toBeNull()
  })

  it('waits for a price that is not known yet', () => {
    const added = [line({ maxCents: null, seenCents: null })]
    expect(withProposals(added, undefined)).toBe(added)
    expect(withProposals(added, quote(product({ priceCents: null, proposedMaxCents: null })))).toBe(
      added,
    )
  })
})

describe('the shortfall of a balance', () => {
  it.each([
    ['covers the maximum', 1000, 900, 1000, null],
    ['covers the current prices only', 1000, 1000, 1010, [10, 'maximum-prices']],
    ['is too low at the current prices', 1000, 146_400, 147_864, [145_400, 'current-prices']],
    [
      'is compared with the maximum while a price is unknown',
      1000,
      null,
      1500,
      [500, 'maximum-prices'],
    ],
    ['is unknown', null, 900, 1000, null],
  ] as const)('that %s', (_what, balance, today, most, expected) => {
    const amount = (value: number | null) => (value === null ? null : cents(value))
    const found = shortfallOf(amount(balance), {
      todayCents: amount(today),
      atMostCents: amount(most),
    })
    expect(found === null ? null : [found.cents, found.at]).toEqual(expected)
  })
})

describe('a price that depends on the quantity', () => {
  const tiers = [
    { minQty: 1, priceCents: cents(3316), proposedMaxCents: cents(3349) },
    { minQty: 4, priceCents: cents(4000), proposedMaxCents: cents(4040) },
  ]
  const price = { priceCents: cents(5000), proposedMaxCents: cents(5050) }
  const composed = (change: Partial<BasketLine>) => {
    const [found] = composeOrder([line(change)], quote(product({ tiers }))).lines
    if (found === undefined) throw new Error('no line')
    return found
  }

  it('is the price of the chosen number of units, also in the total', () => {
    const order = composeOrder([line({ qty: 4 })], quote(product({ tiers })))
    expect(order.lines[0]?.unitCents).toBe(4000)
    expect(order.todayCents).toBe(16_000)
    expect(
      withProposals([line({ qty: 4, maxCents: null, seenCents: null })], quote(product({ tiers }))),
    ).toEqual([line({ qty: 4, maxCents: cents(4040), seenCents: cents(4000) })])
  })

  it('proposes the maximum again for another number of units', () => {
    const more = withQty(composed({}), 5)
    expect(more).toEqual({ qty: 5, maxCents: 4040, seenCents: 4000 })
    expect(withQty(composed(more), 3)).toEqual({ qty: 3, maxCents: 3349, seenCents: 3316 })
  })

  it('keeps a maximum that a person entered, and shows the step', () => {
    const own = { maxCents: cents(3400) }
    expect(withQty(composed(own), 5)).toMatchObject({ qty: 5, maxCents: 3400 })
    expect(composed({ ...own, qty: 5 }).move).toEqual({
      fromCents: 3316,
      toCents: 4000,
      maxCents: 4040,
      forQty: 5,
    })
  })

  it('counts the units of earlier lines of the product, whose supply the lines share', () => {
    const lines = [line({ id: 1, qty: 3 }), line({ id: 2, qty: 2 })]
    const order = composeOrder(lines, quote(product({ tiers, qty: 4 })))
    expect(order.lines).toMatchObject([
      { units: 3, unitCents: 3316, move: null, warning: null },
      {
        units: 5,
        unitCents: 4000,
        move: { toCents: 4000, maxCents: 4040, forQty: 5 },
        warning: 'Only 4 when last seen',
      },
    ])
    expect(order.todayCents).toBe(17_948)
    const unset = { maxCents: null, seenCents: null }
    expect(
      withProposals(
        lines.map((each) => ({ ...each, ...unset })),
        quote(product({ tiers })),
      ),
    ).toMatchObject([{ maxCents: 3349 }, { maxCents: 4040 }])
  })

  it('proposes the maximum again for the units with those of earlier lines', () => {
    const [, second] = composeOrder(
      [line({ id: 1, qty: 3 }), line({ id: 2, maxCents: cents(4040), seenCents: cents(4000) })],
      quote(product({ tiers: [...tiers, { ...price, minQty: 6 }] })),
    ).lines
    expect(second === undefined ? null : withQty(second, 3)).toEqual({
      qty: 3,
      maxCents: 5050,
      seenCents: 5000,
    })
  })
})
