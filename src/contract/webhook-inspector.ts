import { z } from 'zod'
import { accountIdSchema, instantSchema, procedure } from './base.ts'

const account = z.object({ accountId: accountIdSchema })

/** One step of the verification (Partner API, Events): the compared values and the result. */
const stepSchema = z.object({
  id: z.enum(['headers', 'fresh', 'signed', 'digest', 'equal', 'new']),
  /** `skipped`: an earlier step failed, or there was nothing to compare. */
  result: z.enum(['passed', 'failed', 'skipped']),
  text: z.string(),
  /**
   * Compared values, shown in a monospaced font: the signed text, computed and received digests.
   */
  values: z.array(z.object({ label: z.string(), value: z.string() })),
})
export type VerificationStep = z.infer<typeof stepSchema>

const eventRowSchema = z.object({
  eventKey: z.string(),
  receivedAt: instantSchema,
  /** `received` by the inspector itself, or `pasted` by the user. */
  from: z.enum(['received', 'pasted']),
  event: z.string().nullable(),
  /** A short description: an order's reference, or an amount. */
  about: z.string(),
  orderId: z.string().nullable(),
  verdict: z.enum(['genuine', 'repeat', 'refused']),
  /** It describes an earlier state of its order than an event received before. */
  late: z.boolean(),
  /** The inspector's response status. Null if it didn't respond. */
  answered: z.number().int().nullable(),
})
export type InspectorEvent = z.infer<typeof eventRowSchema>

const comparedSchema = z.object({
  field: z.string(),
  event: z.string(),
  now: z.string(),
  /** `newer`: the order changed after the event; `differs`: it contradicts the event. */
  result: z.enum(['same', 'newer', 'differs']),
})

const detailSchema = eventRowSchema.extend({
  method: z.string(),
  path: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  body: z.string(),
  bytes: z.number().int(),
  steps: z.array(stepSchema),
  /**
   * The event compared with the order as read again. Null without an order, or if it wasn't read.
   */
  compared: z
    .object({ orderId: z.string(), readAt: instantSchema, fields: z.array(comparedSchema) })
    .nullable(),
})
export type InspectorEventDetail = z.infer<typeof detailSchema>

const receiverSchema = z.object({
  /** Only the local sandbox can deliver to this computer. */
  possible: z.boolean(),
  url: z.string().nullable(),
  since: instantSchema.nullable(),
  /**
   * Status the inspector responds with. Null means no response, so that the service tries again.
   */
  answer: z.union([z.literal(204), z.literal(500), z.null()]),
  toleranceSeconds: z.number().int(),
  /** The endpoint set before, which is replaced while the inspector listens. */
  otherUrl: z.string().nullable(),
})
export type Receiver = z.infer<typeof receiverSchema>

/** Webhooks received from the local sandbox, or pasted, and verified step by step. */
export const webhookInspectorContract = {
  receiver: procedure.input(account).output(receiverSchema),
  /**
   * Listens on a loopback port and sets it as the account's endpoint. The new signing secret stays
   * in memory.
   */
  listen: procedure.input(account).output(receiverSchema),
  stop: procedure.input(account).output(receiverSchema),
  setAnswer: procedure
    .input(account.extend({ answer: receiverSchema.shape.answer }))
    .output(receiverSchema),
  setTolerance: procedure
    .input(account.extend({ seconds: z.number().int().min(1).max(86_400) }))
    .output(receiverSchema),
  /**
   * Asks the service to send a `webhook.test` event to the account's endpoint, wherever that is.
   */
  requestTest: procedure.input(account).output(z.object({ eventId: z.string().nullable() })),
  /** Newest first, at most 500. */
  events: procedure.input(account).output(z.array(eventRowSchema)),
  event: procedure.input(account.extend({ eventKey: z.string() })).output(detailSchema),
  /** Reads the event's order again. */
  refreshOrder: procedure.input(account.extend({ eventKey: z.string() })).output(detailSchema),
  /**
   * Verifies a pasted request. `request`: request line (if any), headers, an empty line, the body,
   * exactly as received. The secret is used once and not stored.
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
