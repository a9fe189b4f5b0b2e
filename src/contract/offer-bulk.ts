import { z } from 'zod'
import {
  accountIdSchema,
  centsSchema,
  instantSchema,
  problemSchema,
  procedure,
  windowSchema,
} from './base.ts'
import { offerFilterSchema } from './offer-filter.ts'

/**
 * In LIVE the number of lines is typed before more than so many offers change at once, and whenever
 * keys leave the service.
 */
export const BULK_TYPED_ABOVE = 20

/**
 * How the price that one receives becomes another. Percent in hundredths: -300 is 3 % less. Match
 * and undercut aim at the best customer price.
 */
export const repriceSchema = z.discriminatedUnion('by', [
  z.object({ by: z.literal('amount'), cents: centsSchema.min(-10_000_000).max(10_000_000) }),
  z.object({ by: z.literal('percent'), hundredths: z.number().int().min(-9900).max(100_000) }),
  z.object({ by: z.literal('match') }),
  z.object({ by: z.literal('undercut'), cents: centsSchema.min(1).max(1_000_000) }),
])
export type Reprice = z.infer<typeof repriceSchema>

/**
 * What happens to every chosen offer. `close` takes the keys back into the vault first, then
 * removes the offer (the service pauses one with sales).
 */
export const bulkChangeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('price'), how: repriceSchema, keepFloor: z.boolean() }),
  z.object({ kind: z.literal('status'), status: z.enum(['active', 'paused']) }),
  z.object({ kind: z.literal('withdraw') }),
  z.object({ kind: z.literal('close') }),
])
export type BulkChange = z.infer<typeof bulkChangeSchema>

export const bulkKinds = ['price', 'status', 'withdraw', 'close', 'create'] as const
export type BulkKind = (typeof bulkKinds)[number]

/** Chosen one by one, or all that fit. */
const chosenSchema = z.union([
  z.object({ offerIds: z.array(z.string()).min(1).max(100_000) }),
  z.object({ filter: offerFilterSchema }),
])

/** Why a line stays as it is or is left out, or what to look at though it changes. */
export const bulkNotes = [
  'takes-lead',
  'stops-at-floor',
  'stops-at-ceiling',
  'below-floor',
  'above-ceiling',
  'at-floor',
  'at-ceiling',
  'leads-already',
  'same',
  'no-best-price',
  'no-commission',
  'too-low',
  'too-high',
  'waits-in-outbox',
  'being-changed',
  'no-stock',
  'unknown-product',
  'twice',
  'own-offer',
  'no-shop-price',
] as const
export type BulkNote = (typeof bulkNotes)[number]

const standing = z.object({
  priceCents: centsSchema.nullable(),
  customerCents: centsSchema.nullable(),
  status: z.string().nullable(),
  stock: z.number().int().nullable(),
  /** Whether it would be sold first; null when nobody knows, or it isn't for sale. */
  leads: z.boolean().nullable(),
  /**
   * From the best customer price of others as far as it is known: negative behind, positive ahead.
   */
  aheadCents: centsSchema.nullable(),
})
export type BulkStanding = z.infer<typeof standing>

export const bulkLineSchema = z.object({
  /** The offer; of a new one the product. */
  subjectId: z.string(),
  name: z.string(),
  platform: z.string(),
  region: z.string(),
  verdict: z.enum(['changes', 'stays', 'left-out']),
  note: z.enum(bulkNotes).nullable(),
  before: standing,
  after: standing,
})
export type BulkLine = z.infer<typeof bulkLineSchema>

export const bulkSummarySchema = z.object({
  changes: z.number().int(),
  stays: z.number().int(),
  leftOut: z.number().int(),
  /** How many lines carry each note. */
  notes: z.partialRecord(z.enum(bulkNotes), z.number().int()),
  leadingNow: z.number().int(),
  /** How many surely lead afterwards. */
  leadingAfter: z.number().int(),
  /**
   * Of the prices that change: their mean change, and the biggest either way. Zero when none does.
   */
  averageCents: centsSchema,
  biggestCents: centsSchema,
  /** Keys that leave the service. */
  keys: z.number().int(),
})
export type BulkSummary = z.infer<typeof bulkSummarySchema>

/**
 * `waiting`: not sent yet. `sending`: written down, the answer not there. `done`; `refused`: the
 * service or a check said no. `cancelled`: never sent.
 */
const bulkLineStates = ['waiting', 'sending', 'done', 'refused', 'cancelled'] as const
export const bulkResultSchema = bulkLineSchema.omit({ verdict: true, note: true }).extend({
  state: z.enum(bulkLineStates),
  problem: problemSchema.nullable(),
  settledAt: instantSchema.nullable(),
})
export type BulkResult = z.infer<typeof bulkResultSchema>

export const bulkSchema = z.object({
  bulkId: z.string(),
  kind: z.enum(bulkKinds),
  /** In words: "Price −3 %". */
  title: z.string(),
  state: z.enum(['running', 'paused', 'done', 'cancelled']),
  counts: z.record(z.enum(bulkLineStates), z.number().int()),
  startedAt: instantSchema,
  endedAt: instantSchema.nullable(),
  /**
   * Prices and statuses that were changed can be put back; null when this is such an undo, or
   * nothing can.
   */
  undoable: z.number().int(),
  undoes: z.string().nullable(),
})
export type Bulk = z.infer<typeof bulkSchema>

const account = z.object({ accountId: accountIdSchema })
const ref = account.extend({ bulkId: z.string() })
const wish = account.extend({ chosen: chosenSchema, change: bulkChangeSchema })
/**
 * What was confirmed: so many lines, of them so much in sum. Something else now is a Problem
 * `CHANGED_MEANWHILE`. `typed`: in LIVE, the number as typed.
 */
export const confirmedShape = {
  changes: z.number().int().min(1),
  typed: z.string().max(40).nullable().default(null),
}

/**
 * Many offers changed at once: looked at line by line, sent as a job that survives the end of
 * Keydesk, each change once, with a result per line.
 */
export const offerBulkContract = {
  preview: procedure.input(wish.extend({ window: windowSchema.prefault({}) })).output(
    z.object({
      summary: bulkSummarySchema,
      total: z.number().int(),
      rows: z.array(bulkLineSchema),
    }),
  ),
  start: procedure.input(wish.extend(confirmedShape)).output(bulkSchema),
  /** Newest first. */
  list: procedure.input(account).output(z.array(bulkSchema)),
  /** One with its lines; those that are refused first. */
  results: procedure
    .input(
      ref.extend({
        state: z.enum(bulkLineStates).nullable().default(null),
        window: windowSchema.prefault({}),
      }),
    )
    .output(
      z.object({ bulk: bulkSchema, total: z.number().int(), rows: z.array(bulkResultSchema) }),
    ),
  /** Sends what was refused once more, after looking at each again. */
  retry: procedure.input(ref).output(bulkSchema),
  /**
   * Puts prices and statuses back where nobody changed them since; a bulk change of its own. In
   * LIVE `typed` as for a start.
   */
  undo: procedure.input(ref.extend({ typed: confirmedShape.typed })).output(bulkSchema),
  pause: procedure.input(ref).output(bulkSchema),
  resume: procedure.input(ref).output(bulkSchema),
  /** What is not sent yet never is. */
  cancel: procedure.input(ref).output(bulkSchema),
}
