import { createHmac, timingSafeEqual } from 'node:crypto'
import { webhookHeaders } from '../../../server/api/schemas/webhook-event.ts'
import type { WebhookResults } from '../../contract/webhook-inspector.ts'

/** A received request. Header names in any case. */
export type WebhookRequest = { headers: readonly (readonly [string, string])[]; body: Buffer }

/** Genuine webhooks received before: by delivery id their arrival, by event id the first one. */
export type Arrivals = {
  deliveries: ReadonlyMap<string, number>
  events: ReadonlyMap<string, { at: number; delivery: string }>
}
type Options = {
  secret: string
  /** Maximum difference between `t` and `now`, in seconds. */ toleranceSeconds: number
  /** The arrival in milliseconds. Null: unknown, so that the age isn't judged. */
  now: number | null
  seen: Arrivals
}

export const headerOf = (headers: WebhookRequest['headers'], name: string): string | null =>
  headers.find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1] ?? null

/**
 * `t` and every `v1` of a signature header. Null if it doesn't have the form `t=<unix
 * seconds>,v1=<hex>`.
 */
function signatureOf(header: string): { t: number; digests: string[] } | null {
  const parts = header.split(',').map((part) => part.trim().split('='))
  const t = parts.find(([name]) => name === 't')?.[1] ?? ''
  const digests = parts.flatMap(([name, value]) =>
    name === 'v1' && /^[0-9a-f]{64}$/i.test(value ?? '') ? [(value ?? '').toLowerCase()] : [],
  )
  return /^\d{1,12}$/.test(t) && digests.length > 0 ? { t: Number(t), digests } : null
}

type Envelope = { id: string | null; event: string | null; createdAt: string | null }

/** The parts of the signed body that headers or earlier events are compared with. */
export function envelopeOf(body: Buffer): Envelope {
  let value: unknown
  try {
    value = JSON.parse(body.toString())
  } catch {
    value = null
  }
  const parts = typeof value === 'object' && value !== null ? value : {}
  const text = (name: string): string | null => {
    const part: unknown = (parts as Record<string, unknown>)[name]
    return typeof part === 'string' ? part : null
  }
  return { id: text('id'), event: text('event'), createdAt: text('createdAt') }
}

function judgeSignature(
  { headers, body }: WebhookRequest,
  { secret }: Options,
): WebhookResults['signature'] {
  const header = headerOf(headers, webhookHeaders.signature)
  const signature = signatureOf(header ?? '')
  if (signature === null)
    return {
      result: 'forged',
      text:
        header === null
          ? `There is no ${webhookHeaders.signature} header.`
          : `${webhookHeaders.signature} doesn’t have the form t=<seconds>,v1=<64 hex digits>.`,
      values: header === null ? [] : [{ label: 'Received', value: header }],
    }
  const received = signature.digests.map((value) => ({ label: 'Received', value }))
  if (!secret.startsWith('whsec_'))
    return {
      result: 'unknown',
      text:
        secret === ''
          ? 'Can’t tell without the signing secret.'
          : 'Can’t tell: a signing secret starts with whsec_.',
      values: received,
    }
  const computed = createHmac('sha256', secret)
    .update(Buffer.concat([Buffer.from(`${signature.t}.`), body]))
    .digest()
  const equal =
    signature.digests.filter((digest) => timingSafeEqual(Buffer.from(digest, 'hex'), computed))
      .length > 0
  return {
    result: equal ? 'genuine' : 'forged',
    text: equal
      ? 'HMAC-SHA256 of t, a dot and the body matches.'
      : 'Signed with another secret, or the body was changed in transit.',
    values: [
      { label: 'Secret', value: 'whsec_••••••••••••' },
      { label: 'Computed', value: computed.toString('hex') },
      ...received,
    ],
  }
}

const isoOf = (seconds: number): string => {
  const at = new Date(seconds * 1000)
  return Number.isNaN(at.getTime()) ? String(seconds) : at.toISOString()
}

function judgeAge(t: number, { now, toleranceSeconds }: Options): WebhookResults['age'] {
  const signed = { label: 'Signed, t', value: isoOf(t) }
  if (now === null)
    return {
      result: 'notJudged',
      text: 'When it arrived is unknown.',
      values: [signed, { label: 'Arrived', value: 'unknown' }],
    }
  const ageSeconds = Math.round(now / 1000) - t
  return {
    result:
      ageSeconds > toleranceSeconds ? 'old' : ageSeconds < -toleranceSeconds ? 'future' : 'recent',
    text: `Signed ${spanOf(Math.abs(ageSeconds))} ${ageSeconds < 0 ? 'after' : 'before'} it arrived.`,
    values: [
      signed,
      { label: 'Arrived', value: isoOf(Math.round(now / 1000)) },
      { label: 'Allowed', value: `${toleranceSeconds} s` },
    ],
  }
}

/** Seconds in their largest useful unit: "12 s", "3 h", "1,106 days". */
function spanOf(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400).toLocaleString('en')} days`
}

function judgeDuplicate(
  delivery: string | null,
  event: string | null,
  { seen }: Options,
): WebhookResults['duplicate'] {
  const before = delivery === null ? undefined : seen.deliveries.get(delivery)
  const first = event === null ? undefined : seen.events.get(event)
  const at = before ?? first?.at
  const values = [
    { label: 'Delivery', value: `${delivery ?? '–'}${before === undefined ? ' new' : ' seen'}` },
    { label: 'Event', value: `${event ?? '–'}${first === undefined ? ' new' : ' seen'}` },
    ...(at === undefined ? [] : [{ label: 'First seen', value: new Date(at).toISOString() }]),
    ...(first === undefined || first.delivery === delivery
      ? []
      : [{ label: 'First delivery', value: first.delivery }]),
  ]
  if (before !== undefined)
    return { result: 'sameDelivery', text: 'This delivery was received before.', values }
  if (first !== undefined)
    return {
      result: 'sameEvent',
      text: 'The delivery id is new, the event id isn’t: the event was sent again.',
      values,
    }
  return { result: 'new', text: 'Neither the delivery nor the event was received before.', values }
}

/** The headers that repeat a value of the body. The signature covers only the body. */
function compareHeaders(
  { headers, body }: WebhookRequest,
  t: number | null,
): WebhookResults['headerFields'] {
  const { event, createdAt } = envelopeOf(body)
  const named = headerOf(headers, webhookHeaders.event)
  const length = headerOf(headers, 'Content-Length')
  const sameName = named === event
  return [
    {
      field: 'event',
      name: webhookHeaders.event,
      header: named ?? '–',
      body: event ?? '–',
      differs: !sameName,
      note: sameName ? 'equal' : 'differs',
    },
    // Times in the body are the service's, which can be ahead: they are shown, never judged.
    {
      field: 'time',
      name: webhookHeaders.signature,
      header: t === null ? '–' : isoOf(t),
      body: createdAt ?? '–',
      differs: false,
      note: 'not compared',
    },
    ...(length === null
      ? []
      : [
          {
            field: 'length' as const,
            name: 'Content-Length',
            header: length,
            body: `${body.length} bytes`,
            differs: Number(length) !== body.length,
            note: Number(length) === body.length ? 'equal' : 'differs',
          },
        ]),
  ]
}

/**
 * Verifies a webhook (Partner API, Events; Decision 21): its signature, its age and
 * whether it is a duplicate are three results. The age and the ids of a forged request are not
 * judged, because anyone could have written them.
 */
export function verify(request: WebhookRequest, options: Options): WebhookResults {
  const signature = judgeSignature(request, options)
  const t = signatureOf(headerOf(request.headers, webhookHeaders.signature) ?? '')?.t ?? null
  const headerFields = compareHeaders(request, t)
  if (signature.result === 'forged' || t === null) {
    const none = {
      result: 'notJudged' as const,
      text: 'Not judged: the signature doesn’t match.',
      values: [],
    }
    return { signature, age: none, duplicate: none, headerFields }
  }
  return {
    signature,
    age: judgeAge(t, options),
    duplicate: judgeDuplicate(
      headerOf(request.headers, webhookHeaders.delivery),
      envelopeOf(request.body).id,
      options,
    ),
    headerFields,
  }
}

/**
 * Reads a pasted request: a request line if there is one, headers, an empty line, the body. The
 * body stays byte for byte. Null if there are no headers.
 */
export function readPasted(
  text: string,
): (WebhookRequest & { method: string; path: string }) | null {
  const end = /\r?\n\r?\n/.exec(text)
  const head = end === null ? text : text.slice(0, end.index)
  const body = end === null ? '' : text.slice(end.index + end[0].length)
  const lines = head.split(/\r?\n/).filter((line) => line.trim() !== '')
  const [, method, path] = /^([A-Z]+)\s+(\S+)/.exec(lines[0] ?? '') ?? []
  const headers = (method === undefined ? lines : lines.slice(1)).flatMap(
    (line): [string, string][] => {
      const colon = line.indexOf(':')
      return colon <= 0 ? [] : [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()]]
    },
  )
  return headers.length === 0
    ? null
    : { method: method ?? 'POST', path: path ?? '/', headers, body: Buffer.from(body) }
}
