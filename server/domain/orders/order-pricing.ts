import { ApiError } from '../../api/errors.ts'
import { addCents, type Cents, fromCents, type PriceFactor, timesCents } from '../../api/money.ts'
import type { ProductRow } from '../ports/catalogue.ts'
import type { SupplyOffer } from '../ports/selling/offers.ts'
import { partnerPrice, takeSupply } from '../offers/pricing.ts'

export interface RequestedLine {
  productId: string
  qty: number
  maxUnitPrice: Cents
}

export interface PricedLine {
  line: number
  product: ProductRow
  qty: number
  unitPrice: Cents
  /** The offers the units come from, in the order of sale. */
  parts: { offer: SupplyOffer; count: number }[]
}

export interface Market {
  product(id: string): ProductRow | undefined
  /** A new copy of the offers for sale with stock, in the order of sale. */
  supply(productId: string): SupplyOffer[]
}

/**
 * Prices all lines of an order, or rejects the order. Each check runs over all lines before the
 * next check, and reports the lowest line (Decision 7). Lines of one product share its stock
 * (Decision 14).
 */
export function priceLines(
  requested: readonly RequestedLine[],
  market: Market,
  factor: PriceFactor,
): { lines: PricedLine[]; total: Cents } {
  const found = requested.map((item, index) => {
    const product = market.product(item.productId)
    if (!product || product.removed === 1) {
      throw new ApiError('PRODUCT_UNAVAILABLE', undefined, {
        productId: item.productId,
        line: index + 1,
      })
    }
    return { ...item, line: index + 1, product }
  })

  const supplies = new Map<string, SupplyOffer[]>()
  const supplyOf = (productId: string): SupplyOffer[] => {
    const known = supplies.get(productId)
    if (known) return known
    const offers = market.supply(productId)
    supplies.set(productId, offers)
    return offers
  }
  const lines = found.map(({ productId, line, product, qty, maxUnitPrice }) => {
    const taken = takeSupply(supplyOf(productId), qty)
    if (!taken) throw new ApiError('OUT_OF_STOCK', undefined, { productId, line })
    return {
      line,
      product,
      qty,
      unitPrice: partnerPrice(taken.highest, factor),
      parts: taken.parts,
      maxUnitPrice,
    }
  })

  for (const { line, product, unitPrice, maxUnitPrice } of lines) {
    if (unitPrice > maxUnitPrice) {
      throw new ApiError('PRICE_CHANGED', undefined, {
        productId: product.id,
        currentPrice: fromCents(unitPrice),
        line,
      })
    }
  }
  const total = addCents(...lines.map(({ unitPrice, qty }) => timesCents(unitPrice, qty)))
  return { lines, total }
}
