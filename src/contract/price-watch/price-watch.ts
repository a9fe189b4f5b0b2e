import { z } from 'zod'
import {
  accountIdSchema,
  centsSchema,
  instantSchema,
  procedure,
  sortSchema,
  windowSchema,
} from '../base.ts'
import { decisionReasons, priceRuleSchema, ruleModes } from './price-rules.ts'
import { simulationContract } from './price-simulation.ts'

const account = z.object({ accountId: accountIdSchema })
const count = z.number().int()
const reasonSchema = z.enum(decisionReasons)
const offerIds = z.array(z.string()).min(1).max(5000)

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
   * is behind.
   */
  perDayCents: centsSchema,
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
  bestCents: centsSchema.nullable(),
  priceCents: centsSchema,
  customerCents: centsSchema,
  targetCents: centsSchema.nullable(),
  targetCustomerCents: centsSchema.nullable(),
  floorCents: centsSchema.nullable(),
  reason: reasonSchema,
})
export type PreviewLine = z.infer<typeof previewLineSchema>

const historySchema = z.object({
  /** Own customer price, and the best customer price while behind, oldest first. */
  points: z.array(
    z.object({
      at: instantSchema,
      customerCents: centsSchema,
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

/**
 * The price watch: compares prices with the best price, proposes new prices by rules, and sends
 * them when approved or by auto-apply. Everything except sending works offline.
 */
export const priceWatchContract = {
  overview: procedure.input(account).output(
    z.object({
      counts: z.object({
        offers: count,
        watched: count,
        leading: count,
        losing: count,
        unknown: count,
        empty: count,
        paused: count,
        proposals: count,
        probing: count,
        held: count,
        sending: count,
      }),
      /** Number of offers that are behind now and lost the lead in the last 24 hours. */
      lostToday: count,
      lostPerDayCents: centsSchema,
      /**
       * Share of the time in the lead over all offers: for the last 24 hours, and per hour, oldest
       * first.
       */
      leadDay: z.number().nullable(),
      leadHours: z.array(z.number().nullable()),
      rules: count,
      auto: count,
      stoppedAt: instantSchema.nullable(),
      /**
       * Offers whose prices are also changed elsewhere. `suspended`: so many that auto-apply is
       * off.
       */
      elsewhere: z.object({ offers: z.array(z.string()).max(50), suspended: z.boolean() }),
      listedAt: instantSchema.nullable(),
    }),
  ),
  market: procedure
    .input(
      account.extend({
        tab: z.enum(marketTabs).default('losing'),
        query: z.string().max(200).default(''),
        ruleId: z.string().nullable().default(null),
        sort: sortSchema(marketSortColumns).default({ column: 'lost', direction: 'desc' }),
        window: windowSchema.prefault({}),
      }),
    )
    .output(
      z.object({
        total: count,
        rows: z.array(marketRowSchema),
        tabs: z.record(z.enum(marketTabs), count),
      }),
    ),
  offer: procedure.input(account.extend({ offerId: z.string() })).output(
    marketRowSchema.extend({
      decision: decisionSchema.nullable(),
      rule: priceRuleSchema.nullable(),
      history: historySchema,
    }),
  ),

  rules: procedure.input(account).output(z.array(storedRuleSchema)),
  /**
   * The values that a rule's filter can choose from, and the names of the given offers. Unknown
   * offers are left out.
   */
  choices: procedure
    .input(account.extend({ offerIds: z.array(z.string()).max(5000).default([]) }))
    .output(
      z.object({
        platforms: z.array(z.string()),
        regions: z.array(z.string()),
        productTypes: z.array(z.string()),
        deliveryTypes: z.array(z.string()),
        offers: z.array(
          z.object({
            offerId: z.string(),
            name: z.string(),
            platform: z.string(),
            region: z.string(),
          }),
        ),
      }),
    ),
  /**
   * What a rule would do at current prices: how many of its offers change, how many stay and why,
   * the lines, and its conflicts. `ruleId` null: a new rule, after the others, or before them with
   * `first`.
   */
  preview: procedure
    .input(
      account.extend({
        ruleId: z.string().nullable(),
        rule: priceRuleSchema,
        first: z.boolean().default(false),
        changesOnly: z.boolean().default(true),
        window: windowSchema.prefault({}),
      }),
    )
    .output(
      z.object({
        sums: z.object({
          offers: count,
          change: count,
          stay: count,
          atFloor: count,
          noCost: count,
          conflict: count,
          notSelling: count,
        }),
        total: count,
        lines: z.array(previewLineSchema),
        conflicts: z.array(conflictSchema),
        at: instantSchema.nullable(),
      }),
    ),
  /**
   * Saves a rule. A new rule comes last (or first with `first`) and is off. A changed rule with
   * auto-apply proposes again until a person confirms auto-apply again.
   */
  saveRule: procedure
    .input(
      account.extend({
        ruleId: z.string().nullable(),
        rule: priceRuleSchema,
        first: z.boolean().default(false),
      }),
    )
    .output(storedRuleSchema),
  removeRule: procedure
    .input(account.extend({ ruleId: z.string() }))
    .output(z.array(storedRuleSchema)),
  /** All rules in their new order. */
  orderRules: procedure
    .input(account.extend({ ruleIds: z.array(z.string()).max(500) }))
    .output(z.array(storedRuleSchema)),
  /** In LIVE, `auto` requires the rule's name to be typed. */
  setMode: procedure
    .input(
      account.extend({
        ruleId: z.string(),
        mode: z.enum(ruleModes),
        typed: z.string().max(200).nullable().default(null),
      }),
    )
    .output(z.array(storedRuleSchema)),

  /**
   * Sends proposals: each is journaled, checked again and sent. `targetCents`: the price that the
   * person saw; a proposal with a different price isn't sent. Returns the number approved, and the
   * offers whose proposal had changed.
   */
  approve: procedure
    .input(
      account.extend({
        offers: z
          .array(z.object({ offerId: z.string(), targetCents: centsSchema }))
          .min(1)
          .max(5000),
      }),
    )
    .output(z.object({ approved: count, changed: z.array(z.string()) })),
  /** Turns proposals down. The same price isn't proposed again until the best price changes. */
  reject: procedure.input(account.extend({ offerIds })).output(z.void()),
  /** Leaves prices unchanged until the given time; null: until released. */
  hold: procedure
    .input(account.extend({ offerIds, until: instantSchema.nullable() }))
    .output(z.void()),
  release: procedure.input(account.extend({ offerIds })).output(z.void()),
  /** Refreshes these offers now. */
  refresh: procedure
    .input(account.extend({ offerIds: z.array(z.string()).min(1).max(50) }))
    .output(z.void()),

  /** Stops all sending by rules in all accounts immediately. It stays stopped after a restart. */
  stopAll: procedure.output(z.object({ returned: count })),
  resume: procedure.output(z.void()),
  /**
   * For the status bar: the number of auto-apply rules in all accounts, and since when sending is
   * stopped.
   */
  switch: procedure.output(
    z.object({ auto: count, stoppedAt: instantSchema.nullable(), sending: count }),
  ),

  decisions: procedure
    .input(
      account.extend({
        offerId: z.string().nullable().default(null),
        reasons: z.array(reasonSchema).max(50).default([]),
        from: instantSchema.nullable().default(null),
        to: instantSchema.nullable().default(null),
        sentOnly: z.boolean().default(false),
        window: windowSchema.prefault({}),
      }),
    )
    .output(
      z.object({
        total: count,
        rows: z.array(decisionSchema.extend({ name: z.string(), platform: z.string() })),
      }),
    ),
  /** The decisions as CSV for spreadsheets, with every input. */
  exportDecisions: procedure
    .input(
      account.extend({
        offerId: z.string().nullable().default(null),
        from: instantSchema.nullable().default(null),
        to: instantSchema.nullable().default(null),
      }),
    )
    .output(z.object({ fileName: z.string(), base64: z.string() })),
  simulation: simulationContract,
}
