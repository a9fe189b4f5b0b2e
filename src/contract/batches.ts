import { z } from 'zod'
import { accountIdSchema, centsSchema, instantSchema, procedure } from './base.ts'

/**
 * What became of a line that was sent: `added` or `duplicate` where the service's answer tells it
 * of this key alone; `unsure` where one answer counted both among several keys; `refused` where the
 * service took it not.
 */
export const keyFateSchema = z.enum(['added', 'duplicate', 'unsure', 'refused'])
export type KeyFate = z.infer<typeof keyFateSchema>

/** Where a key on the service came from. */
export const keyOriginSchema = z.object({
  batchId: z.string(),
  importId: z.string(),
  /** "Import 212". */
  importNumber: z.number().int(),
  /** The batch's name, or "Import 212". */
  batchName: z.string(),
  supplier: z.string(),
  /** What one key of the batch cost; null when nobody said. */
  costCents: centsSchema.nullable(),
  fileName: z.string(),
  line: z.number().int(),
  fate: keyFateSchema,
  uploadedAt: instantSchema.nullable(),
  /** When it was withdrawn; null while it is on the offer or sold. */
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
  /** As a person named it, else "Import 212". */
  name: z.string(),
  named: z.boolean(),
  supplier: z.string(),
  note: z.string(),
  /** What one key cost; null when nobody said. */
  costCents: centsSchema.nullable(),
  files: z.array(z.string()),
  offerId: z.string(),
  offerName: z.string(),
  platform: z.string(),
  region: z.string(),
  uploadedAt: instantSchema.nullable(),
  /** Keys that the service added. */
  keys: z.number().int(),
  /**
   * Of these: withdrawn since, and sold or claimed as far as the service tells which key was sold.
   */
  gone: z.number().int(),
  sold: z.number().int(),
  claimed: z.number().int(),
  /** Claims that ended with a new key, with the money back, or were rejected. */
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

/** Batches: what was bought together, what it cost, and how many of its keys were claimed. */
export const batchesContract = {
  /**
   * The newest first. `toldBy`: sales whose key the service names, and those it doesn't: of these
   * nobody can say to which batch they belong.
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
       * One letter a key in the order of the file: `s` sold, `c` sold and claimed, `n` not sold,
       * `g` withdrawn. Above 1,000 keys a letter stands for several.
       */
      squares: z.string(),
      keysPerSquare: z.number().int(),
    }),
  ),
  /** `whole`: name, supplier and note also for the other offers of the same import. */
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
