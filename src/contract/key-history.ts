import { z } from 'zod'
import { keyOriginSchema } from './batches.ts'
import { accountIdSchema, centsSchema, instantSchema, procedure } from './base.ts'

/** How a fact of a key's story is known. */
const knownFromSchema = z.enum(['console', 'both', 'service', 'key-hash', 'escalates-at'])

export const lifeEventSchema = z.object({
  at: instantSchema.nullable(),
  /** `done`: went well; `claim`: a customer's claim; `fact`: a fact; `next`: still to come. */
  kind: z.enum(['done', 'claim', 'fact', 'next']),
  title: z.string(),
  detail: z.string(),
  knownFrom: knownFromSchema,
})
export type LifeEvent = z.infer<typeof lifeEventSchema>

/** Where a key is now, as far as anybody can know. */
export const keyStateSchema = z.enum([
  'unknown',
  'refused',
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

export const keyStorySchema = z.object({
  /**
   * Masked: the key itself stays with the one who pasted it; by a sale, as it was when it was
   * uploaded, empty where nothing of it is told.
   */
  masked: z.string(),
  state: keyStateSchema,
  events: z.array(lifeEventSchema),
  /** The upload that brought it where it is; null when this desk did not. */
  origin: keyOriginSchema.nullable(),
  /** Every upload of it by this desk. */
  uploads: z.array(keyOriginSchema),
  platform: z.string(),
  region: z.string(),
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
  /** Lines beside it in the same file: by line and state, never by key. */
  neighbours: z.array(
    z.object({
      line: z.number().int(),
      isThis: z.boolean(),
      state: z.enum(['sold', 'claimed', 'not-sold', 'gone', 'duplicate', 'refused', 'unsure']),
      at: instantSchema.nullable(),
    }),
  ),
  /**
   * Sales known, and of how many the service doesn't say which key was sold: the story may end with
   * the upload.
   */
  told: z.object({ sales: z.number().int(), untold: z.number().int() }),
})
export type KeyStory = z.infer<typeof keyStorySchema>

/** Paste a key, see its whole story. */
export const keyHistoryContract = {
  /**
   * Looked for by fingerprint on this machine; nothing is sent, and the key is not kept. Needs the
   * vault open.
   */
  look: procedure
    .input(z.object({ accountId: accountIdSchema, key: z.string().trim().min(1).max(1_000_000) }))
    .output(keyStorySchema),
  /**
   * The same by a sale: where the key isn't at hand. Null when the service doesn't tell the key of
   * the sale.
   */
  ofSale: procedure
    .input(z.object({ accountId: accountIdSchema, saleId: z.string() }))
    .output(keyStorySchema.nullable()),
}
