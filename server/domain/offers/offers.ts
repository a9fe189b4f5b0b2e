import { ApiError } from '../../api/errors.ts'
import type { BodyOf } from '../../api/handlers.ts'
import type { Offer } from '../../api/schemas/offer.ts'
import { type Cents, subtractCents } from '../../api/money.ts'
import { CURRENCY, type OfferStatus } from '../../api/schemas/enums.ts'
import { type Context, instantText } from '../context.ts'
import { reachCrashPoint } from '../crash-points.ts'
import type { OfferTerms } from './offer-terms.ts'
import type { SellerRecord } from '../ports/accounts.ts'
import type { OfferRecord } from '../ports/offers.ts'
import type { Supply } from '../catalogue/supply.ts'

export interface Offers {
  seller(sellerId: string): SellerRecord
  /** The seller's own offer. NOT_FOUND when it belongs to another seller. */
  own(sellerId: string, offerId: string): OfferRecord
  /** An offer as Decision 27 shows it. */
  view(offer: OfferRecord): Offer
  /**
   * Creates the seller's offer for a product, or updates it. Without `status` an existing offer
   * keeps its status.
   */
  save(sellerId: string, body: BodyOf<'saveOffer'>): { created: boolean; offer: Offer }
  change(sellerId: string, offerId: string, body: BodyOf<'changeOffer'>): Offer
  /** Like `change`, but without building the public view. */
  set(sellerId: string, offerId: string, body: BodyOf<'changeOffer'>): OfferRecord
  /** Deletes an offer. An offer with sales is paused and returned instead (Decision 24). */
  remove(sellerId: string, offerId: string): Offer | null
}

/** Sellers' offers (Seller API; Decisions 24 to 27). */
export function createOffers(context: Context, supply: Supply, terms: OfferTerms): Offers {
  const { store, clock, ids } = context

  function sellerOf(sellerId: string): SellerRecord {
    const seller = store.accounts.seller(sellerId)
    if (!seller) throw new ApiError('NOT_FOUND', 'Seller not found.')
    return seller
  }

  function own(sellerId: string, offerId: string): OfferRecord {
    const offer = store.offers.find(offerId)
    if (!offer || offer.sellerId !== sellerId) throw new ApiError('NOT_FOUND', 'Offer not found.')
    return offer
  }

  function view(offer: OfferRecord): Offer {
    const product = store.catalogue.row(offer.productId)
    if (!product) throw new Error(`offer ${offer.id} has no product`)
    const { lowPrice, firstOfferId } = store.offers.supplySummary(offer.productId)
    const { id, productId, price, customerPrice, status, stock, sold } = offer
    const { name, platform, region, productType, deliveryType } = product
    return {
      id,
      productId,
      name,
      platform,
      region,
      productType,
      deliveryType,
      price,
      customerPrice,
      commission: {
        ...terms.commission(sellerOf(offer.sellerId), product),
        amount: subtractCents(customerPrice, price),
      },
      currency: CURRENCY,
      status,
      stock,
      sold,
      isCheapest: product.removed === 0 && firstOfferId === id,
      lowestCustomerPrice: lowPrice,
      createdAt: instantText(offer.createdAt),
      updatedAt: instantText(offer.updatedAt),
    }
  }

  function apply(offer: OfferRecord, price: Cents, status: OfferStatus): OfferRecord {
    if (offer.price === price && offer.status === status) return offer
    const seller = sellerOf(offer.sellerId)
    const product = store.catalogue.kindOf(offer.productId)
    if (!product) throw new Error(`offer ${offer.id} has no product`)
    const now = clock.now()
    const changed: OfferRecord = {
      ...offer,
      price,
      customerPrice: terms.customerPrice(price, seller, product),
      status,
      sellable: terms.sellable(status, seller),
      pricedAt: offer.price === price ? offer.pricedAt : now,
      updatedAt: now,
    }
    store.offers.update(changed)
    reachCrashPoint('offer.changed')
    supply.refresh(offer.productId, supply.stamp())
    return changed
  }

  const set: Offers['set'] = (sellerId, offerId, { price, status }) =>
    store.transaction(() => {
      const offer = own(sellerId, offerId)
      return apply(offer, price ?? offer.price, status ?? offer.status)
    })

  return {
    seller: sellerOf,
    own,
    view,
    save: (sellerId, { productId, price, status }) =>
      store.transaction(() => {
        const product = store.catalogue.row(productId)
        if (!product || product.removed === 1) {
          throw new ApiError(
            'PRODUCT_UNAVAILABLE',
            'The product is unknown or left the catalogue.',
            { productId },
          )
        }
        const present = store.offers.findBySeller(sellerId, productId)
        if (present)
          return { created: false, offer: view(apply(present, price, status ?? present.status)) }
        const seller = sellerOf(sellerId)
        const now = clock.now()
        const first = status ?? 'active'
        const offer = store.offers.insert({
          id: ids.next('off'),
          sellerId,
          productId,
          price,
          status: first,
          stock: 0,
          reserved: 0,
          sold: 0,
          customerPrice: terms.customerPrice(price, seller, product),
          sellable: terms.sellable(first, seller),
          pricedAt: now,
          createdAt: now,
          updatedAt: now,
        })
        return { created: true, offer: view(offer) }
      }),
    set,
    change: (sellerId, offerId, body) =>
      store.transaction(() => view(set(sellerId, offerId, body))),
    remove: (sellerId, offerId) =>
      store.transaction(() => {
        const offer = own(sellerId, offerId)
        if (offer.sold > 0 || offer.reserved > 0) return view(apply(offer, offer.price, 'paused'))
        if (offer.stock > 0) throw new ApiError('OFFER_HAS_STOCK')
        store.offers.remove(offer.no, clock.now())
        return null
      }),
  }
}
