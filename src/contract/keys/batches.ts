import { z } from 'zod'
import { accountIdSchema, centsSchema, instantSchema, procedure } from '../base.ts'

/**
 * The outcome of an uploaded line: `added` or `duplicate` if the service's response is certain for
 * this key; `unsure` if one response counted both among several keys; `refused` if the service
 * rejected the key; `excluded` if the user excluded it after its response was lost.
 */
export const keyOutcomeSchema = z.enum(['added', 'duplicate', 'unsure', 'refused', 'excluded'])
export type KeyOutcome = z.infer<typeof keyOutcomeSchema>

/** Where a key on the service came from. */
export const keyOriginSchema = z.object({
  batchId: z.string(),
  importId: z.string(),
  /** "Import 212". */
  importNumber: z.number().int(),
  /** The batch's name, or "Import 212". */
  batchName: z.string(),
  supplier: z.string(),
  /** Cost of one key of the batch; null if unknown. */
  costCents: centsSchema.nullable(),
  fileName: z.string(),
  line: z.number().int(),
  fate: keyOutcomeSchema,
  uploadedAt: instantSchema.nullable(),
  /** When the key was withdrawn; null while it is on the offer or sold. */
  goneAt: instantSchema.nullable(),
  offerId: z.string(),
  offerName: z.string(),
})
export type KeyOrigin = z.infer<typeof keyOriginSchema>

/** One import's keys on one offer. */
export const batchSchema = z.object({
  batchId: z.string(),
  importId: z.string(),
  importNumber: z.number().int(),
  /** The name the user gave, otherwise "Import 212". */
  name: z.string(),
  named: z.boolean(),
  supplier: z.string(),
  note: z.string(),
  /** Cost of one key; null if unknown. */
  costCents: centsSchema.nullable(),
  files: z.array(z.string()),
  offerId: z.string(),
  offerName: z.string(),
  platform: z.string(),
  region: z.string(),
  deliveryType: z.string(),
  uploadedAt: instantSchema.nullable(),
  /**
   * Keys the service added, and keys without a certain response that arrived, because they were
   * sold or disputed.
   */
  keys: z.number().int(),
  /**
   * Of these, keys withdrawn since then, and keys sold or disputed, if the service reports which
   * key was sold.
   */
  gone: z.number().int(),
  sold: z.number().int(),
  /**
   * Keys sent as replacements from stock. The service takes the oldest key of an offer and doesn't
   * report which one.
   */
  sent: z.number().int(),
  /** Keys of the batch that are in stock. The batches of an offer never exceed its stock. */
  forSale: z.number().int(),
  claimed: z.number().int(),
  /** Disputes resolved with a replacement key, with a refund, or by rejecting them. */
  replaced: z.number().int(),
  refunded: z.number().int(),
  rejected: z.number().int(),
})
export type Batch = z.infer<typeof batchSchema>

export const batchClaimSchema = z.object({
  disputeId: z.string(),
  saleId: z.string(),
  status: z.string(),
  resolution: z.string().nullable(),
  openedAt: instantSchema.nullable(),
  fileName: z.string(),
  line: z.number().int(),
})
export type BatchClaim = z.infer<typeof batchClaimSchema>

const ref = z.object({ accountId: accountIdSchema, batchId: z.string().max(200) })

/** Batches: keys bought together, with their cost and the number of disputes about them. */
export const batchesContract = {
  /**
   * Newest first. `toldBy`: the number of sales whose key the service reports, and of sales whose
   * key is unknown and which belong to no batch.
   */
  list: procedure
    .input(z.object({ accountId: accountIdSchema, offerId: z.string().nullable().default(null) }))
    .output(
      z.object({
        batches: z.array(batchSchema),
        toldBy: z.object({ sales: z.number().int(), untold: z.number().int() }),
      }),
    ),
  batch: procedure.input(ref).output(
    batchSchema.extend({
      claims: z.array(batchClaimSchema),
      /**
       * One letter per key in file order: `s` sold, `c` sold and disputed, `n` not sold, `g`
       * withdrawn. Above 1,000 keys one letter represents several.
       */
      squares: z.string(),
      keysPerSquare: z.number().int(),
    }),
  ),
  /** `whole`: applies name, supplier and note to the other offers of the same import too. */
  change: procedure
    .input(
      ref.extend({
        name: z.string().trim().max(120).optional(),
        supplier: z.string().trim().max(120).optional(),
        note: z.string().trim().max(2000).optional(),
        costCents: centsSchema.min(0).max(10_000_000).nullable().optional(),
        whole: z.boolean().default(false),
      }),
    )
    .output(batchSchema),
}
