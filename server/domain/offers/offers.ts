import { ApiError } from '../../api/errors.ts'
import type { BodyOf } from '../../api/handlers.ts'
import type { Offer } from '../../api/schemas/offer.ts'
import { subtractCents } from '../../api/money.ts'
import { CURRENCY } from '../../api/schemas/enums.ts'
import { type Context, instantText } from '../context.ts'
import type { OfferTerms } from './offer-terms.ts'
import { createOfferWriting, sellerOf } from './offer-writing.ts'
import type { SellerRecord } from '../ports/accounts.ts'
import type { ProductLabels } from '../ports/catalogue.ts'
import type { OfferRecord } from '../ports/selling/offers.ts'
import type { Repositories } from '../ports/repositories.ts'
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

function ownOffer({ offers }: Repositories, sellerId: string, offerId: string): OfferRecord {
  const offer = offers.find(offerId)
  if (!offer || offer.sellerId !== sellerId) throw new ApiError('NOT_FOUND', 'Offer not found.')
  return offer
}

function offerView(store: Repositories, terms: OfferTerms, offer: OfferRecord): Offer {
  const product = store.catalogue.labels(offer.productId)
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
      ...terms.commission(sellerOf(store, offer.sellerId), product),
      amount: subtractCents(customerPrice, price),
    },
    currency: CURRENCY,
    status,
    stock,
    sold,
    isCheapest: product.removed === 0 && firstOfferId === id,
    lowestCustomerPrice: lowPrice,
    ...(product.removed === 1 && { unavailable: true as const }),
    createdAt: instantText(offer.createdAt),
    updatedAt: instantText(offer.updatedAt),
  }
}

/** A product that is in the catalogue. PRODUCT_UNAVAILABLE otherwise. */
function availableProduct({ catalogue }: Repositories, productId: string): ProductLabels {
  const product = catalogue.labels(productId)
  if (!product || product.removed === 1) {
    throw new ApiError('PRODUCT_UNAVAILABLE', 'The product is unknown or left the catalogue.', {
      productId,
    })
  }
  return product
}

/** Sellers' offers (Seller API; Decisions 24 to 27). */
export function createOffers(context: Context, supply: Supply, terms: OfferTerms): Offers {
  const { store, clock } = context
  const { apply, insert } = createOfferWriting(context, supply, terms)
  const view = (offer: OfferRecord): Offer => offerView(store, terms, offer)

  const set: Offers['set'] = (sellerId, offerId, { price, status }) =>
    store.transaction(() => {
      const offer = ownOffer(store, sellerId, offerId)
      return apply(offer, price ?? offer.price, status ?? offer.status)
    })

  return {
    seller: (sellerId) => sellerOf(store, sellerId),
    own: (sellerId, offerId) => ownOffer(store, sellerId, offerId),
    view,
    save: (sellerId, { productId, price, status }) =>
      store.transaction(() => {
        const product = availableProduct(store, productId)
        const present = store.offers.findBySeller(sellerId, productId)
        if (present)
          return { created: false, offer: view(apply(present, price, status ?? present.status)) }
        const offer = insert(sellerId, productId, product, price, status ?? 'active')
        return { created: true, offer: view(offer) }
      }),
    set,
    change: (sellerId, offerId, body) =>
      store.transaction(() => view(set(sellerId, offerId, body))),
    remove: (sellerId, offerId) =>
      store.transaction(() => {
        const offer = ownOffer(store, sellerId, offerId)
        if (offer.sold > 0 || offer.reserved > 0) return view(apply(offer, offer.price, 'paused'))
        if (offer.stock > 0) throw new ApiError('OFFER_HAS_STOCK')
        store.offers.remove(offer.no, clock.now())
        return null
      }),
  }
}
