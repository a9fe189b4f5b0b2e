import { z } from 'zod'
import { batchSchema, keyOriginSchema } from './batches.ts'
import { accountIdSchema, centsSchema, instantSchema, problemSchema } from './base.ts'

/** What a claim is about, as far as the customer's words tell. */
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
 * How a seller settles a dispute: with the oldest key of the offer's stock, with a key that is
 * typed in, or by paying back.
 */
export const disputeActionKinds = ['replace-stock', 'replace-key', 'refund'] as const
export type DisputeActionKind = (typeof disputeActionKinds)[number]

/**
 * What was done to settle a dispute from this desk. `unknown`: sent, and the answer got lost;
 * Keydesk finds out before anything else happens.
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
 * What was written here and isn't known to be among the messages: on its way, its answer lost, or
 * refused.
 */
export const pendingAnswerSchema = z.object({
  answerId: z.string(),
  /**
   * `unknown`: sent, and the answer got lost; Keydesk looks whether it is among the messages before
   * anything else happens.
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
  /** `open`, `escalated`, `resolved`; another word when the service has a new one. */
  status: z.string(),
  /** The customer's words; null while the vault is locked, or when the service doesn't tell. */
  reason: z.string().nullable(),
  /** Null until its words were read. */
  reasonKind: z.enum(disputeReasons).nullable(),
  /** Language of the customer's words as ISO 639-1, as far as it shows; null unknown. */
  language: z.string().nullable(),
  openedAt: instantSchema.nullable(),
  updatedAt: instantSchema.nullable(),
  /**
   * When it goes to support unless the seller answers; null when nothing is due or nobody knows.
   */
  escalatesAt: instantSchema.nullable(),
  resolution: z.object({ type: z.string(), at: instantSchema.nullable() }).nullable(),
  /** Null until its messages were read. */
  messages: z.number().int().nullable(),
  lastAuthor: z.string().nullable(),
  lastMessageAt: instantSchema.nullable(),
  attachments: z.number().int(),
  /** Open, and the last word is not the seller's. */
  needsAnswer: z.boolean(),
  /** There are messages of others that were not shown on this desk. */
  unread: z.boolean(),
  hasDraft: z.boolean(),
  pendingAnswer: z.enum(['sending', 'unknown', 'refused']).nullable(),
  pendingAction: z.enum(['sending', 'unknown', 'refused']).nullable(),
  /** An answer to it waits in the outbox. */
  waits: z.boolean(),
  /**
   * Put off until then, or until something new is written; known on this desk alone, as `mine` and
   * `done` are.
   */
  snoozedUntil: instantSchema.nullable(),
  mine: z.boolean(),
  /** Nothing is left to do until something new comes in. */
  done: z.boolean(),
  seenAt: instantSchema,
})
export type DisputeRow = z.infer<typeof disputeRowSchema>

/** `inbox`: all that are not resolved, put off or done. */
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
 * `urgency`: what needs an answer first, by time left; then what waits for the customer, then what
 * support has, then resolved ones.
 */
export const disputeSortColumns = ['urgency', 'opened', 'updated', 'escalates', 'name'] as const

const disputeMessageSchema = z.object({
  /** Counted from 0, oldest first. */
  position: z.number().int(),
  /** `customer`, `seller`, `support`; another word when the service has a new one. */
  author: z.string().nullable(),
  /** Null while the vault is locked or the text has yet to be read again. */
  body: z.string().nullable(),
  at: instantSchema.nullable(),
  attachments: z.array(
    z.object({ index: z.number().int(), contentType: z.string(), bytes: z.number().int() }),
  ),
})

/** Claims on the keys of one import batch. */
export const batchClaimsSchema = batchSchema.pick({
  batchId: true,
  name: true,
  supplier: true,
  keys: true,
  claimed: true,
  replaced: true,
  offerId: true,
  offerName: true,
})
export type BatchClaims = z.infer<typeof batchClaimsSchema>

/** The key that a dispute is about, as it may be shown. */
const claimedKeySchema = z.object({
  masked: z.string(),
  /** Null where it would tell too much. */
  last4: z.string().nullable(),
  /**
   * `vault`: a withdrawal of this desk keeps it; `upload`: as it was when this desk uploaded it;
   * `replacement`: as it was typed here; `message`: it stands in the messages, and its fingerprint
   * is that of the key which was sold.
   */
  from: z.enum(['vault', 'upload', 'replacement', 'message']),
  /** Where the vault keeps it: only there it can be revealed. */
  held: z.object({ withdrawalId: z.string(), position: z.number().int() }).nullable(),
})
export type ClaimedKey = z.infer<typeof claimedKeySchema>

export const disputeDetailSchema = disputeRowSchema.extend({
  /** Oldest first. */
  conversation: z.array(disputeMessageSchema),
  /** When the messages were last read from the service; null before the first time. */
  readAt: instantSchema.nullable(),
  draft: z.object({ text: z.string().nullable(), writtenAt: instantSchema }).nullable(),
  pending: z.array(pendingAnswerSchema),
  /**
   * Answers that wait in the outbox; `held`: the service says something else than when they were
   * written.
   */
  waiting: z.array(
    z.object({
      entryId: z.string(),
      text: z.string().nullable(),
      writtenAt: instantSchema,
      held: z.boolean(),
      reason: z.string().nullable(),
    }),
  ),
  /** What was done from this desk to settle it, oldest first. */
  actions: z.array(disputeActionSchema),
  /** The vault is locked: texts are not shown. */
  locked: z.boolean(),
  /** The sale as mirrored; null while it isn't. */
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
  /** The offer it was sold from; null while it isn't mirrored, or is gone. */
  offer: z
    .object({
      offerId: z.string(),
      status: z.string(),
      stock: z.number().int(),
      priceCents: centsSchema,
    })
    .nullable(),
  /** Null where nobody told which key was sold, or it was not uploaded from this desk. */
  origin: keyOriginSchema.nullable(),
  /**
   * Null where nobody told which key was sold, where this desk knows nothing of it but its
   * fingerprint, and while the vault is locked.
   */
  key: claimedKeySchema.nullable(),
  /**
   * Other claims that this desk knows: on the same product, the same order, and on keys of the same
   * batch, this one included.
   */
  earlier: z.object({
    product: z.number().int(),
    productReplaced: z.number().int(),
    order: z.number().int(),
    batch: batchClaimsSchema.nullable(),
  }),
})
export type DisputeDetail = z.infer<typeof disputeDetailSchema>

/** What replacing or refunding would do, from what is mirrored; null where it isn't known. */
export const disputeEffectsSchema = z.object({
  kind: z.enum(disputeActionKinds),
  /** Keys of the offer now and after. */
  stock: z.object({ before: z.number().int(), after: z.number().int() }).nullable(),
  /** Goes back to the customer. */
  refundCents: centsSchema.nullable(),
  /** The sale and what it brings the seller, before and after. */
  sale: z
    .object({ saleId: z.string(), status: z.string(), priceCents: centsSchema.nullable() })
    .nullable(),
  /** The seller's balance that changes. */
  balance: z
    .object({
      part: z.enum(['pending', 'available']),
      beforeCents: centsSchema,
      afterCents: centsSchema,
    })
    .nullable(),
  /** What is typed before it is done in LIVE; null where nothing is. */
  typed: z.string().nullable(),
  /** Why it can't be done now; null when it can. */
  obstacle: z.enum(['resolved', 'no-stock', 'no-offer', 'under-way']).nullable(),
})
export type DisputeEffects = z.infer<typeof disputeEffectsSchema>

/** What a typed replacement key looks like. `blocked`: the service would refuse it. */
export const keyVerdictSchema = z.object({
  blocked: z.boolean(),
  /**
   * `claimed`: a customer's claim is about this very key. `uploaded`, `sent`: from this desk, for
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
export type KeyVerdict = z.infer<typeof keyVerdictSchema>

/** What may stand in a template, in braces. */
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

/** An answer that is written often. */
export const disputeTemplateSchema = z.object({
  templateId: z.string(),
  name: z.string().trim().min(1).max(80),
  /** The claims it fits; none: all. */
  reasons: z.array(z.enum(disputeReasons)),
  /** Texts by language, ISO 639-1. */
  bodies: z.record(z.string().regex(/^[a-z]{2}$/), z.string().max(5000)),
})
export type DisputeTemplate = z.infer<typeof disputeTemplateSchema>

/** A template with its fields filled in. */
export const filledTemplateSchema = z.object({
  text: z.string(),
  language: z.string(),
  /** Fields that nobody knows: they stand in the text as they are. */
  missing: z.array(z.enum(templateFields)),
  /** The same text, apart by what was filled in (`field`, `known`) and what wasn't. */
  parts: z.array(
    z.object({ text: z.string(), field: z.enum(templateFields).nullable(), known: z.boolean() }),
  ),
})
export type FilledTemplate = z.infer<typeof filledTemplateSchema>

/** What a list is narrowed to. */
export const disputeFilterSchema = z.object({
  view: z.enum(disputeViews).default('inbox'),
  /** Parts of an id or of the product's name, in any order. */
  query: z.string().max(200).default(''),
  unread: z.boolean().default(false),
  reasons: z.array(z.enum(disputeReasons)).default([]),
  languages: z.array(z.string()).default([]),
})
export type DisputeFilter = z.infer<typeof disputeFilterSchema>

/** A sum of claims by one thing they have in common. */
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
  /** Milliseconds from a claim to the first answer; null where none was answered. */
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
  byReason: z.array(reportRow),
  byProduct: z.array(reportRow),
  byBatch: z.array(reportRow),
  bySupplier: z.array(reportRow),
})
export type DisputeReport = z.infer<typeof disputeReportSchema>
