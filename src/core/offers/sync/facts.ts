import { type Cents, subtractCents, ZERO } from '../../../../server/api/money.ts'
import type { ResponseBody } from '../../../../server/api/handlers.ts'
import type { KnownProduct } from '../../catalogue/catalogue.ts'
import { instantOf } from '../../mirror/mirror.ts'

export type ServiceOffer = ResponseBody<'getOffer'>

/**
 * One offer as the service reports it, in the form of the mirror. Cents, milliseconds; null if the
 * service doesn't report a value.
 */
export type OfferFacts = {
  offerId: string
  productId: string | null
  name: string
  platform: string
  region: string
  productType: string
  deliveryType: string
  priceCents: Cents
  customerCents: Cents
  commission: { class: string; percent: number } | null
  status: string
  stock: number
  sold: number | null
  isCheapest: boolean | null
  lowestCustomerCents: Cents | null
  /** Its product left the catalogue (Decision 45). It then has no lead. */
  unavailable?: true
  updatedAt: number | null
}

/**
 * An offer of the Seller API. Only id, prices, status and stock are guaranteed (Decision 33).
 * Missing fields come from the catalogue's product; if no name is known, it is the product's or the
 * offer's id.
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
    isCheapest: offer.unavailable === true ? null : (offer.isCheapest ?? null),
    lowestCustomerCents: offer.unavailable === true ? null : (offer.lowestCustomerPrice ?? null),
    ...(offer.unavailable === true && { unavailable: true }),
    updatedAt: instantOf(offer.updatedAt),
  }
}

/**
 * How far below the lowest customer price an offer is, in cents: 0 while it leads, negative while
 * behind; null while it can't sell or the lowest price is unknown.
 */
export function leadOf(
  offer: Pick<
    OfferFacts,
    'status' | 'stock' | 'isCheapest' | 'lowestCustomerCents' | 'customerCents'
  >,
): Cents | null {
  if (offer.status === 'paused' || offer.stock === 0) return null
  if (offer.isCheapest === true) return ZERO
  return offer.lowestCustomerCents === null
    ? null
    : subtractCents(offer.lowestCustomerCents, offer.customerCents)
}
