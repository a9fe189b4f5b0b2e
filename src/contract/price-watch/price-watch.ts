import { z } from 'zod'
import { centsSchema, instantSchema, procedure, sortSchema, windowSchema } from '../base.ts'
import { priceRuleSchema, ruleModes } from './price-rules.ts'
import { simulationContract } from './price-simulation.ts'
import {
  account,
  conflictSchema,
  count,
  decisionSchema,
  earlierHoldsSchema,
  earlierRejectionsSchema,
  historySchema,
  marketRowSchema,
  marketSortColumns,
  marketTabs,
  MOST_OFFERS,
  offerIds,
  previewLineSchema,
  reasonSchema,
  priceSendSchema,
  ruleEffectSchema,
  storedRuleSchema,
} from './price-watch-records.ts'

const marketChoice = {
  tab: z.enum(marketTabs).default('losing'),
  query: z.string().max(200).default(''),
  ruleId: z.string().nullable().default(null),
  sort: sortSchema(marketSortColumns).default({ column: 'lost', direction: 'desc' }),
}

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
      /** How often offers lost the lead in the last 24 hours, also those that lead again. */
      lostToday: count,
      /** Null if it isn't known for any losing offer. */
      lostPerDayCents: centsSchema.nullable(),
      /** Losing offers without sales to judge their loss by. */
      lostUnknown: count,
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
       * Offers whose prices are also changed elsewhere, at most those that one `release` takes.
       * `suspended`: so many that auto-apply is off.
       */
      elsewhere: z.object({ offers: z.array(z.string()).max(MOST_OFFERS), suspended: z.boolean() }),
      listedAt: instantSchema.nullable(),
    }),
  ),
  market: procedure
    .input(account.extend(marketChoice).extend({ window: windowSchema.prefault({}) }))
    .output(
      z.object({
        total: count,
        rows: z.array(marketRowSchema),
        tabs: z.record(z.enum(marketTabs), count),
      }),
    ),
  /** The index of an offer in a tab; null if the tab doesn't contain it. */
  position: procedure
    .input(account.extend(marketChoice).extend({ offerId: z.string() }))
    .output(z.object({ index: z.number().int().nullable() })),
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
            deliveryType: z.string(),
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
  /**
   * `auto` requires the effect that the person saw in the preview; if it differs by then, the result
   * is a Problem `CHANGED_MEANWHILE` with the current `offers` and `change` in its details. In LIVE,
   * it also requires the rule's name to be typed.
   */
  setMode: procedure
    .input(
      account.extend({
        ruleId: z.string(),
        mode: z.enum(ruleModes),
        seen: ruleEffectSchema.nullable().default(null),
        typed: z.string().max(200).nullable().default(null),
      }),
    )
    .output(z.array(storedRuleSchema)),

  /**
   * Sends proposals: each is journaled, checked again and sent. `targetCents`: the price that the
   * person saw; a proposal with a different price isn't sent. Returns the number approved with
   * their sends, and the offers whose proposal had changed.
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
    .output(
      z.object({
        approved: count,
        sends: z.array(z.object({ offerId: z.string(), sendId: z.string() })),
        changed: z.array(z.string()),
      }),
    ),
  /** What became of these sends. */
  sends: procedure
    .input(account.extend({ sendIds: z.array(z.string()).min(1).max(5000) }))
    .output(z.array(priceSendSchema)),
  /**
   * Turns proposals down. The same price isn't proposed again until the best price changes. The
   * result undoes it.
   */
  reject: procedure.input(account.extend({ offerIds })).output(earlierRejectionsSchema),
  /** Restores the rejections before a `reject`. One that was repeated or ended isn't changed. */
  undoReject: procedure.input(account.extend(earlierRejectionsSchema.shape)).output(z.void()),
  /** Leaves prices unchanged until the given time; null: until released. The result undoes it. */
  hold: procedure
    .input(account.extend({ offerIds, until: instantSchema.nullable() }))
    .output(earlierHoldsSchema),
  /** Restores the holds before a `hold`. A hold that was set or ended since then isn't changed. */
  undoHold: procedure.input(account.extend(earlierHoldsSchema.shape)).output(z.void()),
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
        rows: z.array(
          decisionSchema.extend({
            name: z.string(),
            platform: z.string(),
            region: z.string(),
            deliveryType: z.string(),
          }),
        ),
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
