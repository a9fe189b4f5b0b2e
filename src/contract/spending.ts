import { z } from 'zod'
import { accountIdSchema, centsSchema, instantSchema, procedure } from './base.ts'

const account = z.object({ accountId: accountIdSchema })
const movementSchema = z.object({
  id: z.string(),
  /** top_up, order_debit, order_refund, claim_credit, reset; open for new words. */
  type: z.string(),
  /** Signed. */
  cents: centsSchema,
  afterCents: centsSchema,
  orderId: z.string().nullable(),
  /** The order's own reference, where it is on this desk. */
  externalId: z.string().nullable(),
  at: instantSchema,
})

const daySchema = z.object({
  /** A day of the service (UTC), `2026-11-21`. */
  date: z.string(),
  chargedCents: centsSchema,
  refundedCents: centsSchema,
  orders: z.number().int(),
  units: z.number().int(),
})
export type SpendingDay = z.infer<typeof daySchema>

/** What a partner paid, from the orders on this desk, and the balance it came from. */
export const spendingContract = {
  balance: procedure.input(account).output(
    z.object({
      balanceCents: centsSchema.nullable(),
      readAt: instantSchema.nullable(),
      /** Below it the balance counts as low; null: nobody asked to be told. */
      lowCents: centsSchema.nullable(),
      low: z.boolean(),
      /** What orders took in the last 7 days, a day on average; null without orders. */
      dailyCents: centsSchema.nullable(),
      /** Readings of the balance on this desk, oldest first. */
      readings: z.array(z.object({ at: instantSchema, cents: centsSchema })),
      /** Whether every movement can be listed: the API tells none, the sandbox’s dashboard does. */
      tellsLedger: z.boolean(),
    }),
  ),
  setLow: procedure
    .input(account.extend({ lowCents: centsSchema.min(0).nullable() }))
    .output(z.void()),
  /**
   * By day and by product, `from` included, `to` excluded; what was credited back for undelivered
   * units is told apart.
   */
  spent: procedure.input(account.extend({ from: instantSchema, to: instantSchema })).output(
    z.object({
      days: z.array(daySchema),
      products: z.array(
        z.object({
          productId: z.string(),
          name: z.string(),
          cents: centsSchema,
          units: z.number().int(),
          orders: z.number().int(),
        }),
      ),
      chargedCents: centsSchema,
      refundedCents: centsSchema,
      orders: z.number().int(),
      /** The whole history is on this desk. */
      complete: z.boolean(),
    }),
  ),
  /** Movements of the balance, newest first; only where `tellsLedger`. */
  ledger: procedure
    .input(account.extend({ page: z.number().int().min(1).default(1) }))
    .output(z.object({ total: z.number().int(), movements: z.array(movementSchema) })),
  /** Both tables as CSV. */
  export: procedure
    .input(account.extend({ from: instantSchema, to: instantSchema }))
    .output(z.object({ fileName: z.string(), base64: z.string() })),
  /** Sandbox only: a bank transfer arrives. */
  topUp: procedure
    .input(account.extend({ cents: centsSchema.min(100).max(100_000_000) }))
    .output(z.object({ reference: z.string(), balanceCents: centsSchema })),
}
