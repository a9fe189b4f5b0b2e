import { NetworkError, ResponseError } from '../../../../server/api/client/client-errors.ts'
import type { TransportResponse, TransportRequest } from '../../../../server/api/client/client.ts'
import type { Network, ProxyVariables } from '../../../platform/network.ts'
import { isLoopbackHost } from './addresses.ts'

const { Agent: HttpAgent, request: httpRequest } = process.getBuiltinModule('node:http')
const { Agent: HttpsAgent, request: httpsRequest } = process.getBuiltinModule('node:https')

/** How long a response can take, in milliseconds. */
export const responseTimeoutMs = 30_000
/** The limit for an order that waits for its delivery (`wait`, up to 25 s), in milliseconds. */
export const orderTimeoutMs = 40_000
/** The limits for a quick read and for a quick change, in milliseconds. */
export const quickReadMs = 1500
export const quickChangeMs = 5000
/** A request without a complete response after this time makes its address doubtful. */
export const doubtfulMs = 3000

/** Largest response after decompression unless the request says otherwise, in bytes. */
const DEFAULT_MAX_BYTES = 8 * 1024 * 1024

/** A response is discarded as soon as it is larger than its operation can be. */
const tooLarge = (status: number, requestId: string | null, maxBytes: number): ResponseError =>
  new ResponseError(
    `the response is larger than ${Math.round(maxBytes / 1024 / 1024)} MiB`,
    status,
    requestId,
  )

/** Failures while connecting: no byte of the request left. */
const connectionErrors: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_PROXY_TUNNEL',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

type SystemError = { code?: unknown; syscall?: unknown; cause?: unknown; errors?: unknown }
const facts = (error: unknown): SystemError =>
  typeof error === 'object' && error !== null ? error : {}

/**
 * The operating system's code of a failure, found anywhere in its causes: `ECONNREFUSED`,
 * `ENOTFOUND`.
 */
function codeOf(error: unknown): { code: string; syscall: string } | null {
  const { code, syscall, cause, errors } = facts(error)
  if (typeof code === 'string') return { code, syscall: typeof syscall === 'string' ? syscall : '' }
  const inner = Array.isArray(errors)
    ? errors.map(codeOf).find((found) => found !== null)
    : undefined
  return inner ?? (cause === undefined ? null : codeOf(cause))
}

/** The failure of a request that got no response. */
function networkError(error: unknown): NetworkError {
  const found = codeOf(error)
  // Ports that `fetch` refuses to connect to, such as 1 or 6000, carry no code of the system.
  const blocked =
    error instanceof TypeError && error.cause instanceof Error && error.cause.message === 'bad port'
  const certainlyNotSent =
    blocked ||
    (found !== null &&
      (connectionErrors.has(found.code) ||
        found.syscall === 'connect' ||
        found.syscall === 'getaddrinfo'))
  return new NetworkError(found?.code ?? 'no response', !certainlyNotSent, { cause: error })
}

async function sendWithFetch({
  method,
  url,
  headers,
  body,
  signal,
  maxBytes = DEFAULT_MAX_BYTES,
}: TransportRequest<AbortSignal>): Promise<TransportResponse> {
  const response = await fetch(url, {
    method,
    headers,
    body,
    redirect: 'manual',
    ...(signal !== undefined && { signal }),
  })
  const parts: Uint8Array[] = []
  let size = 0
  // Leaving the loop early cancels the response.
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > maxBytes)
      throw tooLarge(response.status, response.headers.get('x-request-id'), maxBytes)
    parts.push(part)
  }
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text: Buffer.concat(parts).toString('utf8'),
  }
}

/** The client's transport. It can pass on the first part of a response early. */
export type KeepAliveTransport = (
  request: TransportRequest<AbortSignal>,
  beginning?: FirstPart,
) => Promise<TransportResponse>

type Agents = { http: InstanceType<typeof HttpAgent>; https: InstanceType<typeof HttpsAgent> }

/** Receives the first part of a successful response's body as it arrives, whatever its size. */
type FirstPart = (part: Buffer) => void

function through(
  { http, https }: Agents,
  {
    method,
    url,
    headers,
    body,
    signal,
    maxBytes = DEFAULT_MAX_BYTES,
  }: TransportRequest<AbortSignal>,
  beginning?: FirstPart,
): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    const options = {
      method,
      headers: { ...headers, ...(body !== null && { 'content-length': Buffer.byteLength(body) }) },
      ...(signal !== undefined && { signal }),
    }
    const request = url.startsWith('https:')
      ? httpsRequest(url, { ...options, agent: https })
      : httpRequest(url, { ...options, agent: http })
    request.once('error', reject)
    request.once('response', (response) => {
      const parts: Buffer[] = []
      if (beginning !== undefined && response.statusCode === 200) response.once('data', beginning)
      let size = 0
      response.on('data', (part: Buffer) => {
        size += part.length
        parts.push(part)
        if (size <= maxBytes) return
        const requestId = response.headers['x-request-id']
        reject(
          tooLarge(
            response.statusCode ?? 0,
            typeof requestId === 'string' ? requestId : null,
            maxBytes,
          ),
        )
        parts.length = 0
        response.destroy()
      })
      response.once('error', reject)
      response.once('end', () => {
        const bytes = Buffer.concat(parts)
        const headers = Object.fromEntries(
          Object.entries(response.headers).map(([name, value]) => [
            name,
            Array.isArray(value) ? value.join(', ') : value,
          ]),
        )
        resolve({ status: response.statusCode ?? 0, headers, bytes, text: bytes.toString('utf8') })
      })
    })
    request.end(body ?? undefined)
  })
}

/**
 * Sends over kept-alive connections: to this computer directly, to others as the network settings
 * say, through a tunnel if they name a proxy. A redirect is a response like any other: the key
 * never follows it elsewhere.
 *
 * @param kept use Node's agent for this computer too, which costs half as much as `fetch` for many
 *   large responses. Only then does `beginning` receive the first part of a response before the
 *   rest
 */
export function createTransport(
  network: Network | undefined,
  { kept = false }: { kept?: boolean } = {},
): KeepAliveTransport {
  const agents = new Map<string, Agents>()
  function agentsOf(proxies: ProxyVariables): Agents {
    const name = JSON.stringify(proxies)
    let found = agents.get(name)
    if (found === undefined)
      agents.set(
        name,
        (found = {
          http: new HttpAgent({ keepAlive: true, proxyEnv: proxies }),
          https: new HttpsAgent({ keepAlive: true, proxyEnv: proxies }),
        }),
      )
    return found
  }
  return async (request, beginning) => {
    try {
      const isNear = isLoopbackHost(new URL(request.url).hostname)
      if (request.url.startsWith('https:')) network?.trust()
      if (network === undefined || isNear)
        return await (kept && isNear
          ? through(agentsOf({}), request, beginning)
          : sendWithFetch(request))
      const proxies = await network.proxyFor(request.url)
      return await (proxies === null
        ? sendWithFetch(request)
        : through(agentsOf(proxies), request, beginning))
    } catch (error) {
      throw error instanceof ResponseError ? error : networkError(error)
    }
  }
}
