import { createHmac, timingSafeEqual } from 'node:crypto'
import { webhookHeaders } from '../../../server/api/schemas/webhook-event.ts'
import type { VerificationStep } from '../../contract/webhook-inspector.ts'

/** A received request. Header names in any case. */
export type WebhookRequest = { headers: readonly (readonly [string, string])[]; body: Buffer }
type Options = {
  secret: string
  /** Maximum difference between `t` and `now`, in seconds. */ toleranceSeconds: number
  /** Milliseconds. */ now: number
  isKnown: (deliveryId: string) => boolean
}
export type Verdict = { verdict: 'genuine' | 'repeat' | 'refused'; steps: VerificationStep[] }

export const headerOf = (headers: WebhookRequest['headers'], name: string): string | null =>
  headers.find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1] ?? null

const shownBytes = 80

/**
 * `t` and every `v1` of a signature header. Null if it doesn't have the form `t=<unix
 * seconds>,v1=<hex>`.
 */
export function signatureOf(header: string): { t: number; digests: string[] } | null {
  const parts = header.split(',').map((part) => part.trim().split('='))
  const t = parts.find(([name]) => name === 't')?.[1] ?? ''
  const digests = parts.flatMap(([name, value]) =>
    name === 'v1' && /^[0-9a-f]{64}$/i.test(value ?? '') ? [(value ?? '').toLowerCase()] : [],
  )
  return /^\d{1,12}$/.test(t) && digests.length > 0 ? { t: Number(t), digests } : null
}

/**
 * Verifies a webhook step by step (Partner API, Events; Decision 21): headers, timestamp, signed
 * text, digest, comparison in constant time, repeat. After the first failed step, the others are
 * skipped.
 */
export function verify(
  { headers, body }: WebhookRequest,
  { secret, toleranceSeconds, now, isKnown }: Options,
): Verdict {
  const steps: VerificationStep[] = []
  let ended = false
  const step = (
    id: VerificationStep['id'],
    passed: boolean,
    text: string,
    values: VerificationStep['values'] = [],
  ): void => {
    steps.push(
      ended
        ? {
            id,
            result: 'skipped',
            text: 'Not checked, because an earlier step failed.',
            values: [],
          }
        : { id, result: passed ? 'passed' : 'failed', text, values },
    )
    ended ||= !passed
  }
  const missing = Object.values(webhookHeaders).filter((name) => headerOf(headers, name) === null)
  const signature = signatureOf(headerOf(headers, webhookHeaders.signature) ?? '')
  const delivery = headerOf(headers, webhookHeaders.delivery) ?? ''
  step(
    'headers',
    missing.length === 0 && signature !== null,
    missing.length > 0
      ? `Missing: ${missing.join(', ')}.`
      : signature === null
        ? `${webhookHeaders.signature} doesn’t have the form t=<seconds>,v1=<64 hex digits>.`
        : 'Event, Delivery and Signature are present, and the signature has t and v1.',
  )

  const t = signature?.t ?? 0
  const ageSeconds = Math.round(now / 1000) - t
  step(
    'fresh',
    Math.abs(ageSeconds) <= toleranceSeconds,
    `t is ${Math.abs(ageSeconds)} s ${ageSeconds < 0 ? 'after' : 'before'} the time of receipt. ` +
      `Tolerance: ${toleranceSeconds} s.`,
    [
      { label: 't', value: `${t} = ${new Date(t * 1000).toISOString()}` },
      { label: 'came', value: `${Math.round(now / 1000)} = ${new Date(now).toISOString()}` },
    ],
  )

  const signed = Buffer.concat([Buffer.from(`${t}.`), body])
  step(
    'signed',
    true,
    `t, a dot, and the body exactly as received: ${signed.length.toLocaleString('en')} bytes.`,
    [
      {
        label: 'signed',
        value: `${signed.toString('utf8', 0, shownBytes)}${signed.length > shownBytes ? '…' : ''}`,
      },
    ],
  )

  const usable = secret.startsWith('whsec_')
  const computed = createHmac('sha256', secret).update(signed).digest()
  step(
    'digest',
    usable,
    usable
      ? 'Uses the full secret, including whsec_, as UTF-8.'
      : 'A signing secret starts with whsec_.',
    [{ label: 'secret', value: `${secret.slice(0, 6)}••••••••••••` }],
  )

  const equal =
    (signature?.digests ?? []).filter((digest) =>
      timingSafeEqual(Buffer.from(digest, 'hex'), computed),
    ).length > 0
  step(
    'equal',
    equal,
    equal
      ? 'Compared in constant time.'
      : 'The request was signed with another secret, or its body was changed in transit.',
    [
      { label: 'computed', value: computed.toString('hex') },
      ...(signature?.digests ?? ['']).map((digest) => ({ label: 'received', value: digest })),
    ],
  )

  const repeat = isKnown(delivery)
  const genuine = !ended
  step(
    'new',
    !repeat,
    repeat
      ? `${delivery} was received before. Respond, but don’t handle it again.`
      : `${delivery} is new. A repeat has the same id: respond, but don’t handle it again.`,
  )
  return { verdict: !genuine ? 'refused' : repeat ? 'repeat' : 'genuine', steps }
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
