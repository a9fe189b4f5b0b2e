/** The envelope of a webhook event and its data (Partner API "Events", Decision 21). */
import { z } from 'zod'
import { order } from './order.ts'
import { amount, dateTime, resource, closedList } from './resource.ts'
import { modes } from './enums.ts'

/** `data` of `balance.credited`; the document doesn't show it. */
const balanceCredited = resource(
  {},
  { amount, balance: amount, currency: z.string(), reference: z.string(), ledgerId: z.string() },
)

/** `data` of `webhook.test`; the document doesn't show it. */
const webhookTest = resource({}, { message: z.string() })

const envelopeParts = { id: z.string(), mode: closedList(modes), createdAt: dateTime }

export const orderEvent = resource({
  ...envelopeParts,
  event: closedList(['order.completed', 'order.partially_completed', 'order.failed']),
  data: order,
})
export const balanceEvent = resource({
  ...envelopeParts,
  event: closedList(['balance.credited']),
  data: balanceCredited,
})
export const testEvent = resource({
  ...envelopeParts,
  event: closedList(['webhook.test']),
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
