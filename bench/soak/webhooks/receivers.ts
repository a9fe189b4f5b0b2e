/** Receivers on this computer: each path is one; all record their requests and check them. */
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { webhookHeaders } from '../../../server/api/schemas/webhook-event.ts'
import { byOurPage, byStripe, envelopeOf } from './verify.ts'

export type Received = {
  /** Real time from performance.now(). */
  at: number
  event: string
  delivery: string
  eventId: string
  data: unknown
  /** The signed time in seconds. */
  /** Index of the receiver's secret that signed it; -1: none of them. */
  secret: number
  /** Number of this delivery's arrival. */
  arrival: number
}

/** Responds, or doesn't. An exception is a defect of the soak. */
export type Answer = (response: ServerResponse, received: Received, socket: Socket) => void

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** All secrets of its address, oldest first. */
  readonly secrets: string[]
  /** Current number of requests without a response, and its maximum. */
  readonly open: { now: number; most: number }
  answer: Answer
}

export interface Receivers {
  add(name: string, answer: Answer): Receiver
  /** Problems of the requests. */
  readonly problems: string[]
  readonly verified: () => number
  close(): Promise<void>
}

export const plain =
  (status: number): Answer =>
  (response) =>
    void response.writeHead(status).end()

/**
 * A request that was read slowly was signed some seconds ago; more than this means a wrong clock.
 */
const LATE_MS = 60_000

export async function startReceivers(): Promise<Receivers> {
  const verifySignature = await byOurPage()
  const problems: string[] = []
  const known = new Map<string, Receiver>()
  /** A delivery and an event at their first arrival. */
  const deliveries = new Map<string, { eventId: string; arrivals: number; open: boolean }>()
  const events = new Map<string, string>()
  let verified = 0

  const header = (request: IncomingMessage, name: string): string => {
    const value = request.headers[name.toLowerCase()]
    return typeof value === 'string' ? value : ''
  }

  function secretOf(receiver: Receiver, signature: string, body: Buffer): number {
    const signedAt = Number(/^t=(\d+),/.exec(signature)?.[1]) * 1000
    // Signed with the real time, however far the service's clock is ahead.
    const now = Date.now()
    if (Math.abs(now - signedAt) > LATE_MS)
      problems.push(`signed at ${signedAt}, arrived at ${now}`)
    return receiver.secrets.findIndex((secret) => {
      try {
        const both = [
          byStripe(signature, body, secret, now),
          verifySignature(signature, body, secret, now),
        ]
        verified += 1
        if (both.includes(false)) problems.push('the two verifiers do not agree')
        return true
      } catch {
        if (verifySignature(signature, body, secret, now))
          problems.push('the stripe package rejects a signature that our own verifier accepts')
        return false
      }
    })
  }

  function judge(receiver: Receiver, request: IncomingMessage, body: Buffer): Received {
    const event = header(request, webhookHeaders.event)
    const delivery = header(request, webhookHeaders.delivery)
    const signature = header(request, webhookHeaders.signature)
    const { id: eventId, data } = envelopeOf(event, body)
    const secret = secretOf(receiver, signature, body)
    if (secret < 0) problems.push(`${delivery}: signed with no known secret`)
    const before = deliveries.get(delivery)
    if (before !== undefined && before.eventId !== eventId)
      problems.push(`${delivery} arrived with ${eventId} after ${before.eventId}`)
    if (before?.open === true)
      problems.push(`${delivery} arrived while its previous attempt was still running`)
    const text = body.toString('utf8')
    if ((events.get(eventId) ?? text) !== text)
      problems.push(`${eventId} arrived with another body`)
    events.set(eventId, text)
    const arrival = (before?.arrivals ?? 0) + 1
    deliveries.set(delivery, { eventId, arrivals: arrival, open: true })
    return {
      at: performance.now(),
      event,
      delivery,
      eventId,
      data,
      secret,
      arrival,
    }
  }

  async function take(
    receiver: Receiver,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const body = await buffer(request)
    const received = judge(receiver, request, body)
    receiver.open.now += 1
    receiver.open.most = Math.max(receiver.open.most, receiver.open.now)
    response
      .on('error', () => undefined)
      .on('close', () => {
        receiver.open.now -= 1
        const entry = deliveries.get(received.delivery)
        if (entry) entry.open = false
      })
    receiver.received.push(received)
    receiver.answer(response, received, request.socket)
  }

  const server = createServer((request, response) => {
    const receiver = known.get(request.url ?? '')
    if (receiver === undefined || request.method !== 'POST') {
      problems.push(
        `${request.method ?? ''} ${request.url ?? ''} arrived, but there is no such receiver`,
      )
      response.writeHead(404).end()
      return
    }
    take(receiver, request, response).catch((error: unknown) => {
      // An incomplete body means that the service was killed.
      if (!request.destroyed || request.complete)
        problems.push(`a request could not be checked: ${String(error)}`)
      response.destroy()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo

  return {
    problems,
    verified: () => verified,
    add(name: string, answer: Answer): Receiver {
      const receiver: Receiver = {
        url: `http://127.0.0.1:${port}/${name}`,
        received: [],
        secrets: [],
        open: { now: 0, most: 0 },
        answer,
      }
      known.set(`/${name}`, receiver)
      return receiver
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}
