import { z } from 'zod'
import { accountIdSchema, centsSchema, instantSchema, procedure } from './base.ts'

const account = z.object({ accountId: accountIdSchema })
const reading = z.object({
  at: instantSchema,
  /** Null where the service doesn't tell. */
  pendingCents: centsSchema.nullable(),
  /** Negative after a refund of a released sale. */
  availableCents: centsSchema.nullable(),
})

/** A seller's balance: as last read, and how it went on this desk. */
export const balanceContract = {
  now: procedure.input(account).output(
    z.object({
      /** Null while it was never read. */
      reading: reading.nullable(),
      currency: z.string().nullable(),
      /** By day of the service (UTC), oldest first. */
      upcoming: z.array(
        z.object({ date: z.string(), cents: centsSchema, sales: z.number().int().nullable() }),
      ),
    }),
  ),
  /**
   * Changes of the balance as this console saw them, oldest first; the one that stood at `from`
   * comes first. Beyond 1000 they are thinned.
   */
  history: procedure
    .input(account.extend({ from: instantSchema, to: instantSchema }))
    .output(z.object({ readings: z.array(reading), keptSince: instantSchema.nullable() })),
}
