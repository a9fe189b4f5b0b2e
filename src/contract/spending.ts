import { z } from 'zod'
import { accountIdSchema, centsSchema, instantSchema, procedure } from './base.ts'

const account = z.object({ accountId: accountIdSchema })
const movementSchema = z.object({
  id: z.string(),
  /** top_up, order_debit, order_refund, claim_credit or reset; other values are possible. */
  type: z.string(),
  /** Signed. */
  cents: centsSchema,
  afterCents: centsSchema,
  orderId: z.string().nullable(),
  /** The order's own reference, if the order is on this computer. */
  externalId: z.string().nullable(),
  at: instantSchema,
})

const daySchema = z.object({
  /** A day of the service (UTC), `2026-11-21`. */
  date: z.string(),
  chargedCents: centsSchema,
  refundedCents: centsSchema,
  orders: z.number().int(),
  /** The units that weren't credited back. */
  units: z.number().int(),
})
export type SpendingDay = z.infer<typeof daySchema>

/** A partner's spending, from the orders on this computer, and the balance it was paid from. */
export const spendingContract = {
  balance: procedure.input(account).output(
    z.object({
      balanceCents: centsSchema.nullable(),
      readAt: instantSchema.nullable(),
      /** Below this amount the balance counts as low; null: no warning is set. */
      lowCents: centsSchema.nullable(),
      low: z.boolean(),
      /** Average order charges per day over the last 7 days; null without orders. */
      dailyCents: centsSchema.nullable(),
      /** Balance readings on this computer, in the service's time, oldest first. */
      readings: z.array(z.object({ at: instantSchema, cents: centsSchema })),
      /**
       * Whether every movement can be listed: the API reports none, the sandbox’s dashboard does.
       */
      tellsLedger: z.boolean(),
    }),
  ),
  setLow: procedure
    .input(account.extend({ lowCents: centsSchema.min(0).nullable() }))
    .output(z.void()),
  /**
   * Totals by day and by product, `from` included, `to` excluded. The amount credited back for
   * undelivered units is listed separately.
   */
  spent: procedure.input(account.extend({ from: instantSchema, to: instantSchema })).output(
    z.object({
      days: z.array(daySchema),
      products: z.array(
        z.object({
          productId: z.string(),
          name: z.string(),
          /** Empty while the local catalogue doesn't know the product. */
          platform: z.string(),
          region: z.string(),
          deliveryType: z.string(),
          cents: centsSchema,
          /** The units that weren't credited back, as by day. */
          units: z.number().int(),
          orders: z.number().int(),
        }),
      ),
      chargedCents: centsSchema,
      refundedCents: centsSchema,
      orders: z.number().int(),
      /** True when the complete history is on this computer. */
      complete: z.boolean(),
    }),
  ),
  /**
   * Orders placed since a time, and the amount credited back since then for undelivered units, also
   * of orders placed before.
   */
  news: procedure
    .input(account.extend({ since: instantSchema }))
    .output(z.object({ orders: z.number().int(), creditedCents: centsSchema })),
  /** Movements of the balance, newest first; only where `tellsLedger` is true. */
  ledger: procedure
    .input(account.extend({ page: z.number().int().min(1).default(1) }))
    .output(z.object({ total: z.number().int(), movements: z.array(movementSchema) })),
  /** Both tables as CSV. */
  export: procedure
    .input(account.extend({ from: instantSchema, to: instantSchema }))
    .output(z.object({ fileName: z.string(), base64: z.string() })),
  /** Sandbox only: simulates an incoming bank transfer. */
  topUp: procedure
    .input(account.extend({ cents: centsSchema.min(100).max(100_000_000) }))
    .output(z.object({ reference: z.string(), balanceCents: centsSchema })),
}
