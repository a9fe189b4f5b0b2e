import { z } from 'zod'
import {
  accountIdSchema,
  centsSchema,
  instantSchema,
  procedure,
  sortSchema,
  windowSchema,
} from './base.ts'

export const saleRowSchema = z.object({
  saleId: z.string(),
  offerId: z.string().nullable(),
  productId: z.string().nullable(),
  name: z.string(),
  platform: z.string(),
  region: z.string(),
  orderId: z.string().nullable(),
  keyId: z.string().nullable(),
  /** What the seller receives; null where the service doesn't tell. */
  priceCents: centsSchema.nullable(),
  /** What the customer paid. */
  customerCents: centsSchema.nullable(),
  /** `pending`, `released`, `cancelled`; another word when the service has a new one. */
  status: z.string(),
  /** A dispute on it is not resolved: it is released when that is, not before. */
  held: z.boolean(),
  /** The latest dispute on it that this desk knows. */
  disputeId: z.string().nullable(),
  soldAt: instantSchema.nullable(),
  /** When a pending sale is released; null where the service doesn't tell. */
  releaseAt: instantSchema.nullable(),
  releasedAt: instantSchema.nullable(),
  /** When this console last read the sale from the service. */
  seenAt: instantSchema,
})
export type SaleRow = z.infer<typeof saleRowSchema>

/** `pending` leaves out what a dispute holds: that is `held`. */
export const saleViews = ['all', 'pending', 'held', 'released', 'cancelled'] as const
export const saleSortColumns = ['sold', 'name', 'price', 'customer', 'status', 'release'] as const

const account = z.object({ accountId: accountIdSchema })
/** What a list of sales is chosen by. */
const choice = {
  view: z.enum(saleViews).default('all'),
  /**
   * Parts of the product's name or of the offer's or product's id, in any order, or the beginning
   * of a sale's or order's id.
   */
  query: z.string().max(200).default(''),
  /** Sold from (included) and to (left out). */
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

/** A seller's sales as mirrored: readable offline. */
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
        /** Whether the whole list was read once; until then older sales are still coming in. */
        complete: z.boolean(),
        readAt: instantSchema.nullable(),
      }),
    ),
  /**
   * The same choice whole, as CSV or as text that spreadsheets take from the clipboard: dates in
   * ISO form (UTC), amounts with two decimals. In the order of the list.
   */
  export: procedure
    .input(account.extend(choice).extend({ form: z.enum(['csv', 'text']).default('csv') }))
    .output(z.object({ fileName: z.string(), sales: z.number().int(), base64: z.string() })),
  sale: procedure.input(account.extend({ saleId: z.string() })).output(saleRowSchema),
  /**
   * What was earned between moments that begin a day where the person is: `edges[n]` to `edges[n +
   * 1]` is one bar. Amounts are what the seller receives; cancelled sales are no earnings and
   * counted apart.
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
        /** The products that earned most, cancelled sales left out. */
        products: z.array(productSum),
      }),
    ),
  /**
   * Pending sales by where they stand: waiting for their release, and held by disputes, whenever
   * they were sold.
   */
  pending: procedure.input(account).output(
    z.object({
      waiting: z.object({ cents: centsSchema, sales: z.number().int() }),
      held: z.object({ cents: centsSchema, sales: z.number().int() }),
    }),
  ),
  /** The pending sales that are released between two moments: a day of the calendar. */
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
