import { z } from 'zod'
import { cents, percentUpTo, ZERO } from '../../../server/api/money.ts'
import { centsSchema, instantSchema } from '../base.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const amountCents = centsSchema.min(0).max(10_000_000)
const percent = percentUpTo(1000)

/** A difference: an amount in cents, or a percentage of the price it applies to. */
export const stepSchema = z.discriminatedUnion('by', [
  z.object({ by: z.literal('amount'), cents: amountCents }),
  z.object({ by: z.literal('percent'), percent: percent.max(50) }),
])
export type PriceStep = z.infer<typeof stepSchema>

/**
 * A price limit. `receive`: what the seller receives; `customer`: what the customer pays; `cost`:
 * the cost of a unit plus the minimum profit after commission, as an amount, a percentage of the
 * cost, or both.
 */
const boundKinds = [
  z.object({ kind: z.literal('receive'), cents: amountCents.min(1) }),
  z.object({ kind: z.literal('customer'), cents: amountCents.min(1) }),
  z.object({ kind: z.literal('cost'), profitCents: amountCents, profitPercent: percent }),
] as const
export const floorSchema = z.discriminatedUnion('kind', boundKinds)
export const ceilingSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  ...boundKinds,
])
export type PriceFloor = z.infer<typeof floorSchema>
export type PriceCeiling = z.infer<typeof ceilingSchema>

/** The offers that a rule covers. An empty list in a filter matches any value. */
export const ruleScopeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('all') }),
  z.object({ kind: z.literal('offers'), offerIds: z.array(z.string()).min(1).max(5000) }),
  z.object({
    kind: z.literal('filter'),
    platforms: z.array(z.string()).max(100),
    regions: z.array(z.string()).max(300),
    productTypes: z.array(z.string()).max(20),
    deliveryTypes: z.array(z.string()).max(20),
    /** Range of the current customer price. */
    fromCents: amountCents.nullable(),
    toCents: amountCents.nullable(),
  }),
])
export type RuleScope = z.infer<typeof ruleScopeSchema>

export const priceRuleSchema = z.object({
  name: z.string().trim().min(1).max(80),
  scope: ruleScopeSchema,
  /**
   * While another offer sells first: keep the price, match the best customer price, or undercut it.
   */
  behind: z.discriminatedUnion('act', [
    z.object({ act: z.literal('stay') }),
    z.object({ act: z.literal('match') }),
    z.object({ act: z.literal('undercut'), step: stepSchema }),
  ]),
  /**
   * While this offer sells first: keep the price, or raise it in steps until the lead is lost, then
   * step back.
   */
  leading: z.discriminatedUnion('act', [
    z.object({ act: z.literal('stay') }),
    z.object({
      act: z.literal('raise'),
      step: stepSchema,
      everyMs: z
        .number()
        .int()
        .min(5 * minute)
        .max(30 * day),
    }),
  ]),
  floor: floorSchema,
  ceiling: ceilingSchema,
  /**
   * If the target is below the floor: keep the price, or go down to the floor without taking the
   * lead.
   */
  atFloor: z.enum(['stay', 'go']),
  /**
   * Last digits of the customer price: `99` for x.99, `9` for x.x9; null for any. Rounds down, but
   * never below the floor.
   */
  ending: z
    .string()
    .regex(/^\d{1,2}$/)
    .nullable(),
  /** Minimum time since the last change before the price goes down or up, in milliseconds. */
  coolDownMs: z
    .number()
    .int()
    .min(0)
    .max(30 * day),
  coolUpMs: z
    .number()
    .int()
    .min(0)
    .max(30 * day),
  /** Smaller changes are skipped. */
  leastCents: amountCents,
  /** Maximum number of changes of one offer in 24 hours. */
  changesADay: z.number().int().min(1).max(200),
  /** This many changes of one offer within the window mean a price war: the offer is held. */
  war: z.object({
    changes: z.number().int().min(2).max(100),
    withinMs: z
      .number()
      .int()
      .min(5 * minute)
      .max(day),
    holdMs: z
      .number()
      .int()
      .min(5 * minute)
      .max(7 * day),
  }),
  /**
   * The largest single change, in percent of the current price. A person must make larger changes.
   */
  mostPercent: z.number().min(1).max(50),
  /**
   * When the rule is active. Minutes of the day in the time zone; if `from` is after `to`, the span
   * crosses midnight; if they are equal, it covers the full day. Days: 0 (Sunday) to 6 (Saturday).
   */
  hours: z.object({
    days: z.array(z.number().int().min(0).max(6)).min(1).max(7),
    from: z.number().int().min(0).max(1439),
    to: z.number().int().min(0).max(1439),
    zone: z.string().max(60),
  }),
  /** Before `startsAt`, and from `endsAt` on, the rule matches no offer; null: no such limit. */
  startsAt: instantSchema.nullable(),
  endsAt: instantSchema.nullable(),
})
export type PriceRule = z.infer<typeof priceRuleSchema>

/** `off`: matches no offer. `propose`: a person decides. `auto`: prices are sent automatically. */
export const ruleModes = ['off', 'propose', 'auto'] as const
export type RuleMode = (typeof ruleModes)[number]

/** Defaults of a new rule: it undercuts by a cent, but not below cost plus 10 %. */
export const newRuleDefaults: PriceRule = {
  name: 'New rule',
  scope: { kind: 'all' },
  behind: { act: 'undercut', step: { by: 'amount', cents: cents(1) } },
  leading: { act: 'stay' },
  floor: { kind: 'cost', profitCents: ZERO, profitPercent: 10 },
  ceiling: { kind: 'none' },
  atFloor: 'stay',
  ending: null,
  coolDownMs: 15 * minute,
  coolUpMs: hour,
  leastCents: cents(1),
  changesADay: 12,
  war: { changes: 6, withinMs: hour, holdMs: 4 * hour },
  mostPercent: 20,
  hours: { days: [0, 1, 2, 3, 4, 5, 6], from: 0, to: 0, zone: 'UTC' },
  startsAt: null,
  endsAt: null,
}

/** Why a price should change. */
export const changeReasons = [
  'match',
  'undercut',
  'step-back',
  'raise',
  'to-floor',
  'up-to-floor',
  'down-to-ceiling',
] as const
/** Why a price stays unchanged. */
export const stayReasons = [
  'leading',
  'at-ceiling',
  'at-floor',
  'matched',
  'told-to-stay',
  'too-small',
  'cooling-down',
  'daily-limit',
  'war',
  'held',
  'held-refused',
  'snoozed',
  'rejected',
  'too-far',
  'out-of-hours',
  'no-rule',
  'not-selling',
  'stale',
  'best-unknown',
  'lead-unknown',
  'no-cost',
  'no-commission',
  'floor-above-ceiling',
  'own-shop-leads',
  'outbox-waits',
  'changed-elsewhere',
  'stopped',
] as const
/** Result of sending a change: applied, or rejected by the pre-send check or the service. */
const sendReasons = ['applied', 'last-check', 'refused', 'answer-lost'] as const
export const decisionReasons = [...changeReasons, ...stayReasons, ...sendReasons] as const
export type ChangeReason = (typeof changeReasons)[number]
export type StayReason = (typeof stayReasons)[number]
export type DecisionReason = (typeof decisionReasons)[number]
