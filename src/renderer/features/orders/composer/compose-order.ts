import {
  addCents,
  type Cents,
  subtractCents,
  timesCents,
  ZERO,
} from '../../../../../server/api/money.ts'
import { countryName } from '../../../lib/labels/countries.ts'
import type { BasketLine } from './basket.ts'

/** The core's data on one product that can be ordered. */
export type QuotedLine = {
  productId: string
  name: string
  platform: string
  region: string
  deliveryType: string
  qty: number | null
  inStock: boolean | null
  priceCents: Cents | null
  proposedMaxCents: Cents | null
  /** The same from a number of units on; empty: only the price of one unit is known. */
  tiers: readonly { minQty: number; priceCents: Cents; proposedMaxCents: Cents }[]
  releaseDate: string | null
  removed: boolean
  /** Countries where it can't be activated; null: only the region is known. */
  excludedCountries: string[] | null
}
type Limit = { cents: Cents; at: number } | null
export type Quote = {
  lines: QuotedLine[]
  balanceCents: Cents | null
  proposedExternalId: string
  spent24hCents: Cents
  limits: { order: Limit; day: Limit }
}

/**
 * A price above the maximum that was set, and the maximum for it.
 *
 * @property forQty The number of units that costs more each, although no price changed; null: the
 *   price changed.
 */
export type PriceMove = {
  fromCents: Cents
  toCents: Cents
  maxCents: Cents
  forQty: number | null
}

export type ComposedLine = BasketLine & {
  product: QuotedLine | null
  /**
   * The units of its product in this line and those before, which share its supply: its price and
   * stock depend on them (Decisions 14 and 35).
   */
  units: number
  /** The unit price for these units; null: unknown. */
  unitCents: Cents | null
  warning: string | null
  move: PriceMove | null
}

export type ComposedOrder = {
  lines: ComposedLine[]
  /**
   * The cost at the mirror's prices, and the highest possible cost; null while a price is unknown.
   */
  todayCents: Cents | null
  atMostCents: Cents | null
  /** Whether every line can be sent. */
  ready: boolean
}

type UnitPrice = Pick<QuotedLine, 'priceCents' | 'proposedMaxCents'>
const unknownPrice: UnitPrice = { priceCents: null, proposedMaxCents: null }

/** {@link ComposedLine.units} of each line. */
function unitsOf(lines: readonly BasketLine[]): number[] {
  const sums = new Map<string, number>()
  return lines.map(({ productId, qty }) => {
    const units = (sums.get(productId) ?? 0) + qty
    sums.set(productId, units)
    return units
  })
}

/** The unit price and the proposed maximum of a line that reaches this many units. */
function priceFor(product: QuotedLine, qty: number): UnitPrice {
  return product.tiers.findLast(({ minQty }) => minQty <= qty) ?? product
}

/**
 * A line after a person changed its number of units. A maximum that Keydesk proposed is proposed
 * again for the new number; one that a person entered stays.
 */
export function withQty(
  { qty: before, units, maxCents, seenCents, product }: ComposedLine,
  qty: number,
): Pick<BasketLine, 'qty' | 'maxCents' | 'seenCents'> {
  const proposed = product === null ? unknownPrice : priceFor(product, units)
  if (product === null || maxCents === null || maxCents !== proposed.proposedMaxCents)
    return { qty, maxCents, seenCents }
  const next = priceFor(product, units - before + qty)
  return { qty, maxCents: next.proposedMaxCents, seenCents: next.priceCents }
}

/**
 * The current order: the basket's lines with their product data, totals in cents, and the problems
 * of each line, also for a customer in `country`.
 */
export function composeOrder(
  basket: readonly BasketLine[],
  quote: Quote | undefined,
  country: string | null = null,
): ComposedOrder {
  const reached = unitsOf(basket)
  const lines = basket.map((line, at): ComposedLine => {
    const units = reached[at] ?? line.qty
    const product = quote?.lines.find((quoted) => quoted.productId === line.productId) ?? null
    const move = product === null ? null : moveOf(line, product, units)
    return {
      ...line,
      product,
      units,
      unitCents: product === null ? null : priceFor(product, units).priceCents,
      move,
      warning:
        product === null
          ? null
          : (warningOf(line, product, units) ?? activationOf(product, country)),
    }
  })
  const sum = (amount: (line: ComposedLine) => Cents | null): Cents | null =>
    lines.reduce<Cents | null>((total, line) => {
      const each = amount(line)
      return total === null || each === null ? null : addCents(total, timesCents(each, line.qty))
    }, ZERO)
  return {
    lines,
    todayCents: sum((line) => line.unitCents),
    atMostCents: sum((line) => line.maxCents),
    ready:
      lines.length > 0 &&
      lines.every(
        (line) =>
          line.maxCents !== null &&
          line.product !== null &&
          !line.product.removed &&
          line.move === null,
      ),
  }
}

/** How far the balance falls short of an order; null: it is enough, or unknown. */
export type Shortfall = { cents: Cents; at: 'current-prices' | 'maximum-prices' }

export function shortfallOf(
  balanceCents: Cents | null,
  { todayCents, atMostCents }: Pick<ComposedOrder, 'todayCents' | 'atMostCents'>,
): Shortfall | null {
  if (balanceCents === null) return null
  if (todayCents !== null && todayCents > balanceCents)
    return { cents: subtractCents(todayCents, balanceCents), at: 'current-prices' }
  if (atMostCents !== null && atMostCents > balanceCents)
    return { cents: subtractCents(atMostCents, balanceCents), at: 'maximum-prices' }
  return null
}

/** The price move that a line's maximum doesn't cover, so that a person has to decide. */
function moveOf(line: BasketLine, product: QuotedLine, units: number): PriceMove | null {
  const { seenCents, maxCents } = line
  const { priceCents, proposedMaxCents } = priceFor(product, units)
  if (seenCents === null || maxCents === null || priceCents === null || proposedMaxCents === null)
    return null
  if (priceCents === seenCents || priceCents <= maxCents) return null
  const isStep = product.tiers.some((tier) => tier.priceCents === seenCents)
  return {
    fromCents: seenCents,
    toCents: priceCents,
    maxCents: proposedMaxCents,
    forQty: isStep ? units : null,
  }
}

/**
 * The lines with a maximum proposed where none is set: once, at the price that is shown at that
 * moment. Returns the same array when nothing is missing.
 */
export function withProposals(
  basket: readonly BasketLine[],
  quote: Quote | undefined,
): readonly BasketLine[] {
  const reached = unitsOf(basket)
  const proposed = basket.map((line, at) => {
    if (line.maxCents !== null) return line
    const product = quote?.lines.find(({ productId }) => productId === line.productId)
    const { priceCents, proposedMaxCents } =
      product === undefined ? unknownPrice : priceFor(product, reached[at] ?? line.qty)
    if (proposedMaxCents === null) return line
    return { ...line, maxCents: proposedMaxCents, seenCents: priceCents }
  })
  return proposed.some((line, at) => line !== basket[at]) ? proposed : basket
}

function warningOf(line: BasketLine, product: QuotedLine, units: number): string | null {
  if (product.removed) return 'Removed from the catalogue'
  if (product.inStock === false) return 'Out of stock when last seen'
  if (product.qty !== null && product.qty < units) return `Only ${product.qty} when last seen`
  const { priceCents } = priceFor(product, units)
  const isBelow = line.maxCents !== null && priceCents !== null && line.maxCents < priceCents
  // A moved price is shown with its own choice.
  if (isBelow && moveOf(line, product, units) === null)
    return 'Below today’s price: would be rejected'
  return null
}

/**
 * Whether the customer can activate it, as far as the service reports that. Missing data is shown
 * as unknown, never treated as a yes.
 */
function activationOf(
  { excludedCountries, region }: QuotedLine,
  country: string | null,
): string | null {
  if (country === null) return null
  if (excludedCountries === null) return `Activation in ${countryName(country)} unknown: ${region}`
  return excludedCountries.includes(country)
    ? `Can’t be activated in ${countryName(country)}`
    : null
}
