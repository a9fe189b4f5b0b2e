/**
 * The interface between the http layer and the domain: one handler per operation, with the types of
 * its input and result.
 *
 * **Money.** Handlers use {@link Cents} only. Request schemas decode EUR to cents before a handler
 * runs. Results contain cents and are encoded to EUR once, by `encodeAnswer` (encode.ts), on the
 * way out. No row mapper and no handler creates a euro number.
 *
 * **Times.** Text in canonical form both ways (`2026-01-31T09:00:00.000Z`): comparable as text,
 * ready for JSON.
 *
 * **Validation.** `input` is parsed: `query` values are numbers, booleans and text. Absent values
 * are undefined and have no defaults: `pageOf` of paging.ts fills in page and limit. Handlers check
 * what a schema can't know (cursor against filters, image keys) and throw `validationError({field,
 * message})`. {@link withFieldCheck} adds such checks to the details of a request that is invalid
 * already.
 *
 * **Refusals.** Handlers throw `ApiError`; anything else thrown is logged and returned as
 * INTERNAL_ERROR.
 *
 * **Idempotency** (Decision 17) is part of the handler's own transaction: `call.idempotency`
 * identifies the request. To replay byte for byte, store `encodeAnswer(operation, answer)` (status
 * and JSON text) and return it unchanged: a handler can return an {@link EncodedResponse} in place of
 * any result. A stored refusal is thrown again as `ApiError` with its first request id.
 */
import type { z } from 'zod'
import type { Api } from './endpoints/endpoint.ts'
import type { Endpoints, OperationId } from './endpoints/endpoints.ts'
import type { FieldProblem } from './errors.ts'
import type { SchemaPair } from './schemas/resource.ts'
import type { Mode, Scope } from './schemas/enums.ts'

export type { OperationId } from './endpoints/endpoints.ts'

export type PartnerCaller = {
  readonly kind: 'partner'
  readonly partnerId: string
  readonly keyId: string
  readonly mode: Mode
  readonly scopes: readonly Scope[]
}
export type SellerCaller = {
  readonly kind: 'seller'
  readonly sellerId: string
  readonly keyId: string
}
export type DashboardCaller = { readonly kind: 'dashboard' }
export type Caller = PartnerCaller | SellerCaller | DashboardCaller

/**
 * Identifies a request that can be repeated. Its scope is the account and mode of the caller,
 * method and concrete path.
 */
export type Idempotency = {
  /** The Idempotency-Key header: 8 to 100 printable ASCII characters. */
  readonly key: string
  readonly method: string
  /** Concrete path without query, e.g. `/v1/seller/offers/off_1/keys`. */
  readonly path: string
  /** Canonical JSON of the body as sent, `{}` if absent; compared as text (or by its digest). */
  readonly canonicalBody: string
}

/**
 * The part of AbortSignal that a handler can use. It is declared here because this folder includes
 * neither Node's types nor the browser's.
 */
export type CancelSignal = {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** The context of one request. */
export type Call<C extends Caller = Caller> = {
  readonly requestId: string
  readonly caller: C
  /** The client's address, with IPv4-mapped IPv6 normalized. */
  readonly address: string
  /** Scheme and authority of the service, without a trailing slash; picture URLs start with it. */
  readonly origin: string
  /** Null when the header is absent or the endpoint accepts none. */
  readonly idempotency: Idempotency | null
  /** Whether the response is sent without its body, because the request is a HEAD. */
  readonly withoutBody: boolean
  /**
   * Aborts when the client disconnects. Use it only to stop waiting, never to stop work that has
   * started.
   */
  readonly signal: CancelSignal
}

export type CallerOf<A extends Api> = Extract<Caller, { kind: A }>

type Braced<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Braced<Rest>
  : never

/** Values of the path parameters. */
export type ParamsOf<Op extends OperationId> = Record<Braced<Endpoints[Op]['path']>, string>

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

/** A parsed query: every key can be missing or undefined. */
export type QueryOf<Op extends OperationId> = Endpoints[Op]['query'] extends z.ZodObject
  ? z.output<Endpoints[Op]['query']>
  : Record<never, never>
export type BodyOf<Op extends OperationId> = Output<Endpoints[Op]['body']>

/** A handler's input: complete and parsed, with money in cents. */
export type HandlerInput<Op extends OperationId> = {
  readonly params: ParamsOf<Op>
  readonly query: QueryOf<Op>
  readonly body: BodyOf<Op>
}

/**
 * The input for a client call: the same values, but parts that an endpoint doesn't have, or that
 * can be empty, are optional.
 */
export type InputOf<Op extends OperationId> = (keyof ParamsOf<Op> extends never
  ? { readonly params?: undefined }
  : { readonly params: ParamsOf<Op> }) & {
  readonly query?: Partial<QueryOf<Op>> | undefined
} & (BodyOf<Op> extends undefined
    ? { readonly body?: undefined }
    : Endpoints[Op]['bodyOptional'] extends true
      ? { readonly body?: BodyOf<Op> | undefined }
      : { readonly body: BodyOf<Op> })

type Answers<Op extends OperationId> = Endpoints[Op]['responses']
type Strict<A> = A extends SchemaPair<infer Schema> ? z.output<Schema> : undefined
type Tolerant<A> = A extends SchemaPair<z.ZodType, infer Schema> ? z.output<Schema> : undefined

/**
 * A handler's result: one of the endpoint's success statuses with its complete body, money in
 * cents.
 */
export type ResultOf<Op extends OperationId> = {
  [Status in keyof Answers<Op> & number]: Answers<Op>[Status] extends null
    ? { readonly status: Status; readonly body?: undefined }
    : { readonly status: Status; readonly body: Strict<Answers<Op>[Status]> }
}[keyof Answers<Op> & number]

/**
 * The client's result for a success, with money in cents. Only fields that the API documents name
 * are certain (Decision 33).
 */
export type ResponseBody<Op extends OperationId> = {
  [Status in keyof Answers<Op> & number]: Tolerant<Answers<Op>[Status]>
}[keyof Answers<Op> & number]

/**
 * A response made by `encodeAnswer`; it is stored and replayed byte for byte. `json` is null for a
 * response without a body.
 */
export type EncodedResponse = {
  readonly status: number
  readonly json: string | null
  /** The response of an earlier request with the same Idempotency-Key (Decision 42). */
  readonly replayed?: true
}

/** A response that is sent unchanged: JSON in UTF-8. */
export type BytesResponse = { readonly status: number; readonly bytes: Uint8Array<ArrayBuffer> }

type Reply<Op extends OperationId> = ResultOf<Op> | EncodedResponse | BytesResponse

/** The valid parts of a value: null for an invalid field or an invalid element of a list. */
export type ValidParts<T> = T extends readonly (infer Element)[]
  ? readonly (ValidParts<Element> | null)[]
  : T extends object
    ? { readonly [Field in keyof T]?: ValidParts<T[Field]> | null | undefined }
    : T

/** The valid parts of an input; `body` is null if it couldn't be read. */
export type InputParts<Op extends OperationId> = {
  readonly params: ParamsOf<Op>
  readonly query: ValidParts<QueryOf<Op>>
  readonly body: ValidParts<BodyOf<Op>> | null
}

/** Finds the bad fields that no schema can find, such as a cursor that was issued with other filters. */
export type FieldCheck<Op extends OperationId> = (input: InputParts<Op>) => readonly FieldProblem[]

export interface Handler<Op extends OperationId> {
  (
    call: Call<CallerOf<Endpoints[Op]['api']>>,
    input: HandlerInput<Op>,
  ): Reply<Op> | Promise<Reply<Op>>
  /** Completes the details of a request that is invalid already: the handler has the same checks. */
  readonly check?: FieldCheck<Op>
}

/** A handler whose own checks complete the details of a request that is invalid already. */
export const withFieldCheck = <Op extends OperationId>(
  check: FieldCheck<Op>,
  handler: (...given: Parameters<Handler<Op>>) => ReturnType<Handler<Op>>,
): Handler<Op> => Object.assign(handler, { check })

/**
 * A route exists if its handler exists; an operation without a handler is treated as an unknown
 * route.
 */
export type Handlers = { readonly [Op in OperationId]?: Handler<Op> }
