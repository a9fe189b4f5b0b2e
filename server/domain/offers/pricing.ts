import {
  type Cents,
  customerPrice,
  percentHundredths,
  type PriceFactor,
  timesFactor,
  ZERO,
} from '../../api/money.ts'
import { UNITS_PER_LINE } from '../../api/limits.ts'
import type { CommissionClass, DeliveryType, ProductType } from '../../api/schemas/enums.ts'
import type { Commission } from '../ports/accounts.ts'

/** Default commission in percent of the seller's price (Decision 3). */
export const defaultCommission: Commission = {
  keys: 10,
  accounts_and_gifts: 15,
  special_subscriptions: 20,
}

/**
 * The commission class of a product. Subscriptions come first, whatever their delivery type
 * (Decision 3).
 */
export function commissionClassOf(product: {
  productType: ProductType
  deliveryType: DeliveryType
}): CommissionClass {
  if (product.productType === 'subscription') return 'special_subscriptions'
  return product.deliveryType === 'account' || product.deliveryType === 'gift'
    ? 'accounts_and_gifts'
    : 'keys'
}

/** The customer price for a seller's price under the seller's terms, rounded half up. */
export function customerPriceUnder(
  price: Cents,
  commission: Commission,
  product: { productType: ProductType; deliveryType: DeliveryType },
): Cents {
  return customerPrice(price, percentHundredths(commission[commissionClassOf(product)]))
}

/** The part of an offer that matters for selling from it. */
export interface Sellable {
  customerPrice: Cents
  stock: number
}

/**
 * Takes `qty` units from as many offers as needed, reducing their `stock` (Decision 5). Pass the
 * offers in the order of sale. The unit price is the highest one used. Returns null and takes
 * nothing when the stock is too low.
 */
export function takeSupply<Offer extends Sellable>(
  offers: readonly Offer[],
  qty: number,
): { parts: { offer: Offer; count: number }[]; highest: Cents } | null {
  if (offers.reduce((sum, offer) => sum + offer.stock, 0) < qty) return null
  const parts: { offer: Offer; count: number }[] = []
  let highest: Cents = ZERO
  let missing = qty
  for (const offer of offers) {
    if (missing === 0) break
    const count = Math.min(offer.stock, missing)
    if (count === 0) continue
    offer.stock -= count
    missing -= count
    highest = offer.customerPrice
    parts.push({ offer, count })
  }
  return { parts, highest }
}

/** The unit price of an order line that has at least this many units. */
export interface PriceTier {
  minQty: number
  unitPrice: Cents
}

/**
 * A partner's unit prices for 1 to 9 units, one entry for each price (Decision 35). A line costs
 * the most expensive offer that it reaches, so the price never falls with the quantity. The list
 * ends with the stock. Pass the offers in the order of sale.
 */
export function priceTiers(offers: readonly Sellable[], factor: PriceFactor): PriceTier[] {
  const tiers: PriceTier[] = []
  let units = 0
  for (const { customerPrice: price, stock } of offers) {
    if (units >= UNITS_PER_LINE) break
    const unitPrice = partnerPrice(price, factor)
    if (stock > 0 && tiers.at(-1)?.unitPrice !== unitPrice)
      tiers.push({ minQty: units + 1, unitPrice })
    units += stock
  }
  return tiers
}

/**
 * A partner's unit price: the customer price times the partner's factor, rounded half up (Decision
 * 1).
 */
export const partnerPrice = (price: Cents, factor: PriceFactor): Cents => timesFactor(price, factor)

/** The number of units that partners see. */
export const visibleQty = (units: number): number => Math.min(units, 99)
