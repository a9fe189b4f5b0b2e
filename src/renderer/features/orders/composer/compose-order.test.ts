import { describe, expect, it } from 'vitest'
import { cents, type Cents } from '../../../../../server/api/money.ts'
import { composeOrder } from './compose-order.ts'
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

describe('an order being composed', () => {
  it('adds up today’s prices and the highest possible cost', () => {
    const order = composeOrder([{ productId: 'p1', qty: 3, maxCents: null }], quote(product()))
    expect(order).toMatchObject({
      todayCents: cents(9948),
      atMostCents: cents(10_047),
      ready: true,
    })
  })

  it('is not ready while a product or its price is unknown', () => {
    expect(composeOrder([{ productId: 'p1', qty: 1, maxCents: null }], undefined).ready).toBe(false)
    expect(
      composeOrder(
        [{ productId: 'p1', qty: 1, maxCents: null }],
        quote(product({ priceCents: null, proposedMaxCents: null })),
      ),
    ).toMatchObject({ ready: false, atMostCents: null })
    expect(composeOrder([], quote()).ready).toBe(false)
  })

  it('warns before sending about lines that the service would reject', () => {
    const warning = (qty: number, maxCents: Cents | null, change: Partial<QuotedLine>) =>
      composeOrder([{ productId: 'p1', qty, maxCents }], quote(product(change))).lines[0]?.warning
    expect(warning(1, null, {})).toBeNull()
    expect(warning(5, null, { qty: 4 })).toBe('Only 4 when last seen')
    expect(warning(1, null, { inStock: false })).toMatch(/Out of stock/)
    expect(warning(1, cents(3000), {})).toMatch(/Below today/)
    expect(warning(1, null, { removed: true })).toMatch(/Removed from the catalogue/)
  })

  it('shows products that the customer can’t activate, and distinguishes unknown from allowed', () => {
    const warning = (country: string | null, excludedCountries: string[] | null) =>
      composeOrder(
        [{ productId: 'p1', qty: 1, maxCents: null }],
        quote(product({ excludedCountries })),
        country,
      ).lines[0]?.warning
    expect(warning('DE', ['DE', 'AT'])).toBe('Can’t be activated in Germany')
    expect(warning('FR', ['DE', 'AT'])).toBeNull()
    expect(warning('FR', null)).toBe('Activation in France unknown: Global')
    expect(warning(null, ['DE'])).toBeNull()
  })
})
