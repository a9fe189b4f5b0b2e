import { z } from 'zod'
import { accountIdSchema, instantSchema, problemSchema, procedure } from './base.ts'

const unitRef = z.object({ accountId: accountIdSchema, orderId: z.string(), keyId: z.string() })

/** A claim that a delivered unit doesn't work (Partner API, "What the service does"). */
export const claimSchema = z.object({
  claimId: z.string(),
  orderId: z.string(),
  externalId: z.string(),
  keyId: z.string(),
  line: z.number().int(),
  name: z.string(),
  /** Of the unit's product; empty while the local catalogue doesn't know it. */
  platform: z.string(),
  region: z.string(),
  deliveryType: z.string(),
  masked: z.string(),
  /**
   * `draft`: prepared on this computer. `sending`: the request is in flight. `unknown`: the
   * response was lost, and Keydesk looks for the claim. `filed`: the service has the claim. `told`:
   * a person sent it to the service’s support. `refused`: the service rejected it.
   */
  state: z.enum(['draft', 'sending', 'unknown', 'filed', 'told', 'refused']),
  problem: problemSchema.nullable(),
  writtenAt: instantSchema,
  sentAt: instantSchema.nullable(),
  /** End of the unit's 7-day claim window, which includes it. */
  claimUntil: instantSchema,
  screenshot: z.object({ contentType: z.string(), bytes: z.number().int() }).nullable(),
  /** How the service handled the claim, if it reports that. */
  disputeId: z.string().nullable(),
  /**
   * open, escalated or resolved; other values are possible. Null if the service doesn't report it.
   */
  status: z.string().nullable(),
  escalatesAt: instantSchema.nullable(),
  /** Set by the service, or by a person for a claim that was sent to support. */
  outcome: z.enum(['replaced', 'refunded', 'rejected']).nullable(),
  settledAt: instantSchema.nullable(),
  /** The replacement unit, once it is stored on this computer. */
  newKeyId: z.string().nullable(),
})
export type Claim = z.infer<typeof claimSchema>

const detailSchema = claimSchema.extend({
  message: z.string(),
  /**
   * Everything that the service’s support needs, ready to send: order id, unit and problem. Never
   * the key.
   */
  letter: z.string(),
  /** Filed by Keydesk where it can file claims; otherwise a person sends the letter. */
  files: z.enum(['here', 'by-hand']),
})
export type ClaimDetail = z.infer<typeof detailSchema>

const claimRef = z.object({ accountId: accountIdSchema, claimId: z.string() })
const messageSchema = z.string().trim().min(1).max(10_000)
const picture = z.object({
  contentType: z.enum(['image/png', 'image/jpeg', 'image/gif']),
  base64: z.string().min(1).max(12_000_000),
})

/**
 * A partner's claims: prepared within the window, filed, and followed to a replacement or credit.
 */
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
  /** The screenshot of a claim, in the format in which it was added. */
  screenshot: procedure.input(claimRef).output(picture.nullable()),
  /**
   * The unit's existing claim, or a new draft with an initial text. Throws `CLAIM_WINDOW_CLOSED`
   * after the 7 days.
   */
  create: procedure.input(unitRef).output(detailSchema),
  /**
   * Saves the text and the screenshot: a new one, none (null), or no change (omitted). Only drafts
   * can change.
   */
  save: procedure
    .input(claimRef.extend({ message: messageSchema, screenshot: picture.nullable().optional() }))
    .output(detailSchema),
  discard: procedure.input(claimRef).output(z.void()),
  /** Files the claim where Keydesk can (`files: here`): recorded first, filed once. */
  file: procedure.input(claimRef).output(detailSchema),
  /** Records that a person sent the letter to support, or the result they learned from support. */
  recordByHand: procedure
    .input(
      claimRef.extend({
        told: z.literal(true).optional(),
        outcome: z.enum(['replaced', 'refunded', 'rejected']).nullable().optional(),
      }),
    )
    .output(detailSchema),
  /** Sandbox only: settles the claim as its supplier, as people do in the live marketplace. */
  settleAsSupplier: procedure
    .input(claimRef.extend({ how: z.enum(['replaced', 'refunded', 'rejected']) }))
    .output(detailSchema),
}
