/**
 * Endpoints of the Partner API about the caller: GET /ping, GET /balance, and POST /webhooks/test.
 */
import { z } from 'zod'
import { amount, listOf, resource, closedList } from './resource.ts'
import { modes, scopes } from './enums.ts'

export const ping = resource({
  ok: z.boolean(),
  partnerId: z.string(),
  mode: closedList(modes),
  scopes: listOf(closedList(scopes)),
  ip: z.string(),
})

/** The balance of the key's mode. */
export const balance = resource({ balance: amount, currency: z.string(), mode: closedList(modes) })

/** 202 of POST /webhooks/test (Decision 21); the document shows no body. */
export const queuedTest = resource(
  {},
  { queued: z.boolean(), eventId: z.string(), deliveryId: z.string() },
)
