import { z } from 'zod'
import { accountIdSchema, instantSchema, procedure, sortSchema, windowSchema } from './base.ts'
import {
  batchClaimsSchema,
  disputeActionKinds,
  disputeDetailSchema,
  disputeEffectsSchema,
  disputeFilterSchema,
  disputeReportSchema,
  disputeRowSchema,
  disputeSortColumns,
  disputeTemplateSchema,
  disputeViews,
  filledTemplateSchema,
  keyVerdictSchema,
} from './dispute-records.ts'

const account = z.object({ accountId: accountIdSchema })
const ref = account.extend({ disputeId: z.string() })
const download = z.object({ fileName: z.string(), base64: z.string() })

/** Customer claims on a seller's sales, their messages, and answers to them. */
export const disputesContract = {
  list: procedure
    .input(
      account.extend({
        /** Of all seller accounts on this desk together. */
        everyAccount: z.boolean().default(false),
        ...disputeFilterSchema.shape,
        sort: sortSchema(disputeSortColumns).default({ column: 'urgency', direction: 'asc' }),
        window: windowSchema.prefault({}),
      }),
    )
    .output(
      z.object({
        total: z.number().int(),
        rows: z.array(disputeRowSchema),
        views: z.record(z.enum(disputeViews), z.number().int()),
        unread: z.number().int(),
        /** How the rows of an `urgency` list fall into groups, in their order. */
        groups: z.array(
          z.object({
            group: z.enum(['needs-answer', 'waiting', 'escalated', 'resolved']),
            count: z.number().int(),
          }),
        ),
        /** Whether the whole list was read once. */
        complete: z.boolean(),
        readAt: instantSchema.nullable(),
      }),
    ),
  dispute: procedure.input(ref).output(disputeDetailSchema),
  /** The first `messages` messages were shown. */
  markRead: procedure.input(ref.extend({ messages: z.number().int().min(0) })).output(z.void()),
  /**
   * Notes of this desk alone. `snoozeUntil` puts it off until then or until something new is
   * written; null wakes it.
   */
  mark: procedure
    .input(
      ref.extend({
        snoozeUntil: instantSchema.nullable().optional(),
        mine: z.boolean().optional(),
        done: z.boolean().optional(),
        unread: z.boolean().optional(),
      }),
    )
    .output(z.void()),
  /**
   * Keeps what is being written, sealed; an empty text forgets it. Needs the vault open unless it
   * is empty.
   */
  draft: procedure.input(ref.extend({ text: z.string().max(10_000) })).output(z.void()),
  /**
   * Answers the customer. Written down first, sent once; `sent` false: it waits in the outbox
   * because the service can't be reached. Fails with `CHANGED_MEANWHILE` when there are more
   * messages than the `seen` ones, `ANSWER_LOST` when nobody knows yet whether it arrived.
   */
  answer: procedure
    .input(
      ref.extend({
        text: z.string().trim().min(1).max(10_000),
        seen: z.number().int().min(0).nullable().default(null),
      }),
    )
    .output(z.object({ sent: z.boolean(), dispute: disputeDetailSchema })),
  /** Forgets an answer that was refused, after its text was taken back or given up. */
  dismiss: procedure.input(ref.extend({ answerId: z.string() })).output(disputeDetailSchema),
  /** What replacing or refunding would do, before it is done. */
  effects: procedure
    .input(ref.extend({ kind: z.enum(disputeActionKinds) }))
    .output(disputeEffectsSchema),
  /** Looks at a key that is to be sent as replacement: shape, duplicates. Nothing of it is kept. */
  checkKey: procedure.input(ref.extend({ key: z.string().max(20_000) })).output(keyVerdictSchema),
  /**
   * Replaces or refunds. The dispute is read again first: `CHANGED_MEANWHILE` when it isn't as
   * `seen`. Written down with its Idempotency-Key before it is sent, never done twice;
   * `ANSWER_LOST` when nobody knows yet whether it was done. `typed`: what {@link
   * disputeEffectsSchema} asks for in LIVE.
   */
  act: procedure
    .input(
      ref.extend({
        kind: z.enum(disputeActionKinds),
        key: z.string().min(1).max(20_000).optional(),
        typed: z.string().max(200).optional(),
        seen: z.object({ status: z.string(), messages: z.number().int().nullable() }),
      }),
    )
    .output(disputeDetailSchema),
  /** Forgets an action that was refused. */
  dismissAction: procedure.input(ref.extend({ actionId: z.string() })).output(disputeDetailSchema),
  /** One attachment: a picture by its first bytes, or plain text; anything else is refused. */
  attachment: procedure
    .input(ref.extend({ position: z.number().int().min(0), index: z.number().int().min(0) }))
    .output(z.object({ contentType: z.string(), base64: z.string() })),
  templates: procedure.input(account).output(z.array(disputeTemplateSchema)),
  /** Keeps a template; without an id it is a new one. */
  saveTemplate: procedure
    .input(
      account.extend({
        template: disputeTemplateSchema.extend({ templateId: z.string().nullable() }),
      }),
    )
    .output(disputeTemplateSchema),
  removeTemplate: procedure.input(account.extend({ templateId: z.string() })).output(z.void()),
  /**
   * A template with its fields filled in, in the customer's language where it has that; `missing`
   * fields stand as they are.
   */
  fillTemplate: procedure
    .input(ref.extend({ templateId: z.string(), language: z.string().optional() }))
    .output(filledTemplateSchema),
  /** Lists with a name. */
  savedViews: procedure
    .input(account)
    .output(
      z.array(z.object({ viewId: z.string(), name: z.string(), filter: disputeFilterSchema })),
    ),
  saveView: procedure
    .input(account.extend({ name: z.string().trim().min(1).max(60), filter: disputeFilterSchema }))
    .output(z.object({ viewId: z.string() })),
  removeView: procedure.input(account.extend({ viewId: z.string() })).output(z.void()),
  /**
   * The whole dossier as one archive: Markdown, JSON, pictures. Without `secrets` what looks like a
   * key is masked in it.
   */
  evidence: procedure.input(ref.extend({ secrets: z.boolean().default(false) })).output(download),
  /** Batches with more claims than the settings take for usual, the worst first. */
  alarms: procedure.input(account).output(
    z.array(
      batchClaimsSchema.extend({
        /** Keys of the offer that are still for sale; null while it isn't mirrored. */ stock: z
          .number()
          .int()
          .nullable(),
        offerStatus: z.string().nullable(),
      }),
    ),
  ),
  /** Claims opened from (included) to (left out). */
  report: procedure
    .input(account.extend({ from: instantSchema, to: instantSchema }))
    .output(disputeReportSchema),
  /**
   * Customers of the desk's own sandbox complain about sales of this account, to train with; gives
   * how many did.
   */
  practise: procedure
    .input(account.extend({ claims: z.number().int().min(1).max(100).default(8) }))
    .output(z.object({ claims: z.number().int() })),
}
