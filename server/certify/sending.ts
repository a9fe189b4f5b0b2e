/** Sends events to the handler as the service does, and in all the ways that go wrong. */
import type { IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { webhookHeaders } from '../api/schemas/webhook-event.ts'
import { webhookSignature } from '../domain/webhooks/webhook-signature.ts'
import { requestOf } from '../http/request-of.ts'
import type { Event } from './orders.ts'

/** Partner API, Events, rule 1. */
export const ANSWER_WITHIN_MS = 8000
/** Outside the tolerance of 300 s that receivers should allow, by more than a slow machine's delay. */
const STALE_S = 330
const SLOW_PAUSE_MS = 30

export type Answer = {
  /** Null if none arrived. */
  readonly status: number | null
  readonly ms: number
}
/** How the connection behaves. */
export type Manner = 'plain' | 'slow' | 'cut' | 'lost'
type Message = { readonly headers: Record<string, string>; readonly body: string }

/** A delivery of an event, signed now; `ahead`: seconds by which its time is wrong. */
export function messageOf(event: Event, secret: string, ahead = 0): Message {
  return {
    headers: {
      [webhookHeaders.event]: event.name,
      [webhookHeaders.delivery]: event.delivery,
      [webhookHeaders.signature]: webhookSignature(secret, event.body, Date.now() + ahead * 1000),
    },
    body: event.body,
  }
}

/** The same event as a sender without the secret can send it. */
export function forgedMessage(event: Event, secret: string, variant: string | null): Message {
  const genuine = messageOf(event, secret)
  const signature = genuine.headers[webhookHeaders.signature] ?? ''
  if (variant === 'secret') return messageOf(event, `${secret.slice(0, -1)}~`)
  if (variant === 'body') return { ...genuine, body: event.body.replace('{', '{ ') }
  const { [webhookHeaders.signature]: _left, ...unsigned } = genuine.headers
  if (variant === 'unsigned') return { headers: unsigned, body: event.body }
  const later = signature.replace(/t=(\d+)/, (_, t: string) => `t=${Number(t) + 1}`)
  return { headers: { ...unsigned, [webhookHeaders.signature]: later }, body: event.body }
}

export const staleMessage = (event: Event, secret: string, variant: string | null): Message =>
  messageOf(event, secret, variant === 'future' ? STALE_S : -STALE_S)

/** Reads an answer to its end; `slow`: after a pause. */
async function drain(response: IncomingMessage, manner: Manner): Promise<void> {
  if (manner === 'slow') await delay(SLOW_PAUSE_MS)
  response.resume()
}

/**
 * Sends one request over a connection of its own. Never throws.
 *
 * @param limitMs when it stops waiting for the answer
 */
export function send(
  url: URL,
  { headers, body }: Message,
  manner: Manner = 'plain',
  limitMs = ANSWER_WITHIN_MS,
): Promise<Answer> {
  const began = performance.now()
  const bytes = Buffer.from(body)
  return new Promise((resolve) => {
    const end = (status: number | null): void =>
      resolve({ status, ms: Math.round(performance.now() - began) })
    const request = requestOf(url)(url, {
      method: 'POST',
      agent: false,
      headers: {
        ...headers,
        'content-type': 'application/json; charset=utf-8',
        'content-length': bytes.length,
        'user-agent': 'Keydesk-Webhooks/1',
      },
    })
    const limit = setTimeout(() => request.destroy(), limitMs)
    request
      .on('error', () => end(null))
      .on('close', () => {
        clearTimeout(limit)
        end(null)
      })
      .on('response', (response) => {
        response.on('error', () => undefined)
        if (manner === 'lost') {
          request.destroy()
          return
        }
        end(response.statusCode ?? null)
        void drain(response, manner)
      })
    if (manner === 'plain' || manner === 'lost') {
      request.end(bytes)
      return
    }
    const half = bytes.length >> 1
    request.write(bytes.subarray(0, half))
    void delay(SLOW_PAUSE_MS).then(() =>
      manner === 'cut' ? request.destroy() : request.end(bytes.subarray(half)),
    )
  })
}
