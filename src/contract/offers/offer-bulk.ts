import { z } from 'zod'
import {
  accountIdSchema,
  centsSchema,
  instantSchema,
  problemSchema,
  procedure,
  windowSchema,
} from '../base.ts'
import { offerFilterSchema } from './offer-filter.ts'

/**
 * In LIVE, the number of lines must be typed before more offers than this change, and whenever keys
 * leave the service.
 */
export const BULK_CONFIRM_ABOVE = 20

/**
 * How a seller's price is changed. Percent in hundredths: -300 means 3 % less. Match and undercut
 * aim at the best customer price.
 */
export const repriceSchema = z.discriminatedUnion('by', [
  z.object({ by: z.literal('amount'), cents: centsSchema.min(-10_000_000).max(10_000_000) }),
  z.object({ by: z.literal('percent'), hundredths: z.number().int().min(-9900).max(100_000) }),
  z.object({ by: z.literal('match') }),
  z.object({ by: z.literal('undercut'), cents: centsSchema.min(1).max(1_000_000) }),
])
export type Reprice = z.infer<typeof repriceSchema>

/**
 * The change made to every selected offer. `close` first withdraws the keys into the vault, then
 * removes the offer (the service pauses an offer that has sales).
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

/** Offers selected one by one, or all that match a filter. */
const selectionSchema = z.union([
  z.object({ offerIds: z.array(z.string()).min(1).max(100_000) }),
  z.object({ filter: offerFilterSchema }),
])

/** Why a line stays unchanged or is left out, or what to check before it changes. */
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

const offerStateSchema = z.object({
  priceCents: centsSchema.nullable(),
  customerCents: centsSchema.nullable(),
  status: z.string().nullable(),
  stock: z.number().int().nullable(),
  /** Whether it would be sold first; null when unknown, or when it isn't for sale. */
  leads: z.boolean().nullable(),
  /**
   * Distance from the best customer price of others, where it is known: negative behind, positive
   * ahead.
   */
  aheadCents: centsSchema.nullable(),
})
export type BulkOfferState = z.infer<typeof offerStateSchema>

export const bulkLineSchema = z.object({
  /** The offer's id; for a new offer, the product's id. */
  subjectId: z.string(),
  name: z.string(),
  platform: z.string(),
  region: z.string(),
  deliveryType: z.string(),
  verdict: z.enum(['changes', 'stays', 'left-out']),
  note: z.enum(bulkNotes).nullable(),
  before: offerStateSchema,
  after: offerStateSchema,
})
export type BulkLine = z.infer<typeof bulkLineSchema>

export const bulkSummarySchema = z.object({
  changes: z.number().int(),
  stays: z.number().int(),
  leftOut: z.number().int(),
  /** Number of lines per note. */
  notes: z.partialRecord(z.enum(bulkNotes), z.number().int()),
  leadingNow: z.number().int(),
  /** Number of offers that are certain to lead afterwards. */
  leadingAfter: z.number().int(),
  /**
   * Mean change and largest change in either direction, over the prices that change. Zero when none
   * changes.
   */
  averageCents: centsSchema,
  biggestCents: centsSchema,
  /** Number of changing prices without a floor, which "never below the floor" can't hold. */
  withoutFloor: z.number().int(),
  /**
   * Number of prices that the price guard stops: they change by more than the settings allow, or
   * move beyond a limit of the offer. A new offer is compared with the shop's price.
   */
  overGuard: z.number().int(),
  /** Number of keys that leave the service. */
  keys: z.number().int(),
})
export type BulkSummary = z.infer<typeof bulkSummarySchema>

/**
 * `waiting`: not sent. `sending`: journaled, no response yet. `done`. `refused`: rejected by the
 * service or by a check. `skipped`: left alone, because the offer changed after the plan was shown.
 * `cancelled`: never sent.
 */
const bulkLineStates = ['waiting', 'sending', 'done', 'refused', 'skipped', 'cancelled'] as const
export const bulkResultSchema = bulkLineSchema.omit({ verdict: true, note: true }).extend({
  state: z.enum(bulkLineStates),
  problem: problemSchema.nullable(),
  settledAt: instantSchema.nullable(),
})
export type BulkResult = z.infer<typeof bulkResultSchema>

export const bulkSchema = z.object({
  bulkId: z.string(),
  kind: z.enum(bulkKinds),
  /** Description for people: "Price −3 %". */
  title: z.string(),
  state: z.enum(['running', 'paused', 'done', 'cancelled']),
  counts: z.record(z.enum(bulkLineStates), z.number().int()),
  startedAt: instantSchema,
  endedAt: instantSchema.nullable(),
  /** Number of changed prices and statuses that can be undone; 0 while it runs or once undone. */
  undoable: z.number().int(),
  undoes: z.string().nullable(),
})
export type Bulk = z.infer<typeof bulkSchema>

const account = z.object({ accountId: accountIdSchema })
const ref = account.extend({ bulkId: z.string() })
const requestInput = account.extend({ chosen: selectionSchema, change: bulkChangeSchema })
/**
 * The fingerprint of the plan that the person confirmed. If the plan differs by
 * then, the result is a Problem `CHANGED_MEANWHILE`. `typed`: in LIVE, the number of lines that
 * change, as typed. `beyondGuard`: prices that the price guard stops are sent anyway; without it, a
 * plan with such prices is a Problem `NOT_CONFIRMED`.
 */
export const confirmationFields = {
  fingerprint: z.string().max(80),
  typed: z.string().max(40).nullable().default(null),
  beyondGuard: z.boolean().default(false),
}

/**
 * A window of a plan. `fingerprint` identifies what the plan changes: two plans with the same
 * fingerprint send the same.
 */
export const planPageSchema = z.object({
  summary: bulkSummarySchema,
  fingerprint: z.string(),
  /** How long sending takes at the service's limit, in milliseconds; null without a limit. */
  durationMs: z.number().int().nullable(),
  requestsPerMinute: z.number().int().nullable(),
  total: z.number().int(),
  rows: z.array(bulkLineSchema),
})
export type PlanPage = z.infer<typeof planPageSchema>

/** The offer or product of a line. */
const subjectSchema = bulkLineSchema.pick({
  subjectId: true,
  name: true,
  platform: true,
  region: true,
  deliveryType: true,
})

const plannedPriceSchema = z.object({
  fromCents: centsSchema.nullable(),
  toCents: centsSchema.nullable(),
})
/** A line that two plans change differently. `seen` or `now` null: that plan doesn't change it. */
export const planMoveSchema = subjectSchema.extend({
  seen: plannedPriceSchema.nullable(),
  now: plannedPriceSchema.nullable(),
})
export type PlanMove = z.infer<typeof planMoveSchema>

/**
 * Bulk changes of offers: planned line by line and sent as a job that survives a restart of
 * Keydesk. Each change is sent once and has a result per line.
 */
export const offerBulkContract = {
  preview: procedure
    .input(requestInput.extend({ window: windowSchema.prefault({}) }))
    .output(planPageSchema),
  /**
   * The differences between the plan that a person saw and the current one, by their fingerprints.
   * `total` null: the plan that the person saw is no longer known.
   */
  moves: procedure
    .input(account.extend({ seen: z.string().max(80), now: z.string().max(80) }))
    .output(z.object({ total: z.number().int().nullable(), rows: z.array(planMoveSchema) })),
  start: procedure.input(requestInput.extend(confirmationFields)).output(bulkSchema),
  /** Newest first. */
  list: procedure.input(account).output(z.array(bulkSchema)),
  /** One bulk change with its lines, rejected lines first. */
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
  /**
   * The results as CSV, a row per line. They name offers, prices and the number of keys, and contain
   * no key.
   */
  export: procedure
    .input(ref)
    .output(z.object({ fileName: z.string(), text: z.string(), rows: z.number().int() })),
  /**
   * Sends rejected lines again after checking each of them again; with `skipped`, those that were
   * skipped, which overwrites the change made in between.
   */
  retry: procedure.input(ref.extend({ skipped: z.boolean().default(false) })).output(bulkSchema),
  /**
   * The number of offers that an undo would restore now, and the number of those that it leaves
   * out, because they changed since or were removed. `rows`: the first of these.
   */
  undoPreview: procedure.input(ref).output(
    z.object({
      changes: z.number().int(),
      leftOut: z.number().int(),
      fingerprint: z.string(),
      rows: z.array(subjectSchema),
    }),
  ),
  /**
   * Restores prices and statuses that nothing else has changed since, as a bulk change. Undoing an
   * undo makes the change again. `typed` and `beyondGuard` as for `start`; the details of
   * `NOT_CONFIRMED` contain the number of prices that the guard stops (`overGuard`). With the
   * `fingerprint` of a preview, the result is a Problem `CHANGED_MEANWHILE` if the undo would now
   * change anything else.
   */
  undo: procedure
    .input(
      ref.extend({
        typed: confirmationFields.typed,
        beyondGuard: confirmationFields.beyondGuard,
        fingerprint: confirmationFields.fingerprint.nullable().default(null),
      }),
    )
    .output(bulkSchema),
  pause: procedure.input(ref).output(bulkSchema),
  resume: procedure.input(ref).output(bulkSchema),
  /** Cancels the lines that aren't sent yet. */
  cancel: procedure.input(ref).output(bulkSchema),
}
