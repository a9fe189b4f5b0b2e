import { z } from 'zod'
import { accountIdSchema, instantSchema, problemSchema, procedure } from './base.ts'

export const withdrawalSchema = z.object({
  withdrawalId: z.string(),
  offerId: z.string(),
  name: z.string(),
  /** Keys asked for; null: all. */
  asked: z.number().int().nullable(),
  /** Keys of it that are in the vault. */
  kept: z.number().int(),
  /**
   * `sending`: on its way, or to be asked again; `unknown`: its answer got lost and the service
   * can't give it again.
   */
  state: z.enum(['sending', 'unknown', 'kept', 'refused']),
  problem: problemSchema.nullable(),
  at: instantSchema,
})
export type Withdrawal = z.infer<typeof withdrawalSchema>

const account = z.object({ accountId: accountIdSchema })
const ref = account.extend({ withdrawalId: z.string() })

/**
 * Keys taken back from the service: it gives them once, so they are in the vault before anything is
 * shown.
 */
export const withdrawalsContract = {
  /**
   * Takes back `count` unsold keys, the oldest first; null: all. The vault must be open. In LIVE
   * `typed` is the number of keys.
   */
  withdraw: procedure
    .input(
      account.extend({
        offerId: z.string(),
        count: z.number().int().min(1).nullable(),
        expectedStock: z.number().int().min(0),
        typed: z.string().max(40).nullable().default(null),
      }),
    )
    .output(withdrawalSchema),
  /** Newest first; of one offer or all. */
  list: procedure
    .input(account.extend({ offerId: z.string().nullable().default(null) }))
    .output(z.array(withdrawalSchema)),
  /** Masked, in the order in which the service gave them. */
  keys: procedure
    .input(
      ref.extend({
        offset: z.number().int().min(0).default(0),
        limit: z.number().int().min(1).max(500).default(100),
      }),
    )
    .output(
      z.object({
        total: z.number().int(),
        keys: z.array(z.object({ position: z.number().int(), masked: z.string() })),
      }),
    ),
  /** One key in clear. */
  reveal: procedure
    .input(ref.extend({ position: z.number().int().min(0) }))
    .output(z.object({ value: z.string() })),
  /**
   * All of them in clear, one a line, byte for byte as the service gave them. Written to the
   * activity.
   */
  export: procedure.input(ref).output(z.object({ fileName: z.string(), base64: z.string() })),
}
