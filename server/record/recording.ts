/** Stands between a client and a service, passes everything on, and keeps it without secrets. */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathOf } from '../http/access/zones.ts'
import { maskedRequest, maskedResponse, maskedUrl } from '../http/request-log/masking.ts'
import { contractProblems } from './contract-problems.ts'

const { createServer } = process.getBuiltinModule('node:http')

/** One request and its answer. */
export type Exchange = {
  readonly at: string
  readonly method: string
  readonly path: string
  /** Masked; null if it isn't JSON. */
  readonly request: unknown
  /** 0: the service didn't answer. */
  readonly status: number
  readonly requestId: string | null
  /** Masked; null if it isn't JSON. */
  readonly answer: unknown
  readonly ms: number
  /** What the contract doesn't allow, each in one line. */
  readonly problems: readonly string[]
}

export type Recording = {
  /** The origin for the client, in place of the service's. */
  readonly origin: string
  readonly exchanges: readonly Exchange[]
  stop(): Promise<void>
}

/** They belong to one connection, or `fetch` sets them. */
const ownHeaders = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
])

function headersOf({ rawHeaders }: IncomingMessage): [string, string][] {
  const pairs: [string, string][] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
    if (!ownHeaders.has(name.toLowerCase())) pairs.push([name, value])
  }
  return pairs
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return null
  }
}

type Answer = Pick<Response, 'status' | 'headers'> & { readonly bytes: Buffer }

async function askService(target: URL, request: IncomingMessage, body: Buffer): Promise<Answer> {
  const answer = await fetch(new URL(request.url ?? '/', target), {
    method: request.method ?? 'GET',
    headers: headersOf(request),
    redirect: 'manual',
    ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
  })
  const { status, headers } = answer
  return { status, headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}

function passOn(answer: Answer, response: ServerResponse): void {
  for (const [name, value] of answer.headers)
    if (!ownHeaders.has(name)) response.appendHeader(name, value)
  response.writeHead(answer.status).end(answer.bytes)
}

/** @param target the origin of the service */
export async function startRecording(
  target: URL,
  port: number,
  now: () => number = Date.now,
): Promise<Recording> {
  const exchanges: Exchange[] = []

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request
    const at = new Date(now()).toISOString()
    const began = performance.now()
    const body = await bytesOf(request)
    const answer = await askService(target, request, body).catch(() => null)
    if (answer === null) response.destroy()
    else passOn(answer, response)
    const path = pathOf(url)
    const status = answer?.status ?? 0
    exchanges.push({
      at,
      method,
      path: maskedUrl(url),
      request: maskedRequest(path, jsonOf(body)),
      status,
      requestId: answer?.headers.get('x-request-id') ?? null,
      answer: answer === null ? null : maskedResponse(path, jsonOf(answer.bytes)),
      ms: Math.round(performance.now() - began),
      problems:
        answer === null
          ? ["The service didn't answer."]
          : contractProblems(method, path, { status, text: answer.bytes.toString() }),
    })
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
