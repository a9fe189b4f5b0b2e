import type { HTTPMethods } from 'fastify'
import type { ForeignResponse } from '../../../src/core/testing/faulty-proxy.ts'
import { shortHash } from './event-log.ts'
import type { EventLog } from './event-log.ts'
import { servicePort } from './service.ts'
import type { SimulatedService } from './service.ts'
import type { VirtualTime } from './virtual-time.ts'

/**
 * What the network does with one request of the console. `refuse`: there is no connection. `cut`:
 * the request never arrives. `lose`: its response never arrives. `broken`: the response ends early.
 * `twice`: the service receives the request again after `apart` milliseconds. `answer`: a gateway
 * answers instead of the service. `replace`: a gateway replaces the service's response.
 */
export type FateKind =
  | { kind: 'pass' | 'refuse' | 'cut' | 'lose' | 'broken' }
  | { kind: 'twice'; apart: number }
  | { kind: 'answer' | 'replace'; answer: ForeignResponse }
/** `there` and `back`: the milliseconds that the request and the response take. */
export type Fate = FateKind & { there: number; back: number }

export type Exchange = {
  method: string
  path: string
  key: string
  idempotencyKey: string | null
  sent: string
  status: number
  received: string
  headers: Record<string, string>
  /** Whether it is the network's copy of a request. */
  isCopy: boolean
}
export type Step = 'sent' | 'served' | 'received'

export interface SimulatedNetwork {
  fetch(url: string | URL, init?: RequestInit): Promise<Response>
  /** Decides the outcome of each request of the console. */
  decide: (method: string, path: string) => Fate
  /** Called for each request that the service answered. */
  served: (exchange: Exchange) => void
  /** Called when the console sends a request, and when it receives a response. */
  sending: (method: string, path: string, key: string) => void
  receiving: (method: string, path: string, key: string, answer: ForeignResponse) => void
  /** Called at the steps of an exchange, at each of which the console can be killed. */
  passing: (step: Step) => void
  /** The number of the console's run; null if it was killed, so that nothing leaves any more. */
  run: () => number | null
}

type Sent = { method: string; path: string; headers: Record<string, string>; body: string }

/** Nothing was sent: there is no connection. */
class Unreachable extends TypeError {
  override readonly cause = { code: 'ECONNREFUSED', syscall: 'connect' }
}

/** How long Node's `fetch` waits for a response. */
const LOST_AFTER_MS = 300_000

/** The console's requests name the service's port, those of others don't. */
const isOfConsole = (url: URL): boolean => url.port === String(servicePort)

/** Calls of the service without a socket. */
function createService(service: () => SimulatedService | null) {
  return async (
    { method, path, headers, body }: Sent,
    door: 'app' | 'others',
  ): Promise<ForeignResponse> => {
    const running = service()
    if (running === null) throw new Unreachable('the service is down')
    const response = await running[door].inject({
      method: method as HTTPMethods,
      url: path,
      headers,
      ...(body !== '' && { payload: body }),
    })
    return {
      status: response.statusCode,
      headers: Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
      ),
      body: response.payload,
    }
  }
}

/** A `fetch` without sockets: the console's requests have outcomes, those of others pass. */
export function createSimulatedNetwork(
  time: VirtualTime,
  log: EventLog,
  service: () => SimulatedService | null,
): SimulatedNetwork {
  const serve = createService(service)
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => void time.after(ms, resolve))

  async function deliver(sent: Sent, isCopy: boolean): Promise<ForeignResponse> {
    const answer = await serve(sent, 'app')
    const { status, headers = {}, body: received } = answer
    const { method, path } = sent
    log.add('served', method, path, status, shortHash(sent.body), shortHash(received), isCopy)
    network.served({
      method,
      path,
      key: sent.headers['authorization'] ?? '',
      idempotencyKey: sent.headers['idempotency-key'] ?? null,
      sent: sent.body,
      status,
      received,
      headers,
      isCopy,
    })
    return answer
  }

  /** The response that the network brings back, if any. */
  async function carry(sent: Sent, fate: Fate): Promise<Response> {
    if (fate.kind === 'refuse') throw new Unreachable('there is no connection')
    network.passing('sent')
    await pause(fate.there)
    if (fate.kind === 'cut') throw new TypeError('the connection was cut')
    if (fate.kind === 'twice')
      time.after(fate.apart, () => void deliver(sent, true).catch(() => {}))
    const served = fate.kind === 'answer' ? fate.answer : await deliver(sent, false)
    network.passing('served')
    if (fate.kind === 'lose') {
      await pause(LOST_AFTER_MS)
      throw new TypeError('no response arrived')
    }
    await pause(fate.back)
    const answer = fate.kind === 'replace' ? fate.answer : served
    log.add('received', sent.method, sent.path, answer.status)
    return responseOf(answer, fate.kind === 'broken')
  }

  /** An exchange of the console, until it aborts the request or is killed. */
  function exchange(sent: Sent, signal: AbortSignal | null | undefined): Promise<Response> {
    const { method, path } = sent
    const key = sent.headers['authorization'] ?? ''
    const run = network.run()
    return new Promise((resolve, reject) => {
      const stop = (): void => reject(signal?.reason ?? new Error('aborted'))
      if (signal?.aborted === true) return stop()
      signal?.addEventListener('abort', stop, { once: true })
      if (run === null) return void time.after(LOST_AFTER_MS, stop)
      const fate = network.decide(method, path)
      log.add('sends', method, path, shortHash(sent.body), fate.kind, fate.there, fate.back)
      network.sending(method, path, key)
      void carry(sent, fate)
        .then(
          (answer) => {
            if (network.run() !== run) return stop()
            if (signal?.aborted === true) return
            resolve(answer)
            network.receiving(method, path, key, bodies.get(answer) ?? { status: 0, body: '' })
            network.passing('received')
          },
          (error: unknown) => reject(error),
        )
        .finally(() => signal?.removeEventListener('abort', stop))
    })
  }

  const network: SimulatedNetwork = {
    decide: () => ({ kind: 'pass', there: 20, back: 20 }),
    served: () => {},
    sending: () => {},
    receiving: () => {},
    passing: () => {},
    run: () => 0,
    async fetch(url, init = {}) {
      const to = new URL(url)
      const sent: Sent = {
        method: init.method ?? 'GET',
        path: `${to.pathname}${to.search}`,
        headers: Object.fromEntries(new Headers(init.headers)),
        body: typeof init.body === 'string' ? init.body : '',
      }
      return isOfConsole(to)
        ? exchange(sent, init.signal)
        : responseOf(await serve(sent, 'others'), false)
    },
  }
  return network
}

const bodies = new WeakMap<Response, ForeignResponse>()

/** The parts of a response that Keydesk and the soaks use. */
function responseOf(answer: ForeignResponse, isBroken: boolean): Response {
  const { status, headers = {}, body } = answer
  async function* broken(): AsyncGenerator<Buffer> {
    yield Buffer.from(body.slice(0, body.length / 2))
    throw new TypeError('the connection was cut')
  }
  const response = {
    status,
    ok: status >= 200 && status < 300,
    headers: new Headers(headers),
    body: isBroken ? broken() : body === '' ? null : [Buffer.from(body)],
    text: async () => body,
    json: async () => JSON.parse(body) as unknown,
  } as unknown as Response
  bodies.set(response, answer)
  return response
}
