/**
 * The simulated market on the dashboard interface: competitors that change prices, and customers
 * that buy and complain.
 */
import { z } from 'zod'
import { listOf, dateTime, orNull, resource, closedList } from '../schemas/resource.ts'

/** The pricing strategy of a simulated seller. */
export const marketStrategies = [
  'undercutter',
  'percentUndercutter',
  'matcher',
  'premium',
  'opportunist',
  'restocker',
  'scheduled',
  'warrior',
] as const
export type MarketStrategy = (typeof marketStrategies)[number]

/**
 * The default market size: the demo data's own competitors, at least this many, and this many
 * customers.
 */
export const marketDefaults = { sellers: 6, customers: 400 } as const

const between = (min: number, max: number) => ({ error: `must be ${min} to ${max}` })

const seedRule = 'must be a text of 1 to 100 characters or an integer'

export const marketRequest = z.object({
  seed: z
    .union([z.string(), z.int()], seedRule)
    .refine(
      (seed) => typeof seed === 'number' || (seed.length >= 1 && seed.length <= 100),
      seedRule,
    ),
  intensity: z.number().min(0, between(0, 10)).max(10, between(0, 10)),
  sellers: z.int().min(0, between(0, 40)).max(40, between(0, 40)).optional(),
  customers: z.int().min(0, between(0, 10_000)).max(10_000, between(0, 10_000)).optional(),
})

/** A unit that one of the market's customers complains about. */
export const complaintRequest = z.object({ orderId: z.string(), keyId: z.string() })

const count = z.int().min(0)

export const market = resource(
  { running: z.boolean() },
  {
    seed: z.union([z.string(), z.int()]).nullable(),
    intensity: z.number(),
    sellers: count,
    customers: count,
    /** When this run started; null before the first run. */
    since: orNull(dateTime),
    /** When the next event is due; null while stopped. */
    nextDueAt: orNull(dateTime),
    /** Event counts since the start of this run. */
    counts: resource({
      priceChanges: count,
      newOffers: count,
      restocks: count,
      visits: count,
      orders: count,
      sales: count,
      claims: count,
      messages: count,
      escalations: count,
      settlements: count,
    }),
    competitors: listOf(
      resource({ sellerId: z.string(), name: z.string(), strategy: closedList(marketStrategies) }),
    ),
    /** The partner accounts that the customers buy through. */
    shops: listOf(resource({ partnerId: z.string(), name: z.string() })),
  },
)
