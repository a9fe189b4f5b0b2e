/** A partner's webhook endpoint and its deliveries on the dashboard interface (Decision 21). */
import { z } from 'zod'
import {
  listOf,
  dateTime,
  namedEnvelope,
  orNull,
  resource,
  closedList,
} from '../schemas/resource.ts'
import { oneOf } from '../schemas/values.ts'
import { deliveryStatuses, modes, webhookEvents } from '../schemas/enums.ts'

/** https only, except loopback http; the domain decides which addresses are allowed. */
export const webhookRequest = z.object({
  url: z.url({ protocol: /^https?$/, error: 'must be an https address' }),
})
/** `secret` (`whsec_…`) is shown once and replaced at each PUT. */
export const newWebhook = resource({ url: z.string(), secret: z.string() })
/** The demo partner has an empty one from the start: `url` is null, `hint` says how to set it. */
export const webhook = resource(
  { url: z.string().nullable() },
  { createdAt: orNull(dateTime), hint: z.string().optional() },
)

export const webhookTestRequest = z.object({ mode: oneOf(modes) })
export const queuedDelivery = resource({ deliveryId: z.string(), eventId: z.string() })

export const deliveryPage = namedEnvelope(
  resource({
    /** The X-SVC-Delivery value. */
    id: z.string(),
    eventId: z.string(),
    event: closedList(webhookEvents),
    status: closedList(deliveryStatuses),
    attempts: listOf(
      resource({
        at: dateTime,
        status: z.int().nullable(),
        error: z.string().nullable(),
        durationMs: z.number(),
      }),
    ),
    nextAttemptAt: orNull(dateTime),
  }),
)
