/**
 * Sends webhook events: one POST, no redirects, to an address that was checked and is then used for
 * the connection.
 */
import { lookup } from 'node:dns/promises'
import type { ClientRequest } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import type { SendWebhook, WebhookRequest } from '../domain/ports/ordering/webhooks.ts'
import { hostOf, mayReceive } from '../domain/webhooks/webhook-address.ts'
import { requestOf } from './request-of.ts'

/**
 * Time limit for a receiver's response, including name resolution; real time (Partner API "Events",
 * rule 1).
 */
const ANSWER_WITHIN_MS = 8000
/**
 * How long the rest of a response is read, so that its sender sees it accepted; the result doesn't
 * depend on it.
 */
const DRAIN_MS = 1000
/** Limit for the rest: a receiver must not occupy the service with an endless response. */
const DRAIN_BYTES = 64 * 1024

const TIMED_OUT = 'no response within 8 s'

type Resolved = { address: string; family: number }[]
type ResolveName = (host: string) => Promise<Resolved>

const systemNames: ResolveName = (host) => lookup(host, { all: true })

/**
 * All addresses of the receiver. If one of them isn't allowed, the name is refused, because any of
 * them could be used.
 */
async function resolve(url: URL, loopback: boolean, names: ResolveName): Promise<Resolved> {
  const host = hostOf(url)
  const family = isIP(host)
  const found = family === 0 ? await names(host) : [{ address: host, family }]
  if (
    found.length === 0 ||
    !found.every(({ address }) => mayReceive(url.protocol, address, loopback))
  )
    throw new Error("connections to this address aren't allowed")
  return found
}

/**
 * Gives the connection's look-up the checked addresses, so that the name can't change between check
 * and connection.
 */
const pinned =
  (addresses: Resolved): LookupFunction =>
  (_host, options, answer) => {
    const [first] = addresses
    if (options.all === true) answer(null, addresses)
    else answer(null, first?.address ?? '', first?.family)
  }

function post(
  url: URL,
  { headers, body }: WebhookRequest,
  addresses: Resolved,
  signal: AbortSignal,
): Promise<number> {
  return new Promise((answered, failed) => {
    const sent: ClientRequest = requestOf(url)(url, {
      method: 'POST',
      agent: false,
      lookup: pinned(addresses),
      signal,
      headers: {
        ...headers,
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Keydesk-Webhooks/1',
      },
    })
    sent.on('error', failed)
    sent.on('response', (response) => {
      const drained = setTimeout(() => response.destroy(), DRAIN_MS)
      let read = 0
      response
        .on('error', () => undefined)
        .on('close', () => clearTimeout(drained))
        .on('data', ({ length }: Buffer) => {
          read += length
          if (read > DRAIN_BYTES) response.destroy()
        })
      answered(response.statusCode ?? 0)
    })
    sent.end(body)
  })
}

/** A short reason for the missing response: the system's own code, if there is one. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}

/**
 * Creates the sender. `loopback`: whether receivers on this computer are allowed; `names`: resolves
 * a host name to all its addresses; `monotonic` measures durations.
 */
export function createWebhookSender(
  loopback: boolean,
  names: ResolveName = systemNames,
  monotonic: () => number = () => performance.now(),
): SendWebhook {
  return async (request, stopped) => {
    const began = monotonic()
    const elapsed = () => Math.round(monotonic() - began)
    const url = new URL(request.url)
    const limit = AbortSignal.timeout(ANSWER_WITHIN_MS)
    const over = AbortSignal.any([limit, stopped])
    // Name resolution can't be cancelled; we can only stop waiting for it.
    const end = new Promise<never>((_resolve, reject) =>
      over.addEventListener('abort', () => reject(over.reason), { once: true }),
    )
    end.catch(() => undefined)
    try {
      const addresses = await Promise.race([resolve(url, loopback, names), end])
      const status = await Promise.race([post(url, request, addresses, over), end])
      return {
        status,
        error: status >= 300 && status < 400 ? "redirects aren't followed" : null,
        durationMs: elapsed(),
      }
    } catch (error) {
      if (stopped.aborted) throw error
      return {
        status: null,
        error: limit.aborted ? TIMED_OUT : reasonOf(error),
        durationMs: elapsed(),
      }
    }
  }
}
