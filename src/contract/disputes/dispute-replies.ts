import { z } from 'zod'
import { accountIdSchema, centsSchema, instantSchema, problemSchema } from '../base.ts'

/**
 * How a seller settles a dispute: with the oldest key in the offer's stock, with a key the seller
 * types in, or with a refund.
 */
export const disputeActionKinds = ['replace-stock', 'replace-key', 'refund'] as const
export type DisputeActionKind = (typeof disputeActionKinds)[number]

/**
 * What a person sends to a customer: an answer alone, with a key from stock, with a typed key, with
 * a refund, or as the last one (`close` marks the dispute as done on this computer).
 */
export const replyOutcomes = ['reply', ...disputeActionKinds, 'close'] as const
export type ReplyOutcome = (typeof replyOutcomes)[number]
export const replyOutcomeSchema = z.enum(replyOutcomes)

/** The dispute's state that a person saw when deciding. */
export const disputeSeenSchema = z.object({
  status: z.string(),
  messages: z.number().int().nullable(),
})
export type DisputeSeen = z.infer<typeof disputeSeenSchema>

/**
 * An answer that a person sent, with its action. `held`: it can still be undone. `sending`: parts of
 * it may be done. `answered`: its answer was sent, also of a `held` one that is retried. `problem`:
 * why it `failed`.
 */
export const disputeReplySchema = z.object({
  replyId: z.string(),
  bulkId: z.string().nullable(),
  accountId: accountIdSchema,
  disputeId: z.string(),
  name: z.string(),
  outcome: replyOutcomeSchema,
  state: z.enum(['held', 'sending', 'done', 'failed']),
  answered: z.boolean(),
  /** Null while the vault is locked. */
  text: z.string().nullable(),
  /** Milliseconds until it is sent; 0 if it waits for the vault or the connection. */
  leftMs: z.number().int(),
  problem: problemSchema.nullable(),
})
export type DisputeReply = z.infer<typeof disputeReplySchema>

/** Outcomes that fit several disputes: a typed key fits only one. */
export const bulkOutcomes = ['reply', 'replace-stock', 'refund', 'close'] as const

/** One reply to several disputes, as a person confirms it. */
export const bulkReplyPlanSchema = z.object({
  /** Identifies all that is confirmed; sending fails if a new plan differs. */
  planId: z.string(),
  outcome: replyOutcomeSchema,
  /** The replies, most urgent first. */
  lines: z.array(
    z.object({
      disputeId: z.string(),
      name: z.string(),
      platform: z.string(),
      region: z.string(),
      deliveryType: z.string(),
      orderId: z.string().nullable(),
      language: z.string().nullable(),
      text: z.string(),
      refundCents: centsSchema.nullable(),
      seen: disputeSeenSchema,
    }),
  ),
  leftOut: z.array(
    z.object({
      disputeId: z.string(),
      name: z.string(),
      reason: z.enum([
        'not-found',
        'resolved',
        'in-progress',
        'batch-alarm',
        'no-offer',
        'no-stock',
        'unknown-amount',
        'no-text',
        'missing-field',
      ]),
    }),
  ),
  /** Offers whose keys are sent, with their stock before and after. */
  stock: z.array(
    z.object({
      offerId: z.string(),
      name: z.string(),
      platform: z.string(),
      region: z.string(),
      deliveryType: z.string(),
      before: z.number().int(),
      after: z.number().int(),
    }),
  ),
  /** All refunds together. */
  refundCents: centsSchema,
  keys: z.number().int(),
  /** Words to type as confirmation in LIVE; null if none are needed. */
  typed: z.string().nullable(),
})
export type BulkReplyPlan = z.infer<typeof bulkReplyPlanSchema>

/** A bulk reply with the result of each line. */
export const bulkReplySchema = z.object({
  bulkId: z.string(),
  outcome: replyOutcomeSchema,
  writtenAt: instantSchema,
  lines: z.array(
    disputeReplySchema.extend({
      platform: z.string(),
      region: z.string(),
      deliveryType: z.string(),
      orderId: z.string().nullable(),
      refundCents: centsSchema.nullable(),
    }),
  ),
  /**
   * The effects of a retry; `typed` confirms it in LIVE. It leaves out failed lines that were
   * dismissed, whose dispute was resolved or has a reply in progress, or whose refund isn't known.
   * `planId` identifies these effects and the messages of the disputes.
   */
  retry: z.object({
    planId: z.string(),
    count: z.number().int(),
    refundCents: centsSchema,
    keys: z.number().int(),
    typed: z.string().nullable(),
  }),
})
export type BulkReply = z.infer<typeof bulkReplySchema>
