/** Offers, stock and the seller's view of the catalogue (Seller API, Decisions 24 to 29). */
import { z } from 'zod'
import { euroAmountBetween } from '../money.ts'
import { amount, envelope, dateTime, orNull, resource, closedList, label } from './resource.ts'
import { oneOf, text } from './values.ts'
import { commissionClasses, deliveryTypes, offerStatuses, productTypes } from './enums.ts'
import { pageQuery } from './paging.ts'

/** A seller's price in cents: EUR 0.01 to 100,000 (Decision 27). */
export const sellerPriceBounds = { min: 1, max: 10_000_000 } as const

const sellerPrice = euroAmountBetween(sellerPriceBounds.min, sellerPriceBounds.max)

const commissionTerms = { class: closedList(commissionClasses), percent: z.number() }

/** GET /me (Decision 25). The document shows no body, so no fields are required. */
export const seller = resource(
  {},
  {
    sellerId: z.string(),
    name: label,
    status: z.string(),
    currency: z.string(),
    commissions: {
      strict: z.array(resource(commissionTerms).strict),
      tolerant: z.array(resource(commissionTerms).tolerant),
    },
    idempotency: z.boolean(),
  },
)

/** A catalogue product in the sellers' view (Decision 26). */
export const sellerProduct = resource(
  { productId: z.string() },
  {
    name: label,
    platform: label,
    region: label,
    productType: closedList(productTypes),
    deliveryType: closedList(deliveryTypes),
    shopPrice: orNull(amount),
    bestSellerPrice: orNull(amount),
    commission: resource(commissionTerms),
  },
)
export const sellerProductPage = envelope(sellerProduct)
export const sellerProductQuery = pageQuery.extend({
  search: text.min(2, 'must have at least 2 characters').optional(),
})

/** An offer (Decision 27). The document names id, price, customerPrice, status and stock. */
export const offer = resource(
  {
    id: z.string(),
    price: amount,
    customerPrice: amount,
    status: closedList(offerStatuses),
    stock: z.int(),
  },
  {
    productId: z.string(),
    name: label,
    platform: label,
    region: label,
    productType: closedList(productTypes),
    deliveryType: closedList(deliveryTypes),
    commission: resource({ ...commissionTerms, amount }),
    currency: z.string(),
    sold: z.int(),
    isCheapest: z.boolean(),
    lowestCustomerPrice: orNull(amount),
    /** Present if the product left the catalogue, so that no one can buy it (Decision 45). */
    unavailable: z.literal(true).optional(),
    createdAt: dateTime,
    updatedAt: dateTime,
  },
)
export type Offer = z.output<typeof offer.strict>

export const offerPage = envelope(offer)
export const offerQuery = pageQuery.extend({ status: oneOf(offerStatuses).optional() })

/**
 * Body of POST /offers: creates the seller's offer for a product, or updates it. Like every body
 * that changes an offer or moves keys, it refuses unknown fields (Decision 37).
 */
export const offerRequest = z.strictObject({
  productId: z.string(),
  price: sellerPrice,
  status: oneOf(offerStatuses).optional(),
})
export const savedOffer = resource({ created: z.boolean(), offer })

/** Body of PATCH /offers/{id}: price, status, or both. */
export const offerChange = z
  .strictObject({ price: sellerPrice.optional(), status: oneOf(offerStatuses).optional() })
  .refine(
    (change) => change.price !== undefined || change.status !== undefined,
    'must have a price, a status, or both',
  )

/**
 * Body of POST …/keys: 1 to 1000 values. The rules for each value (trimming, length, control
 * characters, pictures; Decision 28) depend on the product, so the domain checks them. No message
 * ever contains the value.
 */
export const keyUpload = z.strictObject({
  keys: z
    .array(z.string())
    .min(1, 'must have at least 1 key')
    .max(1000, 'must have at most 1000 keys'),
})
export const uploadResult = resource({ added: z.int(), duplicates: z.int(), stock: z.int() })

/** Body of POST …/withdraw: how many units; all if omitted. */
export const withdrawal = z.strictObject({ count: z.int().min(1, 'must be at least 1').optional() })
/**
 * The withdrawn keys, oldest first. The document only says that they are returned as plain text, so
 * only `keys` is required: an answer without them is another program's, and settles nothing.
 */
export const withdrawnKeys = resource(
  { keys: z.array(z.string()) },
  { count: z.int(), stock: z.int() },
)
