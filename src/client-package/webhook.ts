/** Verifies webhooks as the console's webhook inspector does. */
import type { z } from 'zod'
import { balanceEvent, orderEvent, testEvent } from '../../server/api/schemas/webhook-event.ts'
import { systemClock } from '../core/clock.ts'
import { verify } from '../core/webhook-inspector/verify.ts'

export type WebhookEvent =
  | z.output<typeof orderEvent.tolerant>
  | z.output<typeof balanceEvent.tolerant>
  | z.output<typeof testEvent.tolerant>

export type WebhookVerdict = {
  readonly signature: 'genuine' | 'forged' | 'unknown'
  /** Whether the signature's time is within the tolerance; `notJudged` if it is forged. */
  readonly age: 'recent' | 'old' | 'future' | 'notJudged'
  /** The event if it is genuine and recent and of a known kind; otherwise null. */
  readonly event: WebhookEvent | null
}

const TOLERANCE_S = 300

function eventOf(body: Buffer): WebhookEvent | null {
  for (const { tolerant } of [orderEvent, balanceEvent, testEvent]) {
    const parsed = tolerant.safeParse(JSON.parse(body.toString('utf8')))
    if (parsed.success) return parsed.data
  }
  return null
}

/**
 * Judges a webhook. Handle its `event` only once per order, in one atomic write, whatever the
 * delivery id says: events arrive more than once and in any order.
 *
 * @param body as received; parsed and serialized JSON has another signature
 * @param headers of the request, such as `request.headers` of Node
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  secret: string,
): WebhookVerdict {
  const bytes = Buffer.from(body)
  const pairs = Object.entries(headers).map(([name, value]) => [name, String(value)] as const)
  const { signature, age } = verify(
    { headers: pairs, body: bytes },
    {
      secret,
      toleranceSeconds: TOLERANCE_S,
      now: systemClock.now(),
      seen: { deliveries: new Map(), events: new Map() },
    },
  )
  const trusted = signature.result === 'genuine' && age.result === 'recent'
  return {
    signature: signature.result,
    age: age.result,
    event: trusted ? eventOf(bytes) : null,
  }
}
