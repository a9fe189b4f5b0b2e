import type { Cents } from '../../api/money.ts'
import type {
  CommissionClass,
  DeliveryType,
  OfferStatus,
  ProductType,
} from '../../api/schemas/enums.ts'
import type { Context } from '../context.ts'
import type { SellerRecord } from '../ports/accounts.ts'
import type { OfferRecord } from '../ports/selling/offers.ts'
import { commissionClassOf, customerPriceUnder } from './pricing.ts'

type Kind = { productType: ProductType; deliveryType: DeliveryType }

export interface OfferTerms {
  /** A seller's commission on a product. */
  commission(seller: SellerRecord, product: Kind): { class: CommissionClass; percent: number }
  customerPrice(price: Cents, seller: SellerRecord, product: Kind): Cents
  /** Whether an offer with this status is for sale. Offers of an inactive seller aren't. */
  sellable(status: OfferStatus, seller: SellerRecord): boolean
  /**
   * Recalculates customer price and sellability after the seller's terms or status or the product's
   * kind changed.
   */
  reprice(offer: OfferRecord): void
}

/** Applies a seller's terms to its offers (Decision 3). */
export function createOfferTerms({ store }: Context): OfferTerms {
  const terms: OfferTerms = {
    commission(seller, product) {
      const name = commissionClassOf(product)
      return { class: name, percent: seller.commission[name] }
    },
    customerPrice: (price, seller, product) =>
      customerPriceUnder(price, seller.commission, product),
    sellable: (status, seller) => status === 'active' && seller.status === 'active',
    reprice(offer) {
      const seller = store.accounts.seller(offer.sellerId)
      const product = store.catalogue.labels(offer.productId)
      if (!seller || !product) throw new Error(`offer ${offer.id} has no seller or product`)
      store.offers.update({
        ...offer,
        customerPrice: terms.customerPrice(offer.price, seller, product),
        sellable: terms.sellable(offer.status, seller),
      })
    },
  }
  return terms
}
