import { z } from 'zod'
import { accountIdSchema, instantSchema, problemSchema, procedure } from './base.ts'

const unitRef = z.object({ accountId: accountIdSchema, orderId: z.string(), keyId: z.string() })

/** A claim that a delivered unit does not work (Partner API, What the service does). */
export const claimSchema = z.object({
  claimId: z.string(),
  orderId: z.string(),
  externalId: z.string(),
  keyId: z.string(),
  line: z.number().int(),
  name: z.string(),
  masked: z.string(),
  /**
   * `draft`: prepared here. `sending`: on its way. `unknown`: its answer got lost; Keydesk looks
   * for it. `filed`: the service has it. `told`: a person sent it to the service’s support.
   * `refused`: the service did not take it.
   */
  state: z.enum(['draft', 'sending', 'unknown', 'filed', 'told', 'refused']),
  problem: problemSchema.nullable(),
  writtenAt: instantSchema,
  sentAt: instantSchema.nullable(),
  /** End of the 7 days of the unit. */
  claimUntil: instantSchema,
  screenshot: z.object({ contentType: z.string(), bytes: z.number().int() }).nullable(),
  /** What the service made of it, where it tells. */
  disputeId: z.string().nullable(),
  /** open, escalated, resolved; open for new words. Null where the service doesn’t tell. */
  status: z.string().nullable(),
  escalatesAt: instantSchema.nullable(),
  /** Set by the service, or by a person for a claim that was told to support. */
  outcome: z.enum(['replaced', 'refunded', 'rejected']).nullable(),
  settledAt: instantSchema.nullable(),
  /** The unit that came instead, once it is kept here. */
  newKeyId: z.string().nullable(),
})
export type Claim = z.infer<typeof claimSchema>

const detailSchema = claimSchema.extend({
  message: z.string(),
  /**
   * Everything that the service’s support needs, ready to send: order id, unit, what happened.
   * Never the key.
   */
  letter: z.string(),
  /** Filed by Keydesk where it can; else a person sends the letter. */
  files: z.enum(['here', 'by-hand']),
})
export type ClaimDetail = z.infer<typeof detailSchema>

const claimRef = z.object({ accountId: accountIdSchema, claimId: z.string() })
const messageSchema = z.string().trim().min(1).max(10_000)
const picture = z.object({
  contentType: z.enum(['image/png', 'image/jpeg', 'image/gif']),
  base64: z.string().min(1).max(12_000_000),
})

/** Claims of a partner: prepared in time, filed, followed to replacement or credit. */
export const claimsContract = {
  list: procedure
    .input(
      z.object({
        accountId: accountIdSchema,
        view: z.enum(['all', 'draft', 'waiting', 'settled']).default('all'),
      }),
    )
    .output(
      z.object({
        rows: z.array(claimSchema),
        counts: z.object({
          all: z.number().int(),
          draft: z.number().int(),
          waiting: z.number().int(),
          settled: z.number().int(),
        }),
      }),
    ),
  claim: procedure.input(claimRef).output(detailSchema),
  /** The screenshot of a claim, as it was dropped. */
  screenshot: procedure.input(claimRef).output(picture.nullable()),
  /**
   * The claim of a unit: the one that stands, or a new draft with a text to begin with.
   * `CLAIM_WINDOW_CLOSED` past the 7 days.
   */
  begin: procedure.input(unitRef).output(detailSchema),
  /**
   * Keeps the text; and the screenshot: another, none (null), or the same (left out). Only a draft
   * changes.
   */
  save: procedure
    .input(claimRef.extend({ message: messageSchema, screenshot: picture.nullable().optional() }))
    .output(detailSchema),
  drop: procedure.input(claimRef).output(z.void()),
  /** Files it where Keydesk can (`files: here`): written down first, filed once. */
  file: procedure.input(claimRef).output(detailSchema),
  /** A person sent the letter to support, or learned what came of it. */
  mark: procedure
    .input(
      claimRef.extend({
        told: z.literal(true).optional(),
        outcome: z.enum(['replaced', 'refunded', 'rejected']).nullable().optional(),
      }),
    )
    .output(detailSchema),
  /** Sandbox only: the supplier settles it, as people would on the other side. */
  settleAsSupplier: procedure
    .input(claimRef.extend({ how: z.enum(['replaced', 'refunded', 'rejected']) }))
    .output(detailSchema),
}
