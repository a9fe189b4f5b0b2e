import { z } from 'zod'
import { accountIdSchema, instantSchema, procedure } from './base.ts'

const account = z.object({ accountId: accountIdSchema })

/** One step of the verification (Partner API, Events): what was compared, and both values. */
const stepSchema = z.object({
  id: z.enum(['headers', 'fresh', 'signed', 'digest', 'equal', 'new']),
  /** `skipped`: an earlier step failed, or there was nothing to compare. */
  result: z.enum(['passed', 'failed', 'skipped']),
  text: z.string(),
  /** Values that were compared, in mono: the signed text, computed and received digests. */
  values: z.array(z.object({ label: z.string(), value: z.string() })),
})
export type VerificationStep = z.infer<typeof stepSchema>

const eventRowSchema = z.object({
  eventKey: z.string(),
  receivedAt: instantSchema,
  /** `received` by the bench itself, or `pasted` by a person. */
  from: z.enum(['received', 'pasted']),
  event: z.string().nullable(),
  /** What it is about, in short: an order's reference, an amount. */
  about: z.string(),
  orderId: z.string().nullable(),
  verdict: z.enum(['genuine', 'repeat', 'refused']),
  /** It tells of an earlier moment of its order than one that came before it. */
  late: z.boolean(),
  /** What the bench answered; null: nothing. */
  answered: z.number().int().nullable(),
})
export type BenchEvent = z.infer<typeof eventRowSchema>

const comparedSchema = z.object({
  field: z.string(),
  event: z.string(),
  now: z.string(),
  /** `newer`: the order went on after the event; `differs`: it contradicts the event. */
  result: z.enum(['same', 'newer', 'differs']),
})

const detailSchema = eventRowSchema.extend({
  method: z.string(),
  path: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  body: z.string(),
  bytes: z.number().int(),
  steps: z.array(stepSchema),
  /** The event beside the order as it was read again; null: no order, or not read. */
  compared: z
    .object({ orderId: z.string(), readAt: instantSchema, fields: z.array(comparedSchema) })
    .nullable(),
})
export type BenchEventDetail = z.infer<typeof detailSchema>

const receiverSchema = z.object({
  /** Only the own sandbox delivers to this machine. */
  possible: z.boolean(),
  url: z.string().nullable(),
  since: instantSchema.nullable(),
  /** Status the bench answers with; null: no answer at all, so that the service tries again. */
  answer: z.union([z.literal(204), z.literal(500), z.null()]),
  toleranceSeconds: z.number().int(),
  /** An endpoint that was set before and is replaced while the bench listens. */
  otherUrl: z.string().nullable(),
})
export type Receiver = z.infer<typeof receiverSchema>

/** Webhooks under a glass: received from the own sandbox, or pasted; verified step by step. */
export const webhookInspectorContract = {
  receiver: procedure.input(account).output(receiverSchema),
  /**
   * Listens on a loopback port and makes it the endpoint of the account; a new signing secret is
   * kept in memory.
   */
  listen: procedure.input(account).output(receiverSchema),
  stop: procedure.input(account).output(receiverSchema),
  setAnswer: procedure
    .input(account.extend({ answer: receiverSchema.shape.answer }))
    .output(receiverSchema),
  setTolerance: procedure
    .input(account.extend({ seconds: z.number().int().min(1).max(86_400) }))
    .output(receiverSchema),
  /** Has the service send a `webhook.test` event to the account's endpoint, wherever that is. */
  askForTest: procedure.input(account).output(z.object({ eventId: z.string().nullable() })),
  /** Newest first, at most 500. */
  events: procedure.input(account).output(z.array(eventRowSchema)),
  event: procedure.input(account.extend({ eventKey: z.string() })).output(detailSchema),
  /** Reads the event's order again. */
  readAgain: procedure.input(account.extend({ eventKey: z.string() })).output(detailSchema),
  /**
   * Verifies a pasted request. `request`: request line (if any), headers, an empty line, the body,
   * exactly as received. The secret is used once and not kept.
   */
  paste: procedure
    .input(
      account.extend({
        request: z.string().min(1).max(1_000_000),
        secret: z.string().trim().min(1).max(512),
        now: z.enum(['now', 'signed']).default('now'),
      }),
    )
    .output(detailSchema),
  clear: procedure.input(account).output(z.void()),
}
