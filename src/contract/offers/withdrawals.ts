import { z } from 'zod'
import { plainExportPhraseSchema } from '../app/vault.ts'
import { accountIdSchema, instantSchema, problemSchema, procedure } from '../base.ts'

export const withdrawalSchema = z.object({
  withdrawalId: z.string(),
  offerId: z.string(),
  name: z.string(),
  /** Number of keys requested; null: all. */
  asked: z.number().int().nullable(),
  /** Number of keys of this withdrawal that are in the vault. */
  kept: z.number().int(),
  /**
   * `sending`: in flight, or to be retried; `unknown`: the response was lost and the service can't
   * repeat it.
   */
  state: z.enum(['sending', 'unknown', 'kept', 'refused']),
  problem: problemSchema.nullable(),
  at: instantSchema,
})
export type Withdrawal = z.infer<typeof withdrawalSchema>

const account = z.object({ accountId: accountIdSchema })
const ref = account.extend({ withdrawalId: z.string() })

/**
 * Withdrawals of keys from the service. The service returns keys only once, so they are saved in
 * the vault before anything is shown.
 */
export const withdrawalsContract = {
  /**
   * Withdraws `count` unsold keys, oldest first; null: all. The vault must be open. In LIVE,
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
  /** Newest first, of one offer or of all offers. */
  list: procedure
    .input(account.extend({ offerId: z.string().nullable().default(null) }))
    .output(z.array(withdrawalSchema)),
  /** Masked keys, in the order in which the service returned them. */
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
  /** Returns one key in plain text. */
  reveal: procedure
    .input(ref.extend({ position: z.number().int().min(0) }))
    .output(z.object({ value: z.string() })),
  /**
   * All keys in plain text, one per line, byte for byte as the service returned them. The export is
   * recorded in the activity.
   */
  export: procedure
    .meta({ proof: 'export-keys' })
    .input(ref.extend({ typed: plainExportPhraseSchema }))
    .output(z.object({ fileName: z.string(), base64: z.string() })),
}
