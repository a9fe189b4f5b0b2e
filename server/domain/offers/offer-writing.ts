import { ApiError } from '../../api/errors.ts'
import type { Cents } from '../../api/money.ts'
import type { OfferStatus } from '../../api/schemas/enums.ts'
import type { Context } from '../context.ts'
import { reachCrashPoint } from '../crash-points.ts'
import type { SellerRecord } from '../ports/accounts.ts'
import type { ProductLabels } from '../ports/catalogue.ts'
import type { OfferRecord } from '../ports/selling/offers.ts'
import type { Repositories } from '../ports/repositories.ts'
import type { Supply } from '../catalogue/supply.ts'
import type { OfferTerms } from './offer-terms.ts'

/** Writes of offers. Call them inside a transaction. */
export interface OfferWriting {
  /** Adds an offer without stock. */
  insert(
    sellerId: string,
    productId: string,
    product: ProductLabels,
    price: Cents,
    status: OfferStatus,
  ): OfferRecord
  /** Changes price and status, and what follows from them. Returns the changed offer. */
  apply(offer: OfferRecord, price: Cents, status: OfferStatus): OfferRecord
}

/** NOT_FOUND when there is no such seller. */
export function sellerOf({ accounts }: Repositories, sellerId: string): SellerRecord {
  const seller = accounts.seller(sellerId)
  if (!seller) throw new ApiError('NOT_FOUND', 'Seller not found.')
  return seller
}

export function createOfferWriting(
  { store, clock, ids }: Context,
  supply: Supply,
  terms: OfferTerms,
): OfferWriting {
  return {
    apply(offer: OfferRecord, price: Cents, status: OfferStatus): OfferRecord {
      if (offer.price === price && offer.status === status) return offer
      const seller = sellerOf(store, offer.sellerId)
      const product = store.catalogue.labels(offer.productId)
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
    },

    insert(sellerId, productId, product, price, status) {
      const seller = sellerOf(store, sellerId)
      const now = clock.now()
      return store.offers.insert({
        id: ids.next('off'),
        sellerId,
        productId,
        price,
        status,
        stock: 0,
        reserved: 0,
        sold: 0,
        customerPrice: terms.customerPrice(price, seller, product),
        sellable: terms.sellable(status, seller),
        pricedAt: now,
        createdAt: now,
        updatedAt: now,
      })
    },
  }
}
