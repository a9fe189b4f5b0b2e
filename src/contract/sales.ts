import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import {
  accountIdSchema,
  centsSchema,
  instantSchema,
  procedure,
  sortSchema,
  windowSchema,
} from './base.ts'

/**
 * Where the cost of a sale comes from: the batch of its key, or the offer's cost as an estimate.
 */
export const costSources = ['batch', 'offer'] as const

export const saleRowSchema = z.object({
  saleId: z.string(),
  offerId: z.string().nullable(),
  productId: z.string().nullable(),
  name: z.string(),
  platform: z.string(),
  region: z.string(),
  deliveryType: z.string(),
  orderId: z.string().nullable(),
  keyId: z.string().nullable(),
  /** Amount the seller receives; null if the service doesn't report it. */
  priceCents: centsSchema.nullable(),
  /** Amount the customer paid. */
  customerCents: centsSchema.nullable(),
  /** Cost of the key; null if unknown. */
  costCents: centsSchema.nullable(),
  costSource: z.enum(costSources).nullable(),
  /** The seller's amount minus the cost; null if either is unknown and for a canceled sale. */
  profitCents: centsSchema.nullable(),
  /** `pending`, `released` or `cancelled`; a value not listed here if the service adds one. */
  status: z.string(),
  /**
   * An unresolved dispute holds the sale: it is released after the dispute is resolved, not before.
   */
  held: z.boolean(),
  /** The latest known dispute on it. */
  disputeId: z.string().nullable(),
  soldAt: instantSchema.nullable(),
  /** When a pending sale is released; null if the service doesn't report it. */
  releaseAt: instantSchema.nullable(),
  releasedAt: instantSchema.nullable(),
  /** When this console last read the sale from the service. */
  seenAt: instantSchema,
})
export type SaleRow = z.infer<typeof saleRowSchema>

/** `pending` excludes sales held by a dispute: those are in `held`. */
export const saleViews = ['all', 'pending', 'held', 'released', 'cancelled'] as const
export const saleSortColumns = ['sold', 'name', 'price', 'customer', 'status', 'release'] as const

const account = z.object({ accountId: accountIdSchema })
/** Filter of a sales list. */
const choice = {
  view: z.enum(saleViews).default('all'),
  /**
   * Parts of the product's name, offer id or product id, in any order, or the start of a sale or
   * order id.
   */
  query: z.string().max(200).default(''),
  /** Sold from `from` (inclusive) to `to` (exclusive). */
  from: instantSchema.nullable().default(null),
  to: instantSchema.nullable().default(null),
  offerId: z.string().nullable().default(null),
  productId: z.string().nullable().default(null),
  sort: sortSchema(saleSortColumns).default({ column: 'sold', direction: 'desc' }),
}
const productSum = z.object({
  productId: z.string().nullable(),
  name: z.string(),
  cents: centsSchema,
  sales: z.number().int(),
})

/** A seller's sales from the mirror: available offline. */
export const salesContract = {
  list: procedure
    .input(
      account.extend({
        ...choice,
        window: windowSchema.prefault({}),
      }),
    )
    .output(
      z.object({
        total: z.number().int(),
        rows: z.array(saleRowSchema),
        views: z.record(z.enum(saleViews), z.number().int()),
        /**
         * Whether the complete list was read once; until then, older sales are still being loaded.
         */
        complete: z.boolean(),
        readAt: instantSchema.nullable(),
      }),
    ),
  /**
   * All sales of the same filter as CSV or as text for pasting into a spreadsheet: ISO dates (UTC),
   * amounts with two decimals, in list order. The text arrives in parts.
   */
  export: procedure
    .input(account.extend(choice).extend({ form: z.enum(['csv', 'text']).default('csv') }))
    .output(
      eventIterator(z.object({ fileName: z.string(), sales: z.number().int(), text: z.string() })),
    ),
  /** The index of a sale in a list; null if the list doesn't contain it. */
  position: procedure
    .input(account.extend(choice).extend({ saleId: z.string() }))
    .output(z.object({ index: z.number().int().nullable() })),
  sale: procedure.input(account.extend({ saleId: z.string() })).output(saleRowSchema),
  /**
   * Earnings between moments that start a day in the person's time zone: `edges[n]` to `edges[n +
   * 1]` is one bar. Amounts are the seller's share; canceled sales aren't earnings and are
   * counted separately.
   */
  earned: procedure
    .input(
      account.extend({
        edges: z.array(instantSchema).min(2).max(400),
        offerId: z.string().nullable().default(null),
        products: z.number().int().min(0).max(100).default(20),
      }),
    )
    .output(
      z.object({
        bars: z.array(
          z.object({
            from: instantSchema,
            releasedCents: centsSchema,
            pendingCents: centsSchema,
            heldCents: centsSchema,
            refundedCents: centsSchema,
            sales: z.number().int(),
          }),
        ),
        earned: z.object({ cents: centsSchema, sales: z.number().int() }),
        refunded: z.object({ cents: centsSchema, sales: z.number().int() }),
        /** The products that earned most, without canceled sales. */
        products: z.array(productSum),
      }),
    ),
  /**
   * Profit of the sales from `from` (inclusive) to `to` (exclusive), without canceled ones. Sales of
   * an unknown cost or amount aren't part of the sum: `unknown` is their number. `estimated`: sales
   * in the sum whose cost is the offer's.
   */
  profit: procedure
    .input(
      account.extend({
        from: instantSchema,
        to: instantSchema,
        offerId: z.string().nullable().default(null),
      }),
    )
    .output(
      z.object({
        cents: centsSchema,
        sales: z.number().int(),
        estimated: z.number().int(),
        unknown: z.number().int(),
      }),
    ),
  /** Pending sales of any age by state: waiting for release, and held by disputes. */
  pending: procedure.input(account).output(
    z.object({
      waiting: z.object({ cents: centsSchema, sales: z.number().int() }),
      held: z.object({ cents: centsSchema, sales: z.number().int() }),
    }),
  ),
  /** The pending sales released between two moments: a day of the calendar. */
  releases: procedure
    .input(
      account.extend({
        from: instantSchema,
        to: instantSchema,
        products: z.number().int().min(0).max(100).default(4),
      }),
    )
    .output(
      z.object({
        cents: centsSchema,
        sales: z.number().int(),
        /** First and last of these sales. */
        soldFrom: instantSchema.nullable(),
        soldTo: instantSchema.nullable(),
        products: z.array(productSum),
      }),
    ),
}
