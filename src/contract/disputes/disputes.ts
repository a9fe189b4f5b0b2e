import { z } from 'zod'
import { plainExportPhraseSchema } from '../app/vault.ts'
import { accountIdSchema, instantSchema, procedure, sortSchema, windowSchema } from '../base.ts'
import {
  batchDisputesSchema,
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
import {
  bulkOutcomes,
  bulkReplyPlanSchema,
  bulkReplySchema,
  disputeActionKinds,
  disputeReplySchema,
  disputeSeenSchema,
  replyOutcomes,
} from './dispute-replies.ts'

/** How long a reply can be undone after it was sent, in milliseconds. */
export const REPLY_HOLD_MS = 10_000

/** The number of disputes that one bulk reply can answer. */
export const MOST_BULK_REPLIES = 200

const account = z.object({ accountId: accountIdSchema })
const bulkRequest = account.extend({
  disputeIds: z.array(z.string()).min(1).max(MOST_BULK_REPLIES),
  outcome: z.enum(bulkOutcomes),
  /**
   * One text per language of the customers (ISO 639-1; `''` for an unknown language), which can
   * contain template fields.
   */
  texts: z.record(z.string(), z.string().max(10_000)),
})
const ref = account.extend({ disputeId: z.string() })
const download = z.object({ fileName: z.string(), base64: z.string() })

/** Which disputes a list shows, and in which order. */
const listed = {
  /** Lists disputes of all seller accounts on this computer together. */
  everyAccount: z.boolean().default(false),
  ...disputeFilterSchema.shape,
  sort: sortSchema(disputeSortColumns).default({ column: 'urgency', direction: 'asc' }),
}

/** Customer disputes about a seller's sales, their messages, and the seller's answers. */
export const disputesContract = {
  list: procedure
    .input(
      account.extend({
        ...listed,
        window: windowSchema.prefault({}),
      }),
    )
    .output(
      z.object({
        total: z.number().int(),
        rows: z.array(disputeRowSchema),
        views: z.record(z.enum(disputeViews), z.number().int()),
        unread: z.number().int(),
        /** The groups of an `urgency` list with their sizes, in list order. */
        groups: z.array(
          z.object({
            group: z.enum(['needs-answer', 'waiting', 'escalated', 'resolved']),
            count: z.number().int(),
          }),
        ),
        /** Whether the complete list was read at least once. */
        complete: z.boolean(),
        readAt: instantSchema.nullable(),
      }),
    ),
  /** The index of a dispute in a list; null if the list doesn't contain it. */
  position: procedure
    .input(
      account.extend({
        ...listed,
        /** The account of the dispute, which differs if `everyAccount` is set. */
        of: ref,
      }),
    )
    .output(z.object({ index: z.number().int().nullable() })),
  dispute: procedure.input(ref).output(disputeDetailSchema),
  /** The first `messages` messages were shown. */
  markRead: procedure.input(ref.extend({ messages: z.number().int().min(0) })).output(z.void()),
  /**
   * Notes stored only on this computer. `snoozeUntil` snoozes the dispute until that time or until
   * something new is written; null ends the snooze. With `seen`, marking as done and snoozing fail
   * with `CHANGED_MEANWHILE` if something newer was written or the status changed.
   */
  mark: procedure
    .input(
      ref.extend({
        snoozeUntil: instantSchema.nullable().optional(),
        mine: z.boolean().optional(),
        done: z.boolean().optional(),
        unread: z.boolean().optional(),
        seen: disputeSeenSchema.optional(),
      }),
    )
    .output(z.void()),
  /**
   * Saves a draft, encrypted; an empty text deletes it. Needs an unlocked vault unless the text is
   * empty.
   */
  draft: procedure
    .input(
      ref.extend({
        text: z.string().max(10_000),
        outcome: z.enum(replyOutcomes).default('reply'),
        promise: z.enum(replyOutcomes).nullable().default(null),
      }),
    )
    .output(z.void()),
  /**
   * Answers the customer and carries out the outcome, as one reply. It is journaled, held for
   * {@link REPLY_HOLD_MS}, and then sent: first the answer, because a resolved dispute accepts none,
   * then the action, each exactly once. Fails if the action isn't possible now. `typed` is the
   * confirmation that {@link disputeEffectsSchema} requires in LIVE.
   */
  reply: procedure
    .input(
      ref.extend({
        text: z.string().trim().min(1).max(10_000),
        outcome: z.enum(replyOutcomes),
        promise: z.enum(replyOutcomes).nullable().default(null),
        key: z.string().min(1).max(20_000).optional(),
        typed: z.string().max(200).optional(),
        seen: disputeSeenSchema,
      }),
    )
    .output(disputeReplySchema),
  /** Replies that aren't complete, and not those that failed; oldest first. */
  replies: procedure.input(account).output(z.array(disputeReplySchema)),
  /**
   * Takes back held replies: their texts are drafts again. A retried reply whose answer was sent
   * before gets no draft and fails again instead. Fails with `CONFLICT` if one of them is no longer
   * held.
   */
  undoReplies: procedure
    .input(account.extend({ replyIds: z.array(z.string()).min(1).max(500) }))
    .output(z.void()),
  /** Sends held replies without waiting. */
  sendReplies: procedure
    .input(account.extend({ replyIds: z.array(z.string()).min(1).max(500) }))
    .output(z.void()),
  /** Deletes a failed reply after its text was reused or discarded. */
  dismissReply: procedure.input(ref.extend({ replyId: z.string() })).output(disputeDetailSchema),
  /**
   * Answers the customer. The answer is journaled first and sent once; `sent` is false if it is
   * queued in the outbox because the service can't be reached. Fails with `CHANGED_MEANWHILE` if
   * there are more than `seen` messages, and with `ANSWER_LOST` if it isn't known whether the
   * answer arrived.
   */
  answer: procedure
    .input(
      ref.extend({
        text: z.string().trim().min(1).max(10_000),
        seen: z.number().int().min(0).nullable().default(null),
      }),
    )
    .output(z.object({ sent: z.boolean(), dispute: disputeDetailSchema })),
  /** Previews one reply to several disputes, and lists those that it leaves out. Sends nothing. */
  planBulkReply: procedure.input(bulkRequest).output(bulkReplyPlanSchema),
  /**
   * Sends a planned reply to all its disputes, as one durable job: each dispute once, also if
   * Keydesk is killed. Fails with `CHANGED_MEANWHILE` if the plan isn't the one with `planId`.
   */
  sendBulkReply: procedure
    .input(bulkRequest.extend({ planId: z.string(), typed: z.string().max(200).optional() }))
    .output(z.array(disputeReplySchema)),
  /** The latest bulk replies with the result of each line, newest first. */
  bulkReplies: procedure.input(account).output(z.array(bulkReplySchema)),
  /**
   * Sends the failed lines of a bulk reply again, as its `retry` counts them; parts that were sent
   * aren't repeated. Fails with `CHANGED_MEANWHILE` if the `retry` isn't the one with `planId`.
   * `typed` is the confirmation that `retry` requires in LIVE.
   */
  retryBulkReply: procedure
    .input(
      account.extend({
        bulkId: z.string(),
        planId: z.string(),
        typed: z.string().max(200).optional(),
      }),
    )
    .output(z.array(disputeReplySchema)),
  /** Deletes a rejected answer after its text was reused or discarded. */
  dismiss: procedure.input(ref.extend({ answerId: z.string() })).output(disputeDetailSchema),
  /** Previews what a replacement or refund would change. */
  effects: procedure
    .input(ref.extend({ kind: z.enum(disputeActionKinds) }))
    .output(disputeEffectsSchema),
  /** Checks a replacement key for shape and duplicates. Nothing is stored. */
  checkKey: procedure.input(ref.extend({ key: z.string().max(20_000) })).output(keyVerdictSchema),
  /**
   * Replaces or refunds. Reads the dispute again first and fails with `CHANGED_MEANWHILE` if it
   * isn't as `seen`. The action is journaled with its Idempotency-Key before it is sent and never
   * runs twice; fails with `ANSWER_LOST` if its outcome isn't known. `typed` is the confirmation
   * that {@link disputeEffectsSchema} requires in LIVE.
   */
  act: procedure
    .input(
      ref.extend({
        kind: z.enum(disputeActionKinds),
        key: z.string().min(1).max(20_000).optional(),
        typed: z.string().max(200).optional(),
        seen: disputeSeenSchema,
      }),
    )
    .output(disputeDetailSchema),
  /** Deletes a rejected action. */
  dismissAction: procedure.input(ref.extend({ actionId: z.string() })).output(disputeDetailSchema),
  /**
   * One attachment: an image (recognized by its first bytes) or plain text; anything else is
   * rejected.
   */
  attachment: procedure
    .input(ref.extend({ position: z.number().int().min(0), index: z.number().int().min(0) }))
    .output(z.object({ contentType: z.string(), base64: z.string() })),
  templates: procedure.input(account).output(z.array(disputeTemplateSchema)),
  /** Saves a template; without an id, it creates one. */
  saveTemplate: procedure
    .input(
      account.extend({
        template: disputeTemplateSchema.extend({ templateId: z.string().nullable() }),
      }),
    )
    .output(disputeTemplateSchema),
  removeTemplate: procedure.input(account.extend({ templateId: z.string() })).output(z.void()),
  /**
   * A template with its fields filled in, in the customer's language if the template has it;
   * `missing` fields stay unfilled.
   */
  fillTemplate: procedure
    .input(ref.extend({ templateId: z.string(), language: z.string().optional() }))
    .output(filledTemplateSchema),
  /** Saved filters with a name. */
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
   * The complete dossier as one archive: Markdown, JSON and pictures. Text that resembles a key is
   * masked.
   */
  evidence: procedure.input(ref).output(download),
  /** The same archive with complete texts, which may contain keys. */
  evidenceUnmasked: procedure
    .meta({ proof: 'export-keys' })
    .input(ref.extend({ typed: plainExportPhraseSchema }))
    .output(download),
  /** Batches with more disputes than the settings allow, worst first. */
  alarms: procedure.input(account).output(
    z.array(
      batchDisputesSchema.extend({
        /** Keys of the offer in stock; null if it isn't mirrored. */
        stock: z.number().int().nullable(),
        offerStatus: z.string().nullable(),
      }),
    ),
  ),
  /** Disputes opened from `from` (inclusive) to `to` (exclusive). */
  report: procedure
    .input(account.extend({ from: instantSchema, to: instantSchema }))
    .output(disputeReportSchema),
  /** Opens test disputes about sales of this account in the built-in sandbox; returns how many. */
  createTestDisputes: procedure
    .input(account.extend({ claims: z.number().int().min(1).max(100).default(8) }))
    .output(z.object({ claims: z.number().int() })),
}
