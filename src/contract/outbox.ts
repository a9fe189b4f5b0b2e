import { z } from 'zod'
import {
  accountIdSchema,
  centsSchema,
  instantSchema,
  problemSchema,
  procedure,
  windowSchema,
} from './base.ts'

/**
 * What an entry is about: an offer's price, its status, an offer to be created, an answer in a
 * dispute.
 */
export const outboxKinds = ['offer-price', 'offer-status', 'offer-new', 'dispute-answer'] as const
export type OutboxKind = (typeof outboxKinds)[number]

/**
 * What was known of an entry's subject at some moment; null where it doesn't apply or isn't told.
 */
export const outboxFactsSchema = z.object({
  priceCents: centsSchema.nullable(),
  customerCents: centsSchema.nullable(),
  /** How far below the lowest customer price: 0 while leading, negative while behind. */
  leadCents: centsSchema.nullable(),
  status: z.string().nullable(),
  /** Messages of a dispute. */
  messages: z.number().int().nullable(),
})
export type OutboxFacts = z.infer<typeof outboxFactsSchema>

/**
 * `ready`: the service says the same as when the person changed it. `decide`: it says something
 * else now. `already`: it is as wanted. `gone`: what it is about is not there any more.
 * `uncompared`: not looked at since the connection was lost.
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
   * `unknown`: sent, and the answer got lost; Keydesk finds out before anything else happens to it.
   */
  state: z.enum(['waiting', 'sending', 'unknown', 'sent', 'dropped']),
  verdict: z.enum(outboxVerdicts),
  /** Why a person must decide, in one or two sentences; null otherwise. */
  reason: z.string().nullable(),
  /** What the person saw when changing it, and when that was read from the service. */
  seen: outboxFactsSchema,
  seenAt: instantSchema,
  /** What the service said last, and when; null while it wasn't asked, or when it is gone. */
  present: outboxFactsSchema.nullable(),
  presentAt: instantSchema.nullable(),
  wanted: outboxFactsSchema,
  /** What the service answered when it was sent and refused. */
  problem: problemSchema.nullable(),
  writtenAt: instantSchema,
  settledAt: instantSchema.nullable(),
})
export type OutboxEntry = z.infer<typeof outboxEntrySchema>

export const outboxTabs = ['waiting', 'sent', 'dropped'] as const

const account = z.object({ accountId: accountIdSchema })
const some = account.extend({ entryIds: z.array(z.string()).min(1).max(5000) })

/**
 * Changes made while the service could not be reached. Nothing is sent without a person, and
 * nothing twice.
 */
export const outboxContract = {
  list: procedure
    /** `query`: words that the title, subtitle or id must hold, in any order. */
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
         * Of the tab, those that fit the query. Waiting ones come by verdict: decide, gone,
         * uncompared, ready, already.
         */
        total: z.number().int(),
        rows: z.array(outboxEntrySchema),
        /** Of the whole outbox, whatever the query. */
        counts: z.record(z.enum(outboxTabs), z.number().int()),
        /** Of those in `total`. */
        verdicts: z.record(z.enum(outboxVerdicts), z.number().int()),
        /** The earliest moment at which all that wait had been compared; null when one was not. */
        comparedAt: instantSchema.nullable(),
      }),
    ),
  /** One entry with what happened to it, oldest first; an answer's text only here. */
  entry: procedure.input(account.extend({ entryId: z.string() })).output(
    outboxEntrySchema.extend({
      text: z.string().nullable(),
      events: z.array(z.object({ at: instantSchema, what: z.string(), detail: z.string() })),
    }),
  ),
  /** Reads every waiting entry's subject from the service and compares. */
  compare: procedure.input(account).output(z.void()),
  /**
   * Sends entries one by one, each read again at the moment of sending: one that changed since it
   * was shown comes back as `decide`. Gives the entries as they are then. Another price than was
   * typed is sent by `priceCents` (of a single entry). `shown` is what the service said of an entry
   * as the person saw it (null: that it is gone); without it, what was last read counts as shown.
   */
  send: procedure
    .input(
      some.extend({
        priceCents: centsSchema.min(1).max(10_000_000).optional(),
        shown: z.record(z.string(), outboxFactsSchema.nullable()).optional(),
      }),
    )
    .output(z.array(outboxEntrySchema)),
  drop: procedure.input(some).output(z.array(outboxEntrySchema)),
  /** Lets dropped entries wait again. */
  takeBack: procedure.input(some).output(z.array(outboxEntrySchema)),
}
