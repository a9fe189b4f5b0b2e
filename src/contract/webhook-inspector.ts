import { z } from 'zod'
import { accountIdSchema, instantSchema, procedure } from './base.ts'

const account = z.object({ accountId: accountIdSchema })

/** A compared value, shown in a monospaced font: a digest, a time, an id. */
const valueSchema = z.object({ label: z.string(), value: z.string() })
const resultOf = <Result extends string>(results: readonly [Result, ...Result[]]) =>
  z.object({ result: z.enum(results), text: z.string(), values: z.array(valueSchema) })

/**
 * The three independent results of a verification (Partner API, Events; Decision 21).
 * None of them replaces another: a genuine request can be old, and a recent one a duplicate.
 */
const resultsSchema = z.object({
  /** `unknown`: there is no signing secret to check it with. */
  signature: resultOf(['genuine', 'forged', 'unknown']),
  /** `notJudged`: the time of arrival is unknown, or the request is forged. */
  age: resultOf(['recent', 'old', 'future', 'notJudged']),
  /** `sameEvent`: a known event under another delivery id, which the service itself doesn't send. */
  duplicate: resultOf(['new', 'sameDelivery', 'sameEvent', 'notJudged']),
  /** Headers that the signature doesn't cover, next to the same value in the signed body. */
  headerFields: z.array(
    z.object({
      field: z.enum(['event', 'time', 'length']),
      /** The name of the header. */
      name: z.string(),
      header: z.string(),
      body: z.string(),
      differs: z.boolean(),
      note: z.string(),
    }),
  ),
})
export type WebhookResults = z.infer<typeof resultsSchema>

/** One sentence about the three results, and what a receiver should do. */
export function conclusionOf({ signature, age, duplicate, headerFields }: WebhookResults): {
  title: string
  process: 'process' | 'skip' | 'reject' | 'unknown'
} {
  if (signature.result === 'forged') return { title: 'Forged', process: 'reject' }
  if (signature.result === 'unknown')
    return { title: 'Can’t tell whether it is genuine', process: 'unknown' }
  if (age.result === 'old') return { title: 'Genuine, but too old', process: 'reject' }
  if (age.result === 'future') return { title: 'Genuine, but from the future', process: 'reject' }
  const isJudged = age.result === 'recent'
  if (duplicate.result !== 'new')
    return {
      title: isJudged
        ? 'Genuine and recent, but a duplicate'
        : 'Genuine, but a duplicate, age not judged',
      process: 'skip',
    }
  const differs = headerFields.some((field) => field.differs) ? ', but a header differs' : ''
  return isJudged
    ? { title: `Genuine, recent and new${differs}`, process: 'process' }
    : { title: `Genuine and new, age not judged${differs}`, process: 'unknown' }
}

const eventRowSchema = z.object({
  eventKey: z.string(),
  receivedAt: instantSchema,
  /** `received` by the inspector itself, or `pasted` by the user. */
  from: z.enum(['received', 'pasted']),
  /** The event's name in the signed body; in the header if the body has none. */
  event: z.string().nullable(),
  /** A short description: an order's reference, or an amount. */
  about: z.string(),
  orderId: z.string().nullable(),
  results: resultsSchema,
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
   * exactly as received. `arrived`: its age is judged only if it has just arrived. The secret is
   * used once and not stored; without one, the signature can't be checked.
   */
  paste: procedure
    .input(
      account.extend({
        request: z.string().min(1).max(1_000_000),
        secret: z.string().trim().max(512).default(''),
        arrived: z.enum(['unknown', 'now']).default('unknown'),
      }),
    )
    .output(detailSchema),
  clear: procedure.input(account).output(z.void()),
}
