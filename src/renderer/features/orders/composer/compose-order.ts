import { addCents, type Cents, timesCents, ZERO } from '../../../../../server/api/money.ts'
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

export type ComposedLine = BasketLine & { product: QuotedLine | null; warning: string | null }

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

/**
 * The current order: the basket's lines with their product data, totals in cents, and the problems
 * of each line, also for a customer in `country`.
 */
export function composeOrder(
  basket: readonly BasketLine[],
  quote: Quote | undefined,
  country: string | null = null,
): ComposedOrder {
  const lines = basket.map((line): ComposedLine => {
    const product = quote?.lines.find((quoted) => quoted.productId === line.productId) ?? null
    return {
      ...line,
      maxCents: line.maxCents ?? product?.proposedMaxCents ?? null,
      product,
      warning:
        product === null ? null : (warningOf(line, product) ?? activationOf(product, country)),
    }
  })
  const sum = (amount: (line: ComposedLine) => Cents | null): Cents | null =>
    lines.reduce<Cents | null>((total, line) => {
      const each = amount(line)
      return total === null || each === null ? null : addCents(total, timesCents(each, line.qty))
    }, ZERO)
  return {
    lines,
    todayCents: sum((line) => line.product?.priceCents ?? null),
    atMostCents: sum((line) => line.maxCents),
    ready:
      lines.length > 0 &&
      lines.every(
        (line) => line.maxCents !== null && line.product !== null && !line.product.removed,
      ),
  }
}

function warningOf(line: BasketLine, product: QuotedLine): string | null {
  if (product.removed) return 'Removed from the catalogue'
  if (product.inStock === false) return 'Out of stock when last seen'
  if (product.qty !== null && product.qty < line.qty) return `Only ${product.qty} when last seen`
  if (line.maxCents !== null && product.priceCents !== null && line.maxCents < product.priceCents)
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
