import { z } from 'zod'
import { accountIdSchema, centsSchema, instantSchema, problemSchema, procedure } from '../base.ts'
import { priceRuleSchema } from './price-rules.ts'

const account = z.object({ accountId: accountIdSchema })
const count = z.number().int()

/** Results of one set of rules. Amounts in cents; days count from 0. */
export const simulationResultSchema = z.object({
  /** Share of the time in which offers with stock led, 0 to 1. */
  lead: z.number().nullable(),
  units: count,
  revenueCents: centsSchema,
  /**
   * Profit after cost, of the `profitOffers` offers whose cost is known; null when no cost is known.
   * `profitOffers` is null in results of earlier versions.
   */
  profitCents: centsSchema.nullable(),
  profitOffers: count.nullable().default(null),
  changes: count,
  raised: count,
  wars: count,
  decisions: count,
  /** Price changes that the pre-send check rejected. */
  refused: count,
  days: z.array(
    z.object({
      lead: z.number().nullable(),
      units: count,
      revenueCents: centsSchema,
      changes: count,
    }),
  ),
  /** The three hours in which the most offers lost the lead. */
  worst: z
    .object({
      at: instantSchema,
      day: count,
      lost: count,
      limited: count,
      wars: count,
      recoveredMs: z.number().nullable(),
    })
    .nullable(),
  offers: z.array(
    z.object({
      offerId: z.string(),
      name: z.string(),
      units: count,
      revenueCents: centsSchema,
      changes: count,
      lead: z.number().nullable(),
    }),
  ),
})
export type SimulationResult = z.infer<typeof simulationResultSchema>

export const simulationSchema = z.object({
  simulationId: z.string(),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  /** 0 to 1. */
  progress: z.number(),
  at: instantSchema,
  tookMs: z.number().nullable(),
  problem: problemSchema.nullable(),
  setup: z.object({
    days: count,
    seed: z.string(),
    intensity: z.number(),
    sellers: count,
    customers: count,
    offers: count,
    from: instantSchema.nullable(),
    titleA: z.string(),
    titleB: z.string(),
  }),
  a: simulationResultSchema.nullable(),
  b: simulationResultSchema.nullable(),
})
export type Simulation = z.infer<typeof simulationSchema>

const ruleSet = z.object({ title: z.string().max(80), rules: z.array(priceRuleSchema).max(100) })

/**
 * Simulates two sets of rules on the bundled market: copies of the account's offers with price,
 * cost and stock, each set in a separate backend process, with the same start and the same seed.
 * Nothing is sent to the account's service.
 */
export const simulationContract = {
  start: procedure
    .input(
      account.extend({
        a: ruleSet,
        b: ruleSet,
        days: z.number().int().min(1).max(90).default(30),
        seed: z.string().min(1).max(100).default('4711'),
        intensity: z.number().min(0.1).max(10).default(1),
        sellers: z.number().int().min(1).max(40).default(8),
        customers: z.number().int().min(0).max(2000).default(200),
        mostOffers: z.number().int().min(1).max(100).default(20),
        /**
         * Starts with the prices and stock that this computer recorded at that time, and replays
         * the recorded best prices since then as a rival. Null: start with current data.
         */
        from: instantSchema.nullable().default(null),
      }),
    )
    .output(simulationSchema),
  get: procedure.input(account.extend({ simulationId: z.string() })).output(simulationSchema),
  cancel: procedure.input(account.extend({ simulationId: z.string() })).output(simulationSchema),
  /** Earlier runs, newest first. */
  list: procedure.input(account).output(z.array(simulationSchema)),
}
