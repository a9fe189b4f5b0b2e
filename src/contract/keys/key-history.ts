import { z } from 'zod'
import { keyOriginSchema } from './batches.ts'
import { accountIdSchema, centsSchema, instantSchema, procedure } from '../base.ts'

/** Source of an event in a key's history. */
const knownFromSchema = z.enum(['console', 'both', 'service', 'key-hash', 'escalates-at'])

export const keyEventSchema = z.object({
  at: instantSchema.nullable(),
  /** `done`: succeeded; `claim`: a customer's claim; `fact`: a fact; `next`: in the future. */
  kind: z.enum(['done', 'claim', 'fact', 'next']),
  title: z.string(),
  detail: z.string(),
  knownFrom: knownFromSchema,
})
export type KeyEvent = z.infer<typeof keyEventSchema>

/** Where a key is now, as far as Keydesk knows. */
export const keyStateSchema = z.enum([
  'unknown',
  'refused',
  'excluded',
  'duplicate',
  'unsure',
  'in-stock',
  'taken-back',
  'sold',
  'claimed',
  'replaced',
  'refunded',
  'kept',
])
export type KeyState = z.infer<typeof keyStateSchema>

export const keyHistoryResultSchema = z.object({
  /**
   * The masked key. For a pasted key, the key itself stays with the user. For a sale, it is masked
   * as recorded at upload, or empty if there is no record.
   */
  masked: z.string(),
  state: keyStateSchema,
  events: z.array(keyEventSchema),
  /**
   * The upload that brought the key to its current place. Null if this Keydesk didn't upload it.
   */
  origin: keyOriginSchema.nullable(),
  /** Every upload of the key from this Keydesk. */
  uploads: z.array(keyOriginSchema),
  platform: z.string(),
  region: z.string(),
  deliveryType: z.string(),
  sale: z
    .object({
      saleId: z.string(),
      priceCents: centsSchema.nullable(),
      customerCents: centsSchema.nullable(),
      status: z.string(),
      held: z.boolean(),
      soldAt: instantSchema.nullable(),
    })
    .nullable(),
  dispute: z
    .object({
      disputeId: z.string(),
      status: z.string(),
      escalatesAt: instantSchema.nullable(),
      answered: z.boolean(),
    })
    .nullable(),
  /** Adjacent lines in the same file, by line and state, never by key. */
  neighbours: z.array(
    z.object({
      line: z.number().int(),
      isThis: z.boolean(),
      state: z.enum([
        'sold',
        'claimed',
        'not-sold',
        'gone',
        'duplicate',
        'refused',
        'excluded',
        'unsure',
      ]),
      at: instantSchema.nullable(),
    }),
  ),
  /**
   * Number of known sales, and of those where the service doesn't report which key was sold. If
   * there are any, the history may end with the upload.
   */
  told: z.object({ sales: z.number().int(), untold: z.number().int() }),
})
export type KeyHistoryResult = z.infer<typeof keyHistoryResultSchema>

/** The history of a pasted key. */
export const keyHistoryContract = {
  /**
   * Searches by fingerprint on this computer. Nothing is sent and the key isn't stored. Requires an
   * unlocked vault.
   */
  find: procedure
    .input(z.object({ accountId: accountIdSchema, key: z.string().trim().min(1).max(1_000_000) }))
    .output(keyHistoryResultSchema),
  /**
   * The same by sale, for when the key isn't at hand. With `disputeId`, of the key that this dispute
   * is about: a replacement isn't the key that was sold first. Null if the service doesn't report
   * the key.
   */
  ofSale: procedure
    .input(
      z.object({
        accountId: accountIdSchema,
        saleId: z.string(),
        disputeId: z.string().optional(),
      }),
    )
    .output(keyHistoryResultSchema.nullable()),
}
