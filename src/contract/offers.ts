import { z } from 'zod'
import { accountIdSchema, centsSchema, instantSchema, problemSchema, procedure, sortSchema, windowSchema } from './base.ts'

const offerStatusSchema = z.enum(['active', 'paused'])

export const offerRowSchema = z.object({
  offerId: z.string(),
  productId: z.string(),
  name: z.string(),
  platform: z.string(),
  region: z.string(),
  productType: z.string(),
  deliveryType: z.string(),
  /** What the seller receives per unit. */
  priceCents: centsSchema,
  /** What the customer pays. */
  customerCents: centsSchema,
  /** Commission class and percent; null where the service doesn't tell. */
  commission: z.object({ class: z.string(), percent: z.number() }).nullable(),
  /** `active`, `paused`; another word when the service has a new one. */
  status: z.string(),
  stock: z.number().int(),
  sold: z.number().int().nullable(),
  /** Null where the service doesn't tell. */
  isCheapest: z.boolean().nullable(),
  /** The lowest customer price of the product now; the own one while leading. Null unknown. */
  lowestCustomerCents: centsSchema.nullable(),
  updatedAt: instantSchema.nullable(),
  /** When this console last read the offer from the service. */
  seenAt: instantSchema,
  /** A change that is being sent, was refused, or waits in the outbox. */
  pending: z.object({
    state: z.enum(['saving', 'refused', 'waits']),
    priceCents: centsSchema.nullable(),
    status: offerStatusSchema.nullable(),
    problem: problemSchema.nullable(),
  }).nullable(),
})
export type OfferRow = z.infer<typeof offerRowSchema>

export const offerViews = ['all', 'not-cheapest', 'low-stock', 'empty', 'paused'] as const
export const offerSortColumns = ['name', 'price', 'customer', 'lead', 'stock', 'sold', 'seen'] as const

const offerRef = z.object({ accountId: accountIdSchema, offerId: z.string() })

/** A seller's offers: mirrored, edited in place. */
export const offersContract = {
  list: procedure
    .input(z.object({
      accountId: accountIdSchema,
      view: z.enum(offerViews).default('all'),
      query: z.string().max(200).default(''),
      platforms: z.array(z.string()).default([]),
      regions: z.array(z.string()).default([]),
      sort: sortSchema(offerSortColumns).default({ column: 'name', direction: 'asc' }),
      window: windowSchema.prefault({}),
    }))
    .output(z.object({
      total: z.number().int(),
      rows: z.array(offerRowSchema),
      views: z.record(z.enum(offerViews), z.number().int()),
      platforms: z.array(z.string()),
      regions: z.array(z.string()),
    })),
  offer: procedure.input(offerRef).output(offerRowSchema.extend({
    /** Own price as this console saw it, oldest first. */
    history: z.array(z.object({ at: instantSchema, priceCents: centsSchema, lowestCustomerCents: centsSchema.nullable(), isCheapest: z.boolean().nullable(), stock: z.number().int() })),
  })),
  /** Creates the offer, or updates it when the product has one already (`created` tells). `offer` is null while it waits in the outbox. */
  create: procedure
    .input(z.object({ accountId: accountIdSchema, productId: z.string(), priceCents: centsSchema.min(1).max(10_000_000), status: offerStatusSchema.default('active') }))
    .output(z.object({ created: z.boolean(), offer: offerRowSchema.nullable() })),
  /**
   * Changes price or status. `expected` is what the person saw; a different state on the service is a Problem `CHANGED_MEANWHILE`. While the service
   * can't be reached the change waits in the outbox (`pending.state` tells).
   */
  change: procedure
    .input(offerRef.extend({
      priceCents: centsSchema.min(1).max(10_000_000).optional(),
      status: offerStatusSchema.optional(),
      expectedPriceCents: centsSchema.optional(),
    }))
    .output(offerRowSchema),
  /** Deletes an offer without stock; with sales the service pauses it instead (`paused: true`). */
  remove: procedure.input(offerRef).output(z.object({ paused: z.boolean() })),
}
