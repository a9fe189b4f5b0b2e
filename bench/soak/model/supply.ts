/** Which unit is sold next, and the current price of a product (Decisions 1, 5, 27). */
import type { Model, Offer, Partner, Product, Reserved, Unit } from './state.ts'
import { partnerPrice } from './state.ts'

export const units = (model: Model, product: Product): number =>
  suppliers(model, product).reduce((sum, offer) => sum + offer.stock.length, 0)

/** Active offers with stock, the one that sells first at the front. */
export function suppliers(model: Model, product: Product): Offer[] {
  return model.offers
    .filter(
      (offer) => offer.product === product && offer.status === 'active' && offer.stock.length > 0,
    )
    .toSorted(
      (a, b) =>
        a.customerPrice - b.customerPrice || a.priceSince - b.priceSince || (a.id < b.id ? -1 : 1),
    )
}

export const lowest = (model: Model, product: Product): number | null =>
  suppliers(model, product)[0]?.customerPrice ?? null

/** The last price of each product remains when its supply is gone. Call after every change. */
export function notePrices(model: Model): void {
  for (const product of model.products)
    product.lastPrice = lowest(model, product) ?? product.lastPrice
}

export type Asked = { product: Product; qty: number }
export type Quote = { unitPrice: number; reserved: Reserved[] }

/**
 * The price of each line, and its units; null for a line without enough units. Lines share the
 * stock.
 */
export function quote(model: Model, partner: Partner, asked: readonly Asked[]): (Quote | null)[] {
  const left = new Map<Product, Reserved[]>()
  return asked.map(({ product, qty }) => {
    const queue =
      left.get(product) ??
      suppliers(model, product).flatMap((offer) =>
        offer.stock.map((unit) => ({
          offer,
          unit,
          price: offer.price,
          customerPrice: offer.customerPrice,
        })),
      )
    const reserved = queue.splice(0, qty)
    left.set(product, queue)
    if (reserved.length < qty) return null
    return {
      unitPrice: partnerPrice(Math.max(...reserved.map((each) => each.customerPrice)), partner),
      reserved,
    }
  })
}

/** Returns a reserved unit to the stock, at its original age. */
export function putBack(offer: Offer, unit: Unit): void {
  offer.held -= 1
  offer.stock.push(unit)
  offer.stock.sort((a, b) => a.age - b.age)
}
