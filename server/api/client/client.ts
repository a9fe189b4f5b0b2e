/**
 * The typed client of both APIs and of the dashboard interface, derived from the endpoint table.
 * Its caller provides transport, scheduling and retries. All amounts are in cents.
 */
import { z } from 'zod'
import { ResponseError, NetworkError, ServiceError } from './client-errors.ts'
import type { Api, Endpoint } from '../endpoints/endpoint.ts'
import { endpointOf, type OperationId, operationIds } from '../endpoints/endpoints.ts'
import { retryAfterOf, tolerantErrorBodySchema } from '../errors.ts'
import type { ResponseBody, InputOf } from '../handlers.ts'
import type { Parts, SchemaPair } from '../schemas/resource.ts'

export type TransportRequest<Signal> = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON text, or null for a request without a body. */
  readonly body: string | null
  readonly signal: Signal | undefined
  /** Largest body of the response after decompression, in bytes. */
  readonly maxBytes?: number
}

/** Header names in lower case. `bytes`: the body as received, if the transport provides it. */
export type TransportResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
  readonly bytes?: Uint8Array
}

/**
 * Sends one request. Throws {@link NetworkError} when no response arrives; an abort by `signal` can
 * throw any error.
 */
export type Transport<Signal> = (request: TransportRequest<Signal>) => Promise<TransportResponse>

export type ClientOptions<Signal> = {
  /**
   * The service's base address in the documents' sense, ending with `/v1`:
   * `https://api.example.com/v1`.
   */
  readonly baseUrl: string
  /** The API key, or the dashboard's token. */
  readonly key: string
  /** The dashboard's address, if it isn't `/dashboard` next to `/v1`. */
  readonly dashboardUrl?: string
  readonly send: Transport<Signal>
  /**
   * Parses the body of a 200 response faster than the schema does, with the same result; null falls
   * back to the schema.
   */
  readonly quick?: <Op extends OperationId>(
    operation: Op,
    answer: TransportResponse,
  ) => ResponseBody<Op> | null
}

export type CallOptions<Signal> = {
  readonly idempotencyKey?: string | undefined
  readonly signal?: Signal | undefined
}

export type Success<Op extends OperationId> = {
  readonly status: number
  readonly body: ResponseBody<Op>
  readonly requestId: string | null
}

export type Caller<Signal> = <Op extends OperationId>(
  operation: Op,
  input: InputOf<Op>,
  options?: CallOptions<Signal>,
) => Promise<Success<Op>>

export type Client<Signal> = {
  readonly [Op in OperationId]: (
    input: InputOf<Op>,
    options?: CallOptions<Signal>,
  ) => Promise<Success<Op>>
}

function withoutSlash(url: string): string {
  let kept = url
  while (kept.endsWith('/')) kept = kept.slice(0, -1)
  return kept
}

function rootOf(api: Api, options: Pick<ClientOptions<never>, 'baseUrl' | 'dashboardUrl'>): string {
  const base = withoutSlash(options.baseUrl)
  if (api === 'partner') return base
  if (api === 'seller') return `${base}/seller`
  return withoutSlash(options.dashboardUrl ?? `${base.replace(/\/v1$/, '')}/dashboard`)
}

type AnyInput = {
  readonly params?: Readonly<Record<string, string>> | undefined
  readonly query?: Readonly<Record<string, unknown>> | undefined
  readonly body?: unknown
}

/**
 * Ids can come from a service too. Reject an id that would change the path when the URL is parsed.
 */
function segment(id: string): string {
  if (/^\.{0,2}$/.test(id)) throw new RangeError('an id must not be empty, "." or ".."')
  return encodeURIComponent(id)
}

function pathOf(endpoint: Endpoint, params: Readonly<Record<string, string>>): string {
  return endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => segment(params[name] ?? ''))
}

function queryOf(endpoint: Endpoint, query: Readonly<Record<string, unknown>>): string {
  if (endpoint.query === null) return ''
  const wire: Readonly<Record<string, unknown>> = z.encode(endpoint.query, query)
  const pairs = Object.entries(wire).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`],
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** The client's name in every request, by which a log tells its requests from others. */
export const clientName = 'Keydesk'

/**
 * Builds the request for an operation. Throws ZodError or RangeError for an input that the service
 * can't accept.
 */
function requestOf<Op extends OperationId, Signal>(
  operation: Op,
  input: InputOf<Op>,
  options: ClientOptions<Signal>,
  call: CallOptions<Signal> = {},
): TransportRequest<Signal> {
  const endpoint = endpointOf(operation)
  const given: AnyInput = input
  const body =
    endpoint.body === null || given.body === undefined
      ? null
      : JSON.stringify(z.encode(endpoint.body, given.body))
  const headers: Record<string, string> = {
    accept: 'application/json',
    authorization: `Bearer ${options.key}`,
    'user-agent': clientName,
  }
  if (body !== null) headers['content-type'] = 'application/json'
  if (call.idempotencyKey !== undefined && endpoint.idempotent)
    headers['idempotency-key'] = call.idempotencyKey
  return {
    method: endpoint.method,
    url:
      rootOf(endpoint.api, options) +
      pathOf(endpoint, given.params ?? {}) +
      queryOf(endpoint, given.query ?? {}),
    headers,
    body,
    signal: call.signal,
  }
}

function parseJson(text: string): { ok: true; value: unknown } | { ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return { ok: false }
  }
}

/**
 * Retry-After in milliseconds: either seconds, or the date that a proxy can send, relative to the
 * response's own `Date`.
 */
function retryAfterHeader({
  'retry-after': value,
  date,
}: TransportResponse['headers']): number | null {
  if (value === undefined) return null
  if (/^\d+$/.test(value)) return Number(value) * 1000
  const wait = Date.parse(value) - Date.parse(date ?? '')
  return Number.isNaN(wait) ? null : Math.max(0, wait)
}

function refusalOf(answer: TransportResponse): ServiceError | ResponseError {
  const requestId = answer.headers['x-request-id'] ?? null
  const json = parseJson(answer.text)
  const parsed = tolerantErrorBodySchema.safeParse(json.ok ? json.value : undefined)
  const asked = retryAfterHeader(answer.headers)
  if (!parsed.success)
    return new ResponseError(
      `status ${answer.status} without an error body`,
      answer.status,
      requestId,
      asked,
    )
  const { code, message, details } = parsed.data.error
  const retryAfterMs = retryAfterOf(details) ?? asked
  return new ServiceError({
    code,
    message,
    status: answer.status,
    requestId: parsed.data.error.requestId,
    details,
    retryAfterMs,
  })
}

/**
 * Whether an object is another program's: none of its fields is required, and it has none of them.
 */
function isForeign(expected: SchemaPair, body: unknown): boolean {
  const { named, added }: SchemaPair & { named?: Parts; added?: Parts } = expected
  if (named === undefined || added === undefined || Object.keys(named).length > 0) return false
  return !Object.keys(added).some((name) => Object.hasOwn(Object(body), name))
}

/**
 * Parses a response with the tolerant schemas. Throws {@link ServiceError} or {@link ResponseError}.
 */
function readAnswer<Op extends OperationId>(
  operation: Op,
  answer: TransportResponse,
  quick: ClientOptions<never>['quick'],
): Success<Op> {
  const requestId = answer.headers['x-request-id'] ?? null
  if (answer.status >= 400) throw refusalOf(answer)
  const { responses: answers } = endpointOf(operation)
  // The seller API's document doesn't list success statuses: parse any other 2xx like the first one
  // that has a body.
  const expected =
    answers[answer.status] ?? Object.values(answers).find((two) => two !== null) ?? null
  if (answer.status < 200 || answer.status > 299)
    throw new ResponseError(`unexpected status ${answer.status}`, answer.status, requestId)
  if (expected === null || (answer.status === 204 && 204 in answers)) {
    return { status: answer.status, body: undefined as ResponseBody<Op>, requestId }
  }
  const known = answer.status === 200 ? (quick?.(operation, answer) ?? null) : null
  if (known !== null) return { status: answer.status, body: known, requestId }
  const json = parseJson(answer.text)
  if (!json.ok) throw new ResponseError('the response is not JSON', answer.status, requestId)
  const parsed = expected.tolerant.safeParse(json.value)
  if (!parsed.success) {
    const where = parsed.error.issues.map((issue) => issue.path.join('.') || 'body').join(', ')
    throw new ResponseError(
      `the response is missing fields the service promises: ${where}`,
      answer.status,
      requestId,
    )
  }
  if (isForeign(expected, parsed.data))
    throw new ResponseError('the response has no field of the service', answer.status, requestId)
  // The table pairs this operation with this schema, and the parse above has checked the value.
  return { status: answer.status, body: parsed.data as ResponseBody<Op>, requestId }
}

/** A function that calls any operation by its id. */
export function createCaller<Signal extends { readonly aborted: boolean }>(
  options: ClientOptions<Signal>,
): Caller<Signal> {
  return async (operation, input, call = {}) => {
    const request = requestOf(operation, input, options, call)
    let answer: TransportResponse
    try {
      answer = await options.send(request)
    } catch (error) {
      if (error instanceof NetworkError || call.signal?.aborted === true) throw error
      throw new NetworkError('no response', true, { cause: error })
    }
    return readAnswer(operation, answer, options.quick)
  }
}

/** The client with one method per operation. */
export function createClient<Signal extends { readonly aborted: boolean }>(
  options: ClientOptions<Signal>,
): Client<Signal> {
  const call = createCaller(options)
  const methods = operationIds.map((id) => [
    id,
    (input: InputOf<typeof id>, more?: CallOptions<Signal>) => call(id, input, more),
  ])
  // One method per row of the table, each bound to its operation id.
  return Object.fromEntries(methods) as Client<Signal>
}
