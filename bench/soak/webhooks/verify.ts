/**
 * Two verifiers of signatures that share no code with the service: the stripe package's, and the
 * one that our own pages show.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Stripe } from 'stripe'
import { balanceEvent, orderEvent, testEvent } from '../../../server/api/schemas/webhook-event.ts'

/** `body` as received; `now` in milliseconds on the service's clock. */
export type Verify = (header: string, body: Buffer, secret: string, now: number) => boolean

const TOLERANCE_S = 300

/** Throws the package's error; its event type is unrelated to ours. */
export const byStripe: Verify = (header, body, secret, now) => {
  const event: unknown = Stripe.webhooks.constructEvent(
    body,
    header,
    secret,
    TOLERANCE_S,
    undefined,
    now,
  )
  return event !== null
}

const page = path.join(import.meta.dirname, '../../../docs/service/partner-api.md')

/** The verifier from docs/service/partner-api.md, extracted and executed. */
export async function byOurPage(): Promise<Verify> {
  const code = /^```js\n(?<code>[^]*?isGenuine[^]*?)^```$/m.exec(await readFile(page, 'utf8'))
    ?.groups?.['code']
  if (code === undefined) throw new Error(`${page} shows no verifier`)
  const shown: { isGenuine: Verify } = await import(
    `data:text/javascript,${encodeURIComponent(code)}`
  )
  return shown.isGenuine
}

const envelopes = { 'webhook.test': testEvent, 'balance.credited': balanceEvent } as const

/** The envelope of a body; throws if it doesn't belong to the event in its header. */
export function envelopeOf(event: string, body: Buffer): { id: string; data: unknown } {
  const schema = event in envelopes ? envelopes[event as keyof typeof envelopes] : orderEvent
  const json: unknown = JSON.parse(body.toString('utf8'))
  const envelope = schema.strict.parse(json)
  if (envelope.event !== event)
    throw new Error(`the header says ${event}, the body ${envelope.event}`)
  return { id: envelope.id, data: (json as { data: unknown }).data }
}
