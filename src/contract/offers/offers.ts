import { z } from 'zod'
import {
  accountIdSchema,
  centsSchema,
  instantSchema,
  problemSchema,
  procedure,
  sortSchema,
  windowSchema,
} from '../base.ts'
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
  /** The seller's payout per unit, in cents. */
  priceCents: centsSchema,
  /** The customer price, in cents. */
  customerCents: centsSchema,
  /** Commission class and percent; null if the service doesn't report them. */
  commission: z.object({ class: z.string(), percent: z.number() }).nullable(),
  /** `active` or `paused`; other values if the service adds one. */
  status: z.string(),
  stock: z.number().int(),
  sold: z.number().int().nullable(),
  /** Null if the service doesn't report it. */
  isCheapest: z.boolean().nullable(),
  /**
   * The lowest customer price of the product now; the offer's own price while it leads. Null if
   * unknown.
   */
  lowestCustomerCents: centsSchema.nullable(),
  /** Present if its product left the catalogue: no one can buy it, and it has no lead. */
  unavailable: z.literal(true).optional(),
  /**
   * Cost of a unit, the stock at which this offer counts as low, and the limits of its price in what
   * the seller receives, whatever its rule says. All are stored on this computer only. Null: not
   * entered; for `lowAt` the setting applies.
   */
  costCents: centsSchema.nullable(),
  lowAt: z.number().int().nullable(),
  ownFloorCents: centsSchema.nullable(),
  ownCeilingCents: centsSchema.nullable(),
  updatedAt: instantSchema.nullable(),
  /** When this console last read the offer from the service. */
  seenAt: instantSchema,
  /** A change that is being sent, was rejected, or is queued in the outbox. */
  pending: z
    .object({
      state: z.enum(['saving', 'refused', 'waits']),
      priceCents: centsSchema.nullable(),
      status: offerStatusSchema.nullable(),
      /** Why it was rejected, or how the response to a queued change was lost. */
      problem: problemSchema.nullable(),
      /**
       * Present while a `saving` change isn't sent yet: an earlier one, whose response was lost,
       * can still arrive, for up to 20 s.
       */
      delayed: z.literal(true).optional(),
      /** The parts of a queued change that were sent, and whose response was lost. */
      lost: z.array(z.enum(['price', 'status'])).optional(),
    })
    .nullable(),
})
export type OfferRow = z.infer<typeof offerRowSchema>

/** An offer as lists show it, with data that is stored only on this computer. */
export const listedOfferSchema = offerRowSchema.extend({
  /**
   * Lowest and highest price in what the seller receives, by the offer's own limits and by the rule
   * in force: the narrower of both. Null: no limit, or it can't be computed.
   */
  floorCents: centsSchema.nullable(),
  ceilingCents: centsSchema.nullable(),
  /**
   * Units sold in each of the last seven 24-hour periods, oldest first; null until all sales have
   * been read.
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

const termsSchema = z.object({
  costCents: centsSchema.min(0).max(10_000_000).nullable(),
  lowAt: z.number().int().min(0).max(1_000_000).nullable(),
  ownFloorCents: centsSchema.min(1).max(10_000_000).nullable(),
  ownCeilingCents: centsSchema.min(1).max(10_000_000).nullable(),
})
const offerTermsSchema = termsSchema.extend({ offerId: z.string() })
export type OfferTermsRecord = z.infer<typeof offerTermsSchema>
/** What a unit of an offer cost; null: not entered. */
const offerCostSchema = offerRowSchema.pick({
  offerId: true,
  name: true,
  platform: true,
  region: true,
  deliveryType: true,
  costCents: true,
})
export type OfferCost = z.infer<typeof offerCostSchema>
const changedTermsSchema = z.object({
  changed: z.number().int(),
  before: z.array(offerTermsSchema),
})

const offerRef = z.object({ accountId: accountIdSchema, offerId: z.string() })

const sort = sortSchema(offerSortColumns).default({ column: 'name', direction: 'asc' })

/** A saved table layout. `columns`: visible columns in their order; null: leave them unchanged. */
const layoutSchema = z.object({
  filter: offerFilterSchema.prefault({}),
  sort,
  columns: z.array(z.string().max(40)).max(40).nullable().default(null),
})
export const savedViewSchema = z.object({
  viewId: z.string(),
  name: z.string(),
  look: layoutSchema,
})
export type SavedView = z.infer<typeof savedViewSchema>
const viewName = z.string().trim().min(1).max(60)

/** A seller's offers: mirrored locally, edited in place. */
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
        /** True once all offers have been read; false during the first sync. */
        complete: z.boolean(),
        rows: z.array(listedOfferSchema),
        views: z.record(z.enum(offerViews), z.number().int()),
        platforms: z.array(z.string()),
        regions: z.array(z.string()),
      }),
    ),
  /** The index of an offer in a list; null if the list doesn't contain it. */
  position: procedure
    .input(offerFilterSchema.extend({ accountId: accountIdSchema, sort, offerId: z.string() }))
    .output(z.object({ index: z.number().int().nullable() })),
  /** Ids of all matching offers, in order: the selection of "check all". */
  ids: procedure
    .input(z.object({ accountId: accountIdSchema, filter: offerFilterSchema.prefault({}), sort }))
    .output(z.object({ offerIds: z.array(z.string()) })),
  /**
   * The table as text for a file (`csv`, RFC 4180, with formulas neutralized for spreadsheets) or
   * for the clipboard (`tabs`): all matching offers, or those listed. Money with two decimals,
   * times as ISO 8601 in UTC.
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
   * The costs of these offers, in the given order; unknown ids are left out. `entered`: the number
   * of offers with a cost.
   */
  costs: procedure
    .input(
      z.object({
        accountId: accountIdSchema,
        offerIds: z.array(z.string()).min(1).max(100_000),
        window: windowSchema.prefault({}),
      }),
    )
    .output(
      z.object({
        total: z.number().int(),
        entered: z.number().int(),
        rows: z.array(offerCostSchema),
      }),
    ),
  /**
   * Stores data that never leaves this computer: the cost of a unit, the stock that counts as low,
   * and the limits of the price. Null clears a value; an omitted value stays. `INVALID_INPUT` for a
   * floor above the ceiling. `before` is what {@link restoreTerms} needs to undo it.
   */
  setTerms: procedure
    .input(
      termsSchema.partial().extend({
        accountId: accountIdSchema,
        offerIds: z.array(z.string()).min(1).max(100_000),
      }),
    )
    .output(changedTermsSchema),
  /** Writes the terms of each offer as they were. Returns the terms that it replaced. */
  restoreTerms: procedure
    .input(z.object({ accountId: accountIdSchema, terms: z.array(offerTermsSchema).max(100_000) }))
    .output(changedTermsSchema),
  savedViews: procedure
    .input(z.object({ accountId: accountIdSchema }))
    .output(z.array(savedViewSchema)),
  /** Saves a layout under a name. An existing view of that name is overwritten. */
  saveView: procedure
    .input(z.object({ accountId: accountIdSchema, name: viewName, look: layoutSchema }))
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
      /** The seller's price as this console saw it, oldest first. */
      history: z.array(
        z.object({
          at: instantSchema,
          priceCents: centsSchema,
          /** Null if an earlier version recorded the reading. */
          customerCents: centsSchema.nullable(),
          lowestCustomerCents: centsSchema.nullable(),
          isCheapest: z.boolean().nullable(),
          stock: z.number().int(),
        }),
      ),
    }),
  ),
  /**
   * Creates the offer, or updates it if the product already has one (see `created`). `offer` is
   * null while the change is queued in the outbox.
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
   * Changes price or status. `expectedPriceCents` is the price that the person saw; a different
   * price on the service results in a Problem `CHANGED_MEANWHILE`. While the service is
   * unreachable, the change is queued in the outbox (see `pending.state`).
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
  /**
   * Deletes an offer without stock. If it has sales, the service pauses it instead (`paused:
   * true`).
   */
  remove: procedure.input(offerRef).output(z.object({ paused: z.boolean() })),
}
