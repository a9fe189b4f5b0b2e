import { z } from 'zod'
import { accountIdSchema, centsSchema, instantSchema, problemSchema, procedure, sortSchema, windowSchema } from './base.ts'

/** What was written here and isn't known to be among the messages: on its way, its answer lost, or refused. */
export const pendingAnswerSchema = z.object({
  answerId: z.string(),
  /** `unknown`: sent, and the answer got lost; Keydesk looks whether it is among the messages before anything else happens. */
  state: z.enum(['sending', 'unknown', 'refused']),
  writtenAt: instantSchema,
  /** Null while the vault is locked. */
  text: z.string().nullable(),
  problem: problemSchema.nullable(),
})
export type PendingAnswer = z.infer<typeof pendingAnswerSchema>

export const disputeRowSchema = z.object({
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
  openedAt: instantSchema.nullable(),
  updatedAt: instantSchema.nullable(),
  /** When it goes to support unless the seller answers; null when nothing is due or nobody knows. */
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
  seenAt: instantSchema,
})
export type DisputeRow = z.infer<typeof disputeRowSchema>

/** `inbox`: all that are not resolved. */
export const disputeViews = ['inbox', 'needs-answer', 'waiting', 'escalated', 'resolved', 'all'] as const
/** `urgency`: what needs an answer first, by time left; then what waits for the customer, then what support has, then resolved ones. */
export const disputeSortColumns = ['urgency', 'opened', 'updated', 'escalates', 'name'] as const

const disputeMessageSchema = z.object({
  /** Counted from 0, oldest first. */
  position: z.number().int(),
  /** `customer`, `seller`, `support`; another word when the service has a new one. */
  author: z.string().nullable(),
  /** Null while the vault is locked or the text has yet to be read again. */
  body: z.string().nullable(),
  at: instantSchema.nullable(),
  attachments: z.array(z.object({ index: z.number().int(), contentType: z.string(), bytes: z.number().int() })),
})

const account = z.object({ accountId: accountIdSchema })
const ref = account.extend({ disputeId: z.string() })

export const disputeDetailSchema = disputeRowSchema.extend({
  /** Oldest first. */
  conversation: z.array(disputeMessageSchema),
  /** When the messages were last read from the service; null before the first time. */
  readAt: instantSchema.nullable(),
  draft: z.object({ text: z.string().nullable(), writtenAt: instantSchema }).nullable(),
  pending: z.array(pendingAnswerSchema),
  /** The vault is locked: texts are not shown. */
  locked: z.boolean(),
  /** The sale as mirrored; null while it isn't. */
  sale: z.object({
    saleId: z.string(), priceCents: centsSchema.nullable(), customerCents: centsSchema.nullable(), status: z.string(), held: z.boolean(),
    soldAt: instantSchema.nullable(), releaseAt: instantSchema.nullable(),
  }).nullable(),
  /** Other claims on the same product and the same order that this desk knows. */
  earlier: z.object({ product: z.number().int(), order: z.number().int() }),
})
export type DisputeDetail = z.infer<typeof disputeDetailSchema>

/** Customer claims on a seller's sales, their messages, and answers to them. */
export const disputesContract = {
  list: procedure
    .input(account.extend({
      view: z.enum(disputeViews).default('inbox'),
      /** Parts of an id or of the product's name, in any order. */
      query: z.string().max(200).default(''),
      unread: z.boolean().default(false),
      sort: sortSchema(disputeSortColumns).default({ column: 'urgency', direction: 'asc' }),
      window: windowSchema.prefault({}),
    }))
    .output(z.object({
      total: z.number().int(), rows: z.array(disputeRowSchema), views: z.record(z.enum(disputeViews), z.number().int()), unread: z.number().int(),
      /** Whether the whole list was read once. */
      complete: z.boolean(),
      readAt: instantSchema.nullable(),
    })),
  dispute: procedure.input(ref).output(disputeDetailSchema),
  /** The first `messages` messages were shown. */
  markRead: procedure.input(ref.extend({ messages: z.number().int().min(0) })).output(z.void()),
  /** Keeps what is being written, sealed; an empty text forgets it. Needs the vault open unless it is empty. */
  draft: procedure.input(ref.extend({ text: z.string().max(10_000) })).output(z.void()),
  /**
   * Answers the customer. Written down first, sent once; `sent` false: it waits in the outbox because the service can't be reached. Fails with
   * `CHANGED_MEANWHILE` when there are more messages than the `seen` ones, `ANSWER_LOST` when nobody knows yet whether it arrived.
   */
  answer: procedure
    .input(ref.extend({ text: z.string().trim().min(1).max(10_000), seen: z.number().int().min(0).nullable().default(null) }))
    .output(z.object({ sent: z.boolean(), dispute: disputeDetailSchema })),
  /** Forgets an answer that was refused, after its text was taken back or given up. */
  dismiss: procedure.input(ref.extend({ answerId: z.string() })).output(disputeDetailSchema),
  /** One attachment: a picture by its first bytes, or plain text; anything else is refused. */
  attachment: procedure
    .input(ref.extend({ position: z.number().int().min(0), index: z.number().int().min(0) }))
    .output(z.object({ contentType: z.string(), base64: z.string() })),
}
