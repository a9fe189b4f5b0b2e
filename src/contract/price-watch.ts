import { z } from 'zod'
import {
  accountIdSchema,
  centsSchema,
  instantSchema,
  procedure,
  sortSchema,
  windowSchema,
} from './base.ts'
import { decisionReasons, priceRuleSchema, ruleModes } from './price-rules.ts'
import { rehearsalContract } from './rehearsal.ts'

const account = z.object({ accountId: accountIdSchema })
const count = z.number().int()
const reasonSchema = z.enum(decisionReasons)
const offerIds = z.array(z.string()).min(1).max(5000)

/** What a decision was made from. Cents and moments; null where nobody told. */
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
  /** The same was decided again and again until then, so many times. */
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

/** One offer as the watch sees it. */
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
  /** Since when the lead is so, as far as this desk has seen. */
  since: instantSchema,
  /**
   * The best customer price, the own one included; while leading it is the own one. Null unknown.
   */
  bestCents: centsSchema.nullable(),
  /** How old what is shown is: of the best price while behind, of the offer otherwise. */
  seenAt: instantSchema,
  /**
   * What the offer earns a day by its own sales of the last 30 days: what is being lost while it is
   * behind.
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
  /** Approved or applying by itself, and not settled. */
  sending: z.boolean(),
})
export type MarketRow = z.infer<typeof marketRowSchema>

export const storedRuleSchema = z.object({
  ruleId: z.string(),
  revision: count,
  mode: z.enum(ruleModes),
  rule: priceRuleSchema,
  /** Offers it is the rule of, as things stand. */
  covers: count,
})
export type RuleView = z.infer<typeof storedRuleSchema>

/**
 * Why a rule can't do what it says, or leaves offers out. `stop`: these offers never change;
 * `warn`: told before saving.
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
  /** The rule that comes first, where one does. */
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
  /** Own customer price, best customer price while behind, oldest first. */
  points: z.array(
    z.object({
      at: instantSchema,
      customerCents: centsSchema,
      bestCents: centsSchema.nullable(),
      lead: z.enum(['leading', 'behind', 'none', 'unknown']),
    }),
  ),
  /** Prices that rules have set. */
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
   * What was decided and is worth a mark, of the last 30 days and at most 300, oldest first: prices
   * sent, refused or stopped by a limit. The first of each run of the same.
   */
  marks: z.array(
    z.object({ at: instantSchema, reason: reasonSchema, targetCents: centsSchema.nullable() }),
  ),
  /** Part of the known time in which the offer led, 0 to 1; null when nothing is known. */
  leadDay: z.number().nullable(),
  leadMonth: z.number().nullable(),
  earnedMonthCents: centsSchema,
  soldMonth: count,
})

/**
 * Prices against the best price: watched, proposed by rules, sent when approved or by themselves.
 * Everything but sending works offline.
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
      /** Of those that are behind now, how many lost the lead in the last 24 hours. */
      lostToday: count,
      lostPerDayCents: centsSchema,
      /**
       * Part of the time in the lead over all offers: the last 24 hours, and hour by hour, oldest
       * first.
       */
      leadDay: z.number().nullable(),
      leadHours: z.array(z.number().nullable()),
      rules: count,
      auto: count,
      stoppedAt: instantSchema.nullable(),
      /**
       * Offers whose prices somebody else changes too; `suspended`: so many that nothing is sent by
       * itself.
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
   * What a rule's filter can choose among, and what the offers named are called; those that are not
   * here are left out.
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
   * What a rule would do now with the prices as they are: how many of the offers it is for change,
   * stay and why, the lines, and its conflicts. `ruleId` null: a new rule, after the others, or
   * `first` before them.
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
   * Saves a rule. A new one comes last, or `first`, and is off. A changed one that applied by
   * itself proposes again until that is confirmed anew.
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
  /** `auto` in LIVE wants the rule's name typed. */
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
   * Sends proposals: each is written down, looked at once more and sent. `shown`: the price that
   * the person saw for each; one that is another by now is not sent. Gives how many were taken up;
   * the rest had changed.
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
  /** Turns proposals down: the same price is not proposed again until the best price is another. */
  reject: procedure.input(account.extend({ offerIds })).output(z.void()),
  /** Leaves prices alone until then; null: until let go. */
  hold: procedure
    .input(account.extend({ offerIds, until: instantSchema.nullable() }))
    .output(z.void()),
  release: procedure.input(account.extend({ offerIds })).output(z.void()),
  /** Looks these offers up now. */
  look: procedure
    .input(account.extend({ offerIds: z.array(z.string()).min(1).max(50) }))
    .output(z.void()),

  /** Stops everything that rules send, in all accounts: at once, and over a restart. */
  stopAll: procedure.output(z.object({ returned: count })),
  resume: procedure.output(z.void()),
  /**
   * For the status bar: rules that apply by themselves in all accounts, and since when all is
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
  /** The same as csv, for spreadsheets: every input of every decision. */
  exportDecisions: procedure
    .input(
      account.extend({
        offerId: z.string().nullable().default(null),
        from: instantSchema.nullable().default(null),
        to: instantSchema.nullable().default(null),
      }),
    )
    .output(z.object({ fileName: z.string(), base64: z.string() })),
  rehearsal: rehearsalContract,
}
