import { z } from 'zod'
import {
  accountIdSchema,
  centsSchema,
  instantSchema,
  problemSchema,
  procedure,
  windowSchema,
} from './base.ts'
import { localizedSchema } from './localization/localized.ts'

/**
 * The subject of an entry: an offer's price, its status, an offer to be created, or an answer in a
 * dispute.
 */
export const outboxKinds = ['offer-price', 'offer-status', 'offer-new', 'dispute-answer'] as const
export type OutboxKind = (typeof outboxKinds)[number]

/**
 * The state of an entry's subject at some time; null where a field doesn't apply or isn't reported.
 */
export const outboxFactsSchema = z.object({
  priceCents: centsSchema.nullable(),
  customerCents: centsSchema.nullable(),
  /** How far below the lowest customer price: 0 while leading, negative while behind. */
  leadCents: centsSchema.nullable(),
  status: z.string().nullable(),
  /** Number of messages of a dispute. */
  messages: z.number().int().nullable(),
})
export type OutboxFacts = z.infer<typeof outboxFactsSchema>

/**
 * `ready`: the service reports the same state as when the person made the change. `decide`: the
 * state is different now. `already`: the service already has the wanted state. `gone`: the subject
 * no longer exists. `uncompared`: not compared since the connection was lost.
 */
export const outboxVerdicts = ['uncompared', 'ready', 'decide', 'already', 'gone'] as const
export type OutboxVerdict = (typeof outboxVerdicts)[number]

export const outboxEntrySchema = z.object({
  entryId: z.string(),
  accountId: accountIdSchema,
  kind: z.enum(outboxKinds),
  /** The offer, product or dispute. */
  subjectId: z.string(),
  title: z.string(),
  subtitle: z.string(),
  /**
   * `unknown`: sent, but the response was lost. Keydesk finds out the result before it does
   * anything else with the entry.
   */
  state: z.enum(['waiting', 'sending', 'unknown', 'sent', 'dropped']),
  verdict: z.enum(outboxVerdicts),
  /** Why a person must decide, in one or two sentences; null otherwise. */
  reason: localizedSchema.nullable(),
  /**
   * The state that the person saw when making the change, and when it was read from the service.
   */
  seen: outboxFactsSchema,
  seenAt: instantSchema,
  /**
   * The state that the service reported last, and when; null before the first comparison, or when
   * the subject is gone.
   */
  present: outboxFactsSchema.nullable(),
  presentAt: instantSchema.nullable(),
  wanted: outboxFactsSchema,
  /** The service's rejection, if the entry was sent and rejected. */
  problem: problemSchema.nullable(),
  writtenAt: instantSchema,
  settledAt: instantSchema.nullable(),
})
export type OutboxEntry = z.infer<typeof outboxEntrySchema>

/** One event of an entry's history. */
const outboxEventSchema = z.object({
  at: instantSchema,
  what: localizedSchema,
  detail: localizedSchema.nullable(),
})
export type OutboxEvent = z.infer<typeof outboxEventSchema>

export const outboxTabs = ['waiting', 'sent', 'dropped'] as const

const account = z.object({ accountId: accountIdSchema })
const some = account.extend({ entryIds: z.array(z.string()).min(1).max(5000) })

/**
 * Changes made while the service couldn't be reached. Each is sent only on a person's approval, and
 * only once.
 */
export const outboxContract = {
  list: procedure
    /** `query`: words that the title, subtitle or id must contain, in any order. */
    .input(
      account.extend({
        tab: z.enum(outboxTabs).default('waiting'),
        query: z.string().max(200).default(''),
        window: windowSchema.prefault({}),
      }),
    )
    .output(
      z.object({
        /**
         * The tab's entries that match the query. Waiting entries are sorted by verdict: decide,
         * gone, uncompared, ready, already.
         */
        total: z.number().int(),
        rows: z.array(outboxEntrySchema),
        /** Counts of the complete outbox, regardless of the query. */
        counts: z.record(z.enum(outboxTabs), z.number().int()),
        /** Counts of the entries in `total`. */
        verdicts: z.record(z.enum(outboxVerdicts), z.number().int()),
        /**
         * The earliest time at which all waiting entries had been compared; null if one hasn't
         * been.
         */
        comparedAt: instantSchema.nullable(),
      }),
    ),
  /** One entry with its events, oldest first. Only this call returns an answer's text. */
  entry: procedure.input(account.extend({ entryId: z.string() })).output(
    outboxEntrySchema.extend({
      text: z.string().nullable(),
      events: z.array(outboxEventSchema),
    }),
  ),
  /** Reads the subject of every waiting entry from the service and compares it. */
  compare: procedure.input(account).output(z.void()),
  /**
   * Sends entries one by one. Each is read again just before it is sent; one that changed since it
   * was shown comes back as `decide`. Returns the entries in their new state. `priceCents` sends
   * another price than the typed one (for a single entry). `shown` is each entry's service state as
   * the person saw it (null: the subject was gone); without it, the last state read counts as
   * shown.
   */
  send: procedure
    .input(
      some.extend({
        priceCents: centsSchema.min(1).max(10_000_000).optional(),
        shown: z.record(z.string(), outboxFactsSchema.nullable()).optional(),
      }),
    )
    .output(z.array(outboxEntrySchema)),
  discard: procedure.input(some).output(z.array(outboxEntrySchema)),
  /** Queues discarded entries again. */
  restore: procedure.input(some).output(z.array(outboxEntrySchema)),
}
