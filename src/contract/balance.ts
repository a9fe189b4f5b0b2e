import { z } from 'zod'
import { accountIdSchema, centsSchema, instantSchema, procedure } from './base.ts'

const account = z.object({ accountId: accountIdSchema })
const reading = z.object({
  at: instantSchema,
  /** Null if the service doesn't report it. */
  pendingCents: centsSchema.nullable(),
  /** Can be negative after a refund of a released sale. */
  availableCents: centsSchema.nullable(),
})

/** A seller's balance: the last reading, and its history as recorded on this computer. */
export const balanceContract = {
  now: procedure.input(account).output(
    z.object({
      /** Null before the first reading. */
      reading: reading.nullable(),
      currency: z.string().nullable(),
      /** By day of the service (UTC), oldest first. */
      upcoming: z.array(
        z.object({ date: z.string(), cents: centsSchema, sales: z.number().int().nullable() }),
      ),
    }),
  ),
  /**
   * Balance changes that this console recorded, in the service's time, oldest first; the first entry is the balance at
   * `from`. Above 1000 entries, they are thinned out.
   */
  history: procedure
    .input(account.extend({ from: instantSchema, to: instantSchema }))
    .output(z.object({ readings: z.array(reading), keptSince: instantSchema.nullable() })),
}
