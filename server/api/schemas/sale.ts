/**
 * Sales and the seller's balance (Decision 30). The document shows neither body, so no fields are
 * required.
 */
import { z } from 'zod'
import {
  amount,
  date,
  envelope,
  fingerprint,
  listOf,
  dateTime,
  orNull,
  resource,
  closedList,
  label,
} from './resource.ts'
import { saleStatuses } from './enums.ts'

export const sale = resource(
  {},
  {
    id: z.string(),
    offerId: z.string(),
    productId: z.string(),
    name: label,
    orderId: z.string(),
    keyId: z.string(),
    price: amount,
    customerPrice: amount,
    status: closedList(saleStatuses),
    soldAt: dateTime,
    releaseAt: orNull(dateTime),
    releasedAt: orNull(dateTime),
    /** SHA-256 of the trimmed key as uploaded. */
    keySha256: fingerprint,
  },
)
export const salePage = envelope(sale)

export const sellerBalance = resource(
  {},
  {
    currency: z.string(),
    pending: amount,
    /** Negative after a refund of a released sale. */
    available: amount,
    /** By day, oldest first. */
    upcomingReleases: listOf(resource({ date, amount, sales: z.int() })),
  },
)
