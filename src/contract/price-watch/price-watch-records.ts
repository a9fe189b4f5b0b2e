import { z } from 'zod'
import { accountIdSchema, centsSchema, instantSchema } from '../base.ts'
import { decisionReasons, priceRuleSchema, ruleModes } from './price-rules.ts'

export const account = z.object({ accountId: accountIdSchema })
export const count = z.number().int()
export const reasonSchema = z.enum(decisionReasons)
/** The most offers of one request. */
export const MOST_OFFERS = 5000
export const offerIds = z.array(z.string()).min(1).max(MOST_OFFERS)

/**
 * Why an offer is on hold: a person, a price war, a price set elsewhere, a snoozed proposal, or a
 * rejected send.
 */
const holdReasons = ['person', 'war', 'foreign', 'snoozed', 'refused'] as const
/** `until` null: until a person releases it. */
const offerHoldSchema = z.object({
  why: z.enum(holdReasons),
  until: instantSchema.nullable(),
  since: instantSchema,
})
export type OfferHold = z.infer<typeof offerHoldSchema>
/** The holds of offers before a `hold` at `since`; null: the offer wasn't on hold. */
export const earlierHoldsSchema = z.object({
  since: instantSchema,
  before: z
    .array(z.object({ offerId: z.string(), hold: offerHoldSchema.nullable() }))
    .max(MOST_OFFERS),
})

/** A price that a person rejected, at this best price. `since`: missing in earlier versions. */
const rejectedPriceSchema = z.object({
  targetCents: centsSchema,
  bestCents: centsSchema.nullable(),
  since: instantSchema.optional(),
})
export type RejectedPrice = z.infer<typeof rejectedPriceSchema>
/** The rejections of offers before a `reject` at `since`; null: no price was rejected. */
export const earlierRejectionsSchema = z.object({
  since: instantSchema,
  before: z
    .array(z.object({ offerId: z.string(), rejected: rejectedPriceSchema.nullable() }))
    .max(MOST_OFFERS),
})

/** The inputs of a decision. Cents and timestamps; null if unknown. */
const decisionInputsSchema = z.object({
  customerCents: centsSchema,
  commissionPercent: z.number().nullable(),
  costCents: centsSchema.nullable(),
  isCheapest: z.boolean().nullable(),
  stock: count,
  status: z.string(),
  seenAt: instantSchema,
  bestCents: centsSchema.nullable(),
  bestAt: instantSchema.nullable(),
  ownElsewhereCents: centsSchema.nullable(),
  revision: count.nullable(),
  targetCustomerCents: centsSchema.nullable(),
  floorCents: centsSchema.nullable(),
  ceilingCents: centsSchema.nullable(),
  changesToday: count,
  changesInWindow: count,
  lastChangeAt: instantSchema.nullable(),
  until: instantSchema.nullable(),
  note: z.string().nullable(),
})
export const decisionSchema = z.object({
  number: count,
  offerId: z.string(),
  at: instantSchema,
  /** The same decision was repeated until this time; `times` counts the repeats. */
  lastAt: instantSchema,
  times: count,
  reason: reasonSchema,
  ruleId: z.string().nullable(),
  ruleName: z.string().nullable(),
  beforeCents: centsSchema,
  targetCents: centsSchema.nullable(),
  by: z.enum(['rule', 'auto', 'person']),
  inputs: decisionInputsSchema,
})
export type LoggedDecision = z.infer<typeof decisionSchema>

/**
 * A price that a person or a rule sent. `returned`: the check before sending or a lost response
 * stopped it. `note`: the check's reason or the service's code.
 */
export const priceSendSchema = z.object({
  sendId: z.string(),
  offerId: z.string(),
  state: z.enum(['queued', 'sending', 'applied', 'refused', 'returned']),
  note: z.string().nullable(),
})
export type PriceSend = z.infer<typeof priceSendSchema>

export const marketTabs = ['losing', 'proposals', 'probing', 'held', 'all'] as const
export type MarketTab = (typeof marketTabs)[number]
export const marketSortColumns = ['lost', 'name', 'customer', 'best', 'seen', 'since'] as const

/** One offer in the price watch. */
export const marketRowSchema = z.object({
  offerId: z.string(),
  productId: z.string(),
  name: z.string(),
  platform: z.string(),
  region: z.string(),
  deliveryType: z.string(),
  stock: count,
  priceCents: centsSchema,
  customerCents: centsSchema,
  commissionPercent: z.number().nullable(),
  costCents: centsSchema.nullable(),
  /** `none`: paused or empty. */
  lead: z.enum(['leading', 'behind', 'none', 'unknown']),
  /** Start of the current lead state, as far as this computer has seen it. */
  since: instantSchema,
  /**
   * The best customer price, including the seller's own; equal to the own price while leading. Null
   * if unknown.
   */
  bestCents: centsSchema.nullable(),
  /** When the data was read: the best price while behind, otherwise the offer. */
  seenAt: instantSchema,
  /**
   * Average daily earnings of the offer over the last 30 days; this amount is lost per day while it
   * is behind. Null without sales in that time.
   */
  perDayCents: centsSchema.nullable(),
  ruleId: z.string().nullable(),
  ruleName: z.string().nullable(),
  reason: reasonSchema,
  until: instantSchema.nullable(),
  proposal: z
    .object({
      targetCents: centsSchema,
      targetCustomerCents: centsSchema.nullable(),
      at: instantSchema,
    })
    .nullable(),
  /** Approved by a person or sent by auto-apply, and not settled. */
  sending: z.boolean(),
})
export type MarketRow = z.infer<typeof marketRowSchema>

export const storedRuleSchema = z.object({
  ruleId: z.string(),
  revision: count,
  mode: z.enum(ruleModes),
  rule: priceRuleSchema,
  /** Number of offers that this rule currently applies to. */
  covers: count,
})
export type RuleView = z.infer<typeof storedRuleSchema>

/** How many offers a rule covers, and how many prices it changes now. */
export const ruleEffectSchema = z.object({ offers: count, change: count })
export type RuleEffect = z.infer<typeof ruleEffectSchema>

/**
 * Why a rule can't work as written, or leaves offers out. `stop`: these offers never change;
 * `warn`: shown before saving.
 */
export const conflictSchema = z.object({
  kind: z.enum([
    'floor-above-ceiling',
    'no-cost',
    'no-commission',
    'rule-above',
    'raise-without-ceiling',
    'zone-unknown',
    'covers-none',
    'below-cost',
    'dates',
  ]),
  severity: z.enum(['stop', 'warn']),
  offers: count,
  offerIds: z.array(z.string()).max(200),
  /** The rule that takes precedence, if there is one. */
  ruleName: z.string().nullable(),
})
export type RuleConflict = z.infer<typeof conflictSchema>

export const previewLineSchema = z.object({
  offerId: z.string(),
  name: z.string(),
  platform: z.string(),
  region: z.string(),
  deliveryType: z.string(),
  bestCents: centsSchema.nullable(),
  priceCents: centsSchema,
  customerCents: centsSchema,
  targetCents: centsSchema.nullable(),
  targetCustomerCents: centsSchema.nullable(),
  floorCents: centsSchema.nullable(),
  reason: reasonSchema,
})
export type PreviewLine = z.infer<typeof previewLineSchema>

export const historySchema = z.object({
  /** Own customer price, and the best customer price while behind, oldest first. */
  points: z.array(
    z.object({
      at: instantSchema,
      customerCents: centsSchema,
      /** Calculated with the present commission: an earlier version recorded only the price. */
      isEstimated: z.boolean(),
      bestCents: centsSchema.nullable(),
      lead: z.enum(['leading', 'behind', 'none', 'unknown']),
    }),
  ),
  /** Prices set by rules. */
  changes: z.array(
    z.object({
      at: instantSchema,
      fromCents: centsSchema,
      toCents: centsSchema,
      reason: reasonSchema,
      by: z.enum(['person', 'auto']),
    }),
  ),
  /**
   * Decisions to mark in the chart, from the last 30 days and at most 300, oldest first: prices
   * sent, rejected or stopped by a limit. Only the first of each run of repeats.
   */
  marks: z.array(
    z.object({ at: instantSchema, reason: reasonSchema, targetCents: centsSchema.nullable() }),
  ),
  /** Share of the known time in which the offer led, 0 to 1; null when nothing is known. */
  leadDay: z.number().nullable(),
  leadMonth: z.number().nullable(),
  earnedMonthCents: centsSchema,
  soldMonth: count,
})
