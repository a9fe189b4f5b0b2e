import { createServer, request } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PROOF_PATH } from '../../../server/api/sandbox-proof.ts'

/** A response that isn't the service's. */
export type ForeignResponse = {
  status: number
  headers?: Readonly<Record<string, string>>
  body: string
}

/** The outcome of one exchange. */
export type ExchangeOutcome =
  /**
   * Passed on unchanged; cut before it reaches the service; or its response is lost after the
   * service executed it.
   */
  | 'pass'
  | 'cut'
  | 'lose-answer'
  /** Accepted and never responded to: before it reaches the service, or after it executed it. */
  | 'swallow'
  | 'swallow-answer'
  /** Passed on after a delay. */
  | { kind: 'delay'; ms: number }
  /**
   * Passed on twice, the copy after a delay. One of the two responses is returned, the other is
   * lost.
   */
  | { kind: 'twice'; apartMs: number; answer: 'first' | 'second' }
  /** Responded to in several pieces with a pause between them. */
  | { kind: 'trickle'; pieces: number; everyMs: number }
  /** The connection closes in the middle of the response, after this share of its bytes. */
  | { kind: 'cut-body'; share: number }
  /** Responded to without asking the service. */
  | { kind: 'answer'; answer: ForeignResponse }
  /** Responded to with something else after the service executed it. */
  | { kind: 'replace'; answer: ForeignResponse }

export interface FaultyProxy {
  /** The service's base address through the proxy. */
  baseUrl: string
  /** Decides each exchange of the API; initially `pass` for all. */
  decide: (method: string, path: string) => ExchangeOutcome
  /**
   * Called for each exchange that the service responded to, whether or not the response arrives.
   */
  served: (exchange: { method: string; path: string; sent: string; status: number }) => void
  /**
   * Rejects every connection, like a computer without a network; `plug` accepts them again at the
   * same address.
   */
  disconnect(): Promise<void>
  reconnect(): Promise<void>
  close(): Promise<void>
}

const after = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of message) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer }

async function give(
  outgoing: ServerResponse,
  { status, headers, body }: Answer,
  outcome: ExchangeOutcome,
): Promise<void> {
  if (outcome === 'swallow-answer') return
  if (outcome === 'lose-answer') return void outgoing.destroy()
  if (typeof outcome === 'object' && outcome.kind === 'replace')
    return void outgoing
      .writeHead(outcome.answer.status, outcome.answer.headers)
      .end(outcome.answer.body)
  const {
    'transfer-encoding': _chunked,
    connection: _connection,
    'keep-alive': _keepAlive,
    ...kept
  } = headers
  outgoing.writeHead(status, status === 204 ? kept : { ...kept, 'content-length': body.length })
  if (typeof outcome === 'object' && outcome.kind === 'cut-body')
    return void outgoing.write(body.subarray(0, Math.floor(body.length * outcome.share)), () =>
      outgoing.destroy(),
    )
  if (typeof outcome === 'object' && outcome.kind === 'trickle') {
    const size = Math.ceil(body.length / outcome.pieces)
    for (let from = 0; from < body.length && !outgoing.destroyed; from += size) {
      outgoing.write(body.subarray(from, from + size))
      await after(outcome.everyMs)
    }
    return void outgoing.end()
  }
  outgoing.end(body)
}

/**
 * A loopback proxy in front of a service that applies the decided fault to each exchange. The
 * challenge that proves a sandbox isn't part of the API and has its own outcome, `proof`.
 */
export async function startFaultyProxy(
  target: string,
  { proof = 'pass' }: { proof?: ExchangeOutcome } = {},
): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target)
  const onward = (incoming: IncomingMessage, body: Buffer): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const { method, url, headers } = incoming
      const asked = request(
        {
          hostname,
          port,
          method,
          path: url,
          headers: { ...headers, 'accept-encoding': 'identity', host: `${hostname}:${port}` },
        },
        (answer) => {
          bytesOf(answer).then(
            (bytes) =>
              resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: bytes }),
            reject,
          )
        },
      )
      asked.once('error', reject)
      asked.end(body)
    })
  async function exchange(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/' } = incoming
    const outcome = path === PROOF_PATH ? proof : proxy.decide(method, path)
    if (outcome === 'cut') return void incoming.socket.destroy()
    const sent = await bytesOf(incoming)
    if (outcome === 'swallow') return
    if (typeof outcome === 'object' && outcome.kind === 'answer')
      return void outgoing
        .writeHead(outcome.answer.status, outcome.answer.headers)
        .end(outcome.answer.body)
    if (typeof outcome === 'object' && outcome.kind === 'delay') await after(outcome.ms)
    const pass = async (): Promise<Answer> => {
      const answer = await onward(incoming, sent)
      if (path !== PROOF_PATH)
        proxy.served({ method, path, sent: sent.toString('utf8'), status: answer.status })
      return answer
    }
    const copies =
      typeof outcome === 'object' && outcome.kind === 'twice'
        ? [pass(), after(outcome.apartMs).then(pass)]
        : [pass()]
    // The copy is sent whether or not its response is used.
    for (const copy of copies) copy.catch(() => {})
    await give(
      outgoing,
      (await copies[
        typeof outcome === 'object' && outcome.kind === 'twice' && outcome.answer === 'second'
          ? 1
          : 0
      ]) as Answer,
      outcome,
    )
  }
  const server = createServer((incoming, outgoing) => {
    exchange(incoming, outgoing).catch(() => incoming.socket.destroy())
  })
  const listen = (at: number): Promise<void> =>
    new Promise((resolve) => {
      server.listen(at, '127.0.0.1', resolve)
    })
  const shut = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  await listen(0)
  const own = (server.address() as AddressInfo).port
  const proxy: FaultyProxy = {
    baseUrl: `http://127.0.0.1:${own}/v1`,
    decide: () => 'pass',
    served: () => {},
    disconnect: shut,
    reconnect: () => listen(own),
    close: shut,
  }
  return proxy
}
