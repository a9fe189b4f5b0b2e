/** Disputes, their messages and how a seller settles them (Decision 31). */
import { z } from 'zod'
import {
  envelope,
  fingerprint,
  listOf,
  dateTime,
  orNull,
  resource,
  closedList,
  label,
} from './resource.ts'
import { oneOf } from './values.ts'
import { contentTypes, disputeStatuses, messageAuthors, resolutionTypes } from './enums.ts'
import { pageQuery } from './paging.ts'

/** The documents name only messages and status; all other fields of a dispute are additions. */
const named = { status: closedList(disputeStatuses) }
const added = {
  id: z.string(),
  saleId: z.string(),
  offerId: z.string(),
  orderId: z.string(),
  keyId: z.string(),
  productId: z.string(),
  name: label,
  reason: z.string(),
  openedAt: dateTime,
  updatedAt: dateTime,
  escalatesAt: orNull(dateTime),
  keySha256: fingerprint,
  resolution: orNull(resource({ type: closedList(resolutionTypes), at: dateTime })),
}

export const message = resource(
  {},
  {
    id: z.string(),
    author: closedList(messageAuthors),
    body: z.string(),
    createdAt: dateTime,
    attachments: listOf(resource({ contentType: closedList(contentTypes), value: z.string() })),
  },
)

/** A dispute in a list. */
export const dispute = resource(named, added)
export const disputePage = envelope(dispute)
export const disputeQuery = pageQuery.extend({ status: oneOf(disputeStatuses).optional() })

/** One dispute with its messages, oldest first. */
export const disputeWithMessages = resource({ ...named, messages: listOf(message) }, added)

const messageBody = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(10_000, 'must have at most 10000 characters')

export const messageRequest = z.strictObject({ body: messageBody })

/**
 * Body of POST …/replace: a key, or the oldest unit of the offer's stock; exactly one of the two.
 */
export const replacementRequest = z
  .strictObject({
    key: z.string().optional(),
    fromStock: z.literal(true, 'must be true').optional(),
  })
  .refine(
    (body) => (body.key === undefined) !== (body.fromStock === undefined),
    'must have either key or fromStock',
  )

/** POST /dashboard/disputes/{id}/messages: a message from the customer or from support. */
export const outsideMessageRequest = z.object({
  author: oneOf(['customer', 'support']),
  body: messageBody,
})

export const reasonRequest = z.object({ reason: z.string().max(2000).optional() })
