import type { AnswerBody } from '../../../server/api/handlers.ts'
import type { KnownProduct } from '../catalogue/catalogue.ts'
import { instantOf } from '../mirror/mirror.ts'

export type ServiceOffer = AnswerBody<'getOffer'>

/**
 * What an answer tells of one offer, as the mirror keeps it. Cents, milliseconds; null where the
 * service doesn't tell.
 */
export type OfferFacts = {
  offerId: string
  productId: string | null
  name: string
  platform: string
  region: string
  productType: string
  deliveryType: string
  priceCents: number
  customerCents: number
  commission: { class: string; percent: number } | null
  status: string
  stock: number
  sold: number | null
  isCheapest: boolean | null
  lowestCustomerCents: number | null
  updatedAt: number | null
}

/**
 * An offer of the Seller API. Only id, prices, status and stock are certain (Decision 33): what
 * else is missing comes from the catalogue's product, and a name that nobody tells is the product's
 * or the offer's id.
 */
export function offerFacts(offer: ServiceOffer, product: KnownProduct | undefined): OfferFacts {
  return {
    offerId: offer.id,
    productId: offer.productId ?? null,
    name: offer.name ?? product?.name ?? offer.productId ?? offer.id,
    platform: offer.platform ?? product?.platform ?? '',
    region: offer.region ?? product?.region ?? '',
    productType: offer.productType ?? product?.productType ?? '',
    deliveryType: offer.deliveryType ?? product?.deliveryType ?? '',
    priceCents: offer.price,
    customerCents: offer.customerPrice,
    commission:
      offer.commission === undefined
        ? null
        : { class: offer.commission.class, percent: offer.commission.percent },
    status: offer.status,
    stock: offer.stock,
    sold: offer.sold ?? null,
    isCheapest: offer.isCheapest ?? null,
    lowestCustomerCents: offer.lowestCustomerPrice ?? null,
    updatedAt: instantOf(offer.updatedAt),
  }
}

/**
 * How far below the lowest customer price an offer is, in cents: 0 while it leads, negative while
 * behind; null while it can't sell or nobody knows.
 */
export function leadOf(
  offer: Pick<
    OfferFacts,
    'status' | 'stock' | 'isCheapest' | 'lowestCustomerCents' | 'customerCents'
  >,
): number | null {
  if (offer.status === 'paused' || offer.stock === 0) return null
  if (offer.isCheapest === true) return 0
  return offer.lowestCustomerCents === null ? null : offer.lowestCustomerCents - offer.customerCents
}
