import { z } from 'zod'
import { batchSchema, keyOriginSchema } from '../keys/batches.ts'
import { accountIdSchema, centsSchema, instantSchema, problemSchema } from '../base.ts'
import { disputeActionKinds, disputeReplySchema, replyOutcomeSchema } from './dispute-replies.ts'
import { localizedSchema } from '../localization/localized.ts'

/** The subject of a dispute, as far as the customer's text shows it. */
export const disputeReasons = [
  'used',
  'invalid',
  'region',
  'edition',
  'login',
  'expired',
  'missing',
  'other',
] as const
export type DisputeReason = (typeof disputeReasons)[number]

/**
 * An action sent from this computer to settle a dispute. `unknown`: sent, but the response was
 * lost; Keydesk finds out the outcome before it does anything else.
 */
export const disputeActionSchema = z.object({
  actionId: z.string(),
  kind: z.enum(disputeActionKinds),
  state: z.enum(['sending', 'unknown', 'refused', 'done']),
  writtenAt: instantSchema,
  settledAt: instantSchema.nullable(),
  problem: problemSchema.nullable(),
})
export type DisputeAction = z.infer<typeof disputeActionSchema>

/**
 * An answer written here that isn't known to be among the messages: in flight, response lost, or
 * rejected.
 */
export const pendingAnswerSchema = z.object({
  answerId: z.string(),
  /**
   * `unknown`: sent, but the response was lost; Keydesk checks whether it is among the messages
   * before it does anything else.
   */
  state: z.enum(['sending', 'unknown', 'refused']),
  writtenAt: instantSchema,
  /** Null while the vault is locked. */
  text: z.string().nullable(),
  problem: problemSchema.nullable(),
})
export type PendingAnswer = z.infer<typeof pendingAnswerSchema>

export const disputeRowSchema = z.object({
  accountId: accountIdSchema,
  disputeId: z.string(),
  saleId: z.string().nullable(),
  offerId: z.string().nullable(),
  orderId: z.string().nullable(),
  keyId: z.string().nullable(),
  productId: z.string().nullable(),
  name: z.string(),
  platform: z.string(),
  region: z.string(),
  deliveryType: z.string(),
  /** The price that the customer paid; null if the sale isn't mirrored. */
  customerCents: centsSchema.nullable(),
  /** `open`, `escalated` or `resolved`; a value not listed here if the service adds one. */
  status: z.string(),
  /** The customer's text; null while the vault is locked, or if the service doesn't report it. */
  reason: z.string().nullable(),
  /** Null until the text was read. */
  reasonKind: z.enum(disputeReasons).nullable(),
  /** Detected language of the customer's text (ISO 639-1); null if unknown. */
  language: z.string().nullable(),
  openedAt: instantSchema.nullable(),
  updatedAt: instantSchema.nullable(),
  /**
   * When it escalates to support unless the seller answers; null if nothing is due or the time is
   * unknown.
   */
  escalatesAt: instantSchema.nullable(),
  resolution: z.object({ type: z.string(), at: instantSchema.nullable() }).nullable(),
  /** Null until its messages were read. */
  messages: z.number().int().nullable(),
  lastAuthor: z.string().nullable(),
  lastMessageAt: instantSchema.nullable(),
  attachments: z.number().int(),
  /** Open, and the last message isn't the seller's. */
  needsAnswer: z.boolean(),
  /** Others wrote messages that weren't shown on this computer. */
  unread: z.boolean(),
  hasDraft: z.boolean(),
  pendingAnswer: z.enum(['sending', 'unknown', 'refused']).nullable(),
  pendingAction: z.enum(['sending', 'unknown', 'refused']).nullable(),
  /** A reply that a person sent and that isn't complete. */
  pendingReply: z.enum(['held', 'sending', 'failed']).nullable(),
  /** An answer to it is queued in the outbox. */
  waits: z.boolean(),
  /**
   * Snoozed until this time or until something new is written. Stored only on this computer, like
   * `mine` and `done`.
   */
  snoozedUntil: instantSchema.nullable(),
  mine: z.boolean(),
  /** Nothing to do until something new arrives. */
  done: z.boolean(),
  seenAt: instantSchema,
})
export type DisputeRow = z.infer<typeof disputeRowSchema>

/** `inbox`: all that are not resolved, snoozed or done. */
export const disputeViews = [
  'inbox',
  'needs-answer',
  'waiting',
  'escalated',
  'mine',
  'snoozed',
  'done',
  'resolved',
  'all',
] as const
export type DisputeView = (typeof disputeViews)[number]
/**
 * `urgency`: disputes that need an answer by time left, then those waiting for the customer, then
 * those with support, then resolved ones.
 */
export const disputeSortColumns = ['urgency', 'opened', 'updated', 'escalates', 'name'] as const

const disputeMessageSchema = z.object({
  /** Counted from 0, oldest first. */
  position: z.number().int(),
  /** `customer`, `seller` or `support`; a value not listed here if the service adds one. */
  author: z.string().nullable(),
  /** Null while the vault is locked or until the text is read again. */
  body: z.string().nullable(),
  /** Whether this computer sent the seller's message; null if that isn't known. */
  own: z.boolean().nullable(),
  at: instantSchema.nullable(),
  attachments: z.array(
    z.object({ index: z.number().int(), contentType: z.string(), bytes: z.number().int() }),
  ),
})

/** Disputes about the keys of one import batch. */
export const batchDisputesSchema = batchSchema.pick({
  batchId: true,
  importId: true,
  name: true,
  supplier: true,
  keys: true,
  claimed: true,
  replaced: true,
  forSale: true,
  offerId: true,
  offerName: true,
})
export type BatchDisputes = z.infer<typeof batchDisputesSchema>

/** The key that a dispute is about, in the form in which it can be shown. */
const claimedKeySchema = z.object({
  masked: z.string(),
  /** Null if the last characters would reveal too much. */
  last4: z.string().nullable(),
  /**
   * `vault`: stored by a withdrawal on this computer. `upload`: recorded when this computer
   * uploaded it. `replacement`: typed here. `message`: found in the messages, with the fingerprint
   * of the sold key.
   */
  from: z.enum(['vault', 'upload', 'replacement', 'message']),
  /** Its place in the vault, the only place where it can be revealed. */
  held: z.object({ withdrawalId: z.string(), position: z.number().int() }).nullable(),
})
export type DisputedKey = z.infer<typeof claimedKeySchema>

export const disputeDetailSchema = disputeRowSchema.extend({
  /** Oldest first. */
  conversation: z.array(disputeMessageSchema),
  /** When the messages were last read from the service; null before the first time. */
  readAt: instantSchema.nullable(),
  draft: z
    .object({
      text: z.string().nullable(),
      writtenAt: instantSchema,
      outcome: replyOutcomeSchema,
      /** The outcome that the template promises in the text. */
      promise: replyOutcomeSchema.nullable(),
    })
    .nullable(),
  /** Replies that aren't complete, oldest first. */
  replies: z.array(disputeReplySchema),
  pending: z.array(pendingAnswerSchema),
  /**
   * Answers queued in the outbox. `held`: the dispute on the service changed after they were
   * written.
   */
  waiting: z.array(
    z.object({
      entryId: z.string(),
      text: z.string().nullable(),
      writtenAt: instantSchema,
      held: z.boolean(),
      reason: localizedSchema.nullable(),
    }),
  ),
  /** Actions sent from this computer to settle it, oldest first. */
  actions: z.array(disputeActionSchema),
  /** The vault is locked: texts aren't shown. */
  locked: z.boolean(),
  /** The mirrored sale; null if it isn't mirrored. */
  sale: z
    .object({
      saleId: z.string(),
      priceCents: centsSchema.nullable(),
      customerCents: centsSchema.nullable(),
      status: z.string(),
      held: z.boolean(),
      soldAt: instantSchema.nullable(),
      releaseAt: instantSchema.nullable(),
    })
    .nullable(),
  /** The offer it was sold from; null if it isn't mirrored or was removed. */
  offer: z
    .object({
      offerId: z.string(),
      status: z.string(),
      stock: z.number().int(),
      priceCents: centsSchema,
    })
    .nullable(),
  /**
   * Batches with an alarm that have keys in the offer's stock, worst first. A replacement from
   * stock could be one of these keys: the service takes the oldest.
   */
  alarmsInStock: z.array(batchDisputesSchema),
  /** Null if it isn't known which key was sold, or if it wasn't uploaded from this computer. */
  origin: keyOriginSchema.nullable(),
  /**
   * Null if it isn't known which key was sold, if only its fingerprint is known, and while the
   * vault is locked.
   */
  key: claimedKeySchema.nullable(),
  /**
   * Other known disputes: on the same product, on the same order, and on keys of the same batch
   * (this dispute included).
   */
  earlier: z.object({
    product: z.number().int(),
    productReplaced: z.number().int(),
    order: z.number().int(),
    batch: batchDisputesSchema.nullable(),
  }),
})
export type DisputeDetail = z.infer<typeof disputeDetailSchema>

/** What a replacement or refund would change, from mirrored data; null for what isn't known. */
export const disputeEffectsSchema = z.object({
  kind: z.enum(disputeActionKinds),
  /** Keys of the offer now and after. */
  stock: z.object({ before: z.number().int(), after: z.number().int() }).nullable(),
  /** Amount the customer gets back. */
  refundCents: centsSchema.nullable(),
  /** The sale and the amount it pays the seller, before and after. */
  sale: z
    .object({ saleId: z.string(), status: z.string(), priceCents: centsSchema.nullable() })
    .nullable(),
  /** The part of the seller's balance that changes. */
  balance: z
    .object({
      part: z.enum(['pending', 'available']),
      beforeCents: centsSchema,
      afterCents: centsSchema,
    })
    .nullable(),
  /** Text to type as confirmation in LIVE; null if none is needed. */
  typed: z.string().nullable(),
  /** Why the action isn't possible now; null if it is. */
  obstacle: z.enum(['resolved', 'no-stock', 'no-offer', 'batch-alarm', 'under-way']).nullable(),
})
export type DisputeEffects = z.infer<typeof disputeEffectsSchema>

/** The check of a typed replacement key. `blocked`: the service would reject it. */
export const keyVerdictSchema = z.object({
  blocked: z.boolean(),
  /**
   * `claimed`: a customer dispute is about this key. `uploaded`, `sent`: from this computer, for
   * the same product.
   */
  findings: z.array(
    z.enum([
      'blank',
      'too-long',
      'control-characters',
      'spreadsheet-damage',
      'cleaned',
      'confusable',
      'odd-shape',
      'uploaded',
      'sent',
      'claimed',
    ]),
  ),
})
export type KeyCheck = z.infer<typeof keyVerdictSchema>

/** Fields that a template can contain, in braces. */
export const templateFields = [
  'product',
  'platform',
  'order',
  'sale',
  'dispute',
  'last4',
  'days',
  'shop',
] as const
export type TemplateField = (typeof templateFields)[number]

/** A template for frequent answers. */
export const disputeTemplateSchema = z.object({
  templateId: z.string(),
  name: z.string().trim().min(1).max(80),
  /** Reasons of the disputes it fits; empty means all. */
  reasons: z.array(z.enum(disputeReasons)),
  /** The promise of the text to the customer; sent together with it. */
  outcome: replyOutcomeSchema.default('reply'),
  /** Texts by language (ISO 639-1). */
  bodies: z.record(z.string().regex(/^[a-z]{2}$/), z.string().max(5000)),
})
export type DisputeTemplate = z.infer<typeof disputeTemplateSchema>

/** A template with its fields filled in. */
export const filledTemplateSchema = z.object({
  text: z.string(),
  language: z.string(),
  /** Fields without a known value: they stay in the text unfilled. */
  missing: z.array(z.enum(templateFields)),
  /** The same text in parts: filled-in fields (`field`, `known`) and the text between them. */
  parts: z.array(
    z.object({ text: z.string(), field: z.enum(templateFields).nullable(), known: z.boolean() }),
  ),
})
export type FilledTemplate = z.infer<typeof filledTemplateSchema>

/** Filter of a dispute list. */
export const disputeFilterSchema = z.object({
  view: z.enum(disputeViews).default('inbox'),
  /** Parts of an id or of the product's name, in any order. */
  query: z.string().max(200).default(''),
  unread: z.boolean().default(false),
  reasons: z.array(z.enum(disputeReasons)).default([]),
  languages: z.array(z.string()).default([]),
})
export type DisputeFilter = z.infer<typeof disputeFilterSchema>

/** Totals of the disputes that share one property. */
const reportRow = z.object({
  key: z.string(),
  name: z.string(),
  claims: z.number().int(),
  replaced: z.number().int(),
  refunded: z.number().int(),
  rejected: z.number().int(),
  open: z.number().int(),
})
export const disputeReportSchema = z.object({
  claims: z.number().int(),
  /** Milliseconds from opening to the first answer; null if none was answered. */
  answer: z.object({
    medianMs: z.number().nullable(),
    p90Ms: z.number().nullable(),
    answered: z.number().int(),
    bars: z.array(z.object({ upToHours: z.number().nullable(), claims: z.number().int() })),
  }),
  outcome: z.object({
    replaced: z.number().int(),
    refunded: z.number().int(),
    rejected: z.number().int(),
    open: z.number().int(),
    escalated: z.number().int(),
  }),
  /** All disputes of the period; each list adds up to it. */
  total: reportRow,
  /** Disputes opened over the period, oldest first; `to` is exclusive. */
  trend: z.array(z.object({ from: instantSchema, to: instantSchema, claims: z.number().int() })),
  /** The largest rows of each property; the other ones are one more row with the key `others`. */
  byReason: z.array(reportRow),
  byProduct: z.array(reportRow),
  byBatch: z.array(reportRow),
  bySupplier: z.array(reportRow),
})
export type DisputeReport = z.infer<typeof disputeReportSchema>
