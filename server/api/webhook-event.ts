/** The envelope of a webhook event and its data (Partner API "Events", Decision 21). */
import { z } from 'zod'
import { order } from './order.ts'
import { amount, moment, resource, word } from './resource.ts'
import { modes } from './words.ts'

/** `data` of `balance.credited`; the document doesn't show it. */
const balanceCredited = resource(
  {},
  { amount, balance: amount, currency: z.string(), reference: z.string(), ledgerId: z.string() },
)

/** `data` of `webhook.test`; the document doesn't show it. */
const webhookTest = resource({}, { message: z.string() })

const envelopeParts = { id: z.string(), mode: word(modes), createdAt: moment }

export const orderEvent = resource({
  ...envelopeParts,
  event: word(['order.completed', 'order.partially_completed', 'order.failed']),
  data: order,
})
export const balanceEvent = resource({
  ...envelopeParts,
  event: word(['balance.credited']),
  data: balanceCredited,
})
export const testEvent = resource({
  ...envelopeParts,
  event: word(['webhook.test']),
  data: webhookTest,
})

/**
 * Headers of a delivery: the event's name, the delivery's id (for detecting repeats), and `t=<unix
 * seconds>,v1=<HMAC-SHA256 in hex>`.
 */
export const webhookHeaders = {
  event: 'X-SVC-Event',
  delivery: 'X-SVC-Delivery',
  signature: 'X-SVC-Signature',
} as const
