import { z } from 'zod'
import {
  accountIdSchema,
  centsSchema,
  instantSchema,
  problemSchema,
  procedure,
  sortSchema,
  windowSchema,
} from './base.ts'
import { offerFilterSchema, offerViews } from './offer-filter.ts'
import { offerBulkContract } from './offer-bulk.ts'
import { offerCreationContract } from './offer-creation.ts'
import { withdrawalsContract } from './withdrawals.ts'

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
  /**
   * What a unit cost the seller, and the stock at which this offer counts as low: known on this
   * machine only. Null: not told, or the setting's.
   */
  costCents: centsSchema.nullable(),
  lowAt: z.number().int().nullable(),
  updatedAt: instantSchema.nullable(),
  /** When this console last read the offer from the service. */
  seenAt: instantSchema,
  /** A change that is being sent, was refused, or waits in the outbox. */
  pending: z
    .object({
      state: z.enum(['saving', 'refused', 'waits']),
      priceCents: centsSchema.nullable(),
      status: offerStatusSchema.nullable(),
      problem: problemSchema.nullable(),
    })
    .nullable(),
})
export type OfferRow = z.infer<typeof offerRowSchema>

/** An offer as lists show it: with what else this machine knows. */
export const listedOfferSchema = offerRowSchema.extend({
  /**
   * Below what the rule of the price watch that is in force never goes, in what the seller
   * receives; null: no rule, or its floor can't be told.
   */
  floorCents: centsSchema.nullable(),
  /**
   * Units sold in each of the last seven 24 hours, the oldest first; null while the sales have not
   * been read whole.
   */
  soldDays: z.array(z.number().int()).length(7).nullable(),
})
export type ListedOffer = z.infer<typeof listedOfferSchema>

export const offerSortColumns = [
  'name',
  'price',
  'customer',
  'lead',
  'stock',
  'week',
  'sold',
  'seen',
  'profit',
] as const

const offerRef = z.object({ accountId: accountIdSchema, offerId: z.string() })

const sort = sortSchema(offerSortColumns).default({ column: 'name', direction: 'asc' })

/**
 * How a person looks at the offers, under a name. `columns`: those shown, in their order; null: as
 * they were.
 */
const lookSchema = z.object({
  filter: offerFilterSchema.prefault({}),
  sort,
  columns: z.array(z.string().max(40)).max(40).nullable().default(null),
})
export const savedViewSchema = z.object({ viewId: z.string(), name: z.string(), look: lookSchema })
export type SavedView = z.infer<typeof savedViewSchema>
const viewName = z.string().trim().min(1).max(60)

/** A seller's offers: mirrored, edited in place. */
export const offersContract = {
  list: procedure
    .input(
      offerFilterSchema.extend({
        accountId: accountIdSchema,
        sort,
        window: windowSchema.prefault({}),
      }),
    )
    .output(
      z.object({
        total: z.number().int(),
        rows: z.array(listedOfferSchema),
        views: z.record(z.enum(offerViews), z.number().int()),
        platforms: z.array(z.string()),
        regions: z.array(z.string()),
      }),
    ),
  /** Ids of all that fit, in their order: what "check all" checks. */
  ids: procedure
    .input(z.object({ accountId: accountIdSchema, filter: offerFilterSchema.prefault({}), sort }))
    .output(z.object({ offerIds: z.array(z.string()) })),
  /**
   * The table as text, for a file (`csv`, RFC 4180, text that a spreadsheet would calculate made
   * harmless) or the clipboard (`tabs`): all that fit, or those named. Money with two decimals,
   * moments as ISO 8601 in UTC.
   */
  table: procedure
    .input(
      z.object({
        accountId: accountIdSchema,
        filter: offerFilterSchema.prefault({}),
        sort,
        offerIds: z.array(z.string()).max(100_000).nullable().default(null),
        form: z.enum(['csv', 'tabs']),
      }),
    )
    .output(z.object({ fileName: z.string(), text: z.string(), rows: z.number().int() })),
  /**
   * Keeps what only this machine knows of offers: the cost of a unit, the stock that counts as low.
   * Null takes it away; left out, it stays.
   */
  setTerms: procedure
    .input(
      z.object({
        accountId: accountIdSchema,
        offerIds: z.array(z.string()).min(1).max(100_000),
        costCents: centsSchema.min(0).max(10_000_000).nullable().optional(),
        lowAt: z.number().int().min(0).max(1_000_000).nullable().optional(),
      }),
    )
    .output(z.object({ changed: z.number().int() })),
  savedViews: procedure
    .input(z.object({ accountId: accountIdSchema }))
    .output(z.array(savedViewSchema)),
  /** Keeps a look under a name; the same name takes the new look. */
  saveView: procedure
    .input(z.object({ accountId: accountIdSchema, name: viewName, look: lookSchema }))
    .output(savedViewSchema),
  /** `CONFLICT` when another view has the name. */
  renameView: procedure
    .input(z.object({ accountId: accountIdSchema, viewId: z.string(), name: viewName }))
    .output(savedViewSchema),
  removeView: procedure
    .input(z.object({ accountId: accountIdSchema, viewId: z.string() }))
    .output(z.void()),
  bulk: offerBulkContract,
  creation: offerCreationContract,
  withdrawals: withdrawalsContract,
  offer: procedure.input(offerRef).output(
    listedOfferSchema.extend({
      /** Own price as this console saw it, oldest first. */
      history: z.array(
        z.object({
          at: instantSchema,
          priceCents: centsSchema,
          lowestCustomerCents: centsSchema.nullable(),
          isCheapest: z.boolean().nullable(),
          stock: z.number().int(),
        }),
      ),
    }),
  ),
  /**
   * Creates the offer, or updates it when the product has one already (`created` tells). `offer` is
   * null while it waits in the outbox.
   */
  create: procedure
    .input(
      z.object({
        accountId: accountIdSchema,
        productId: z.string(),
        priceCents: centsSchema.min(1).max(10_000_000),
        status: offerStatusSchema.default('active'),
      }),
    )
    .output(z.object({ created: z.boolean(), offer: offerRowSchema.nullable() })),
  /**
   * Changes price or status. `expected` is what the person saw; a different state on the service is
   * a Problem `CHANGED_MEANWHILE`. While the service can't be reached the change waits in the
   * outbox (`pending.state` tells).
   */
  change: procedure
    .input(
      offerRef.extend({
        priceCents: centsSchema.min(1).max(10_000_000).optional(),
        status: offerStatusSchema.optional(),
        expectedPriceCents: centsSchema.optional(),
      }),
    )
    .output(offerRowSchema),
  /** Deletes an offer without stock; with sales the service pauses it instead (`paused: true`). */
  remove: procedure.input(offerRef).output(z.object({ paused: z.boolean() })),
}
