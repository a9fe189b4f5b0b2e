/**
 * What the http layer asks of the domain: one handler per operation, and the types of what goes in
 * and comes out.
 *
 * **Money.** Handlers see {@link Cents} only. Request schemas decode EUR to cents before a handler
 * runs; answers hold cents and are encoded to EUR once, by `encodeAnswer` (encode.ts), on the way
 * out. No row mapper and no handler ever makes a euro number.
 *
 * **Times.** Text in canonical form both ways (`2026-01-31T09:00:00.000Z`): comparable as text,
 * ready for JSON.
 *
 * **Validation.** `input` is parsed: `query` values are numbers, booleans and text; absent ones are
 * undefined (no defaults: `pageOf` of paging.ts fills page and limit). What a schema can't know
 * (cursor against filters, image keys) the handler judges, by throwing `validationError({field,
 * message})`.
 *
 * **Refusals.** Handlers throw `ApiError`; anything else thrown is answered as INTERNAL_ERROR and
 * logged.
 *
 * **Idempotency** (Decision 17) belongs to the handler's own transaction: `call.idempotency`
 * carries what identifies the request. To replay byte for byte, store `encodeAnswer(operation,
 * answer)` (status and JSON text) and return it as it is: a handler may return an {@link
 * EncodedAnswer} wherever it may return an answer. A stored refusal is thrown again as `ApiError`
 * with its first request id.
 */
import type { z } from 'zod'
import type { Api } from './endpoint.ts'
import type { Endpoints, OperationId } from './endpoints.ts'
import type { Two } from './resource.ts'
import type { Mode, Scope } from './words.ts'

export type { OperationId } from './endpoints.ts'

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
 * What identifies a request that may come twice: its scope is the account and mode of the caller,
 * method and concrete path.
 */
export type Idempotency = {
  /** The Idempotency-Key header: 8 to 100 printable ASCII characters. */
  readonly key: string
  readonly method: string
  /** Concrete path without query, e.g. `/v1/seller/offers/off_1/keys`. */
  readonly path: string
  /**
   * Canonical JSON of the body as sent, `{}` for an absent one; compared as text (or by its
   * digest).
   */
  readonly canonicalBody: string
}

/**
 * The part of AbortSignal that a handler may use; declared here because this room knows neither
 * Node's types nor the browser's.
 */
export type CancelSignal = {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** The circumstances of one request. */
export type Call<C extends Caller = Caller> = {
  readonly requestId: string
  readonly caller: C
  /** The client's address, IPv4-mapped IPv6 normalised. */
  readonly address: string
  /**
   * Scheme and authority the service is reached by, without a slash at the end: pictures are below
   * it.
   */
  readonly origin: string
  /** Null where the header is absent or the endpoint takes none. */
  readonly idempotency: Idempotency | null
  /** Aborts when the client is gone. It must end waiting only, never work that was begun. */
  readonly signal: CancelSignal
}

export type CallerOf<A extends Api> = Extract<Caller, { kind: A }>

type Braced<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Braced<Rest>
  : never

/** Values of the path's parameters. */
export type ParamsOf<Op extends OperationId> = Record<Braced<Endpoints[Op]['path']>, string>

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

/** A query as parsed: every key may be missing or undefined. */
export type QueryOf<Op extends OperationId> = Endpoints[Op]['query'] extends z.ZodObject
  ? z.output<Endpoints[Op]['query']>
  : Record<never, never>
export type BodyOf<Op extends OperationId> = Output<Endpoints[Op]['body']>

/** What a handler is given: complete, parsed, money in cents. */
export type HandlerInput<Op extends OperationId> = {
  readonly params: ParamsOf<Op>
  readonly query: QueryOf<Op>
  readonly body: BodyOf<Op>
}

/**
 * What a caller of the client gives: the same values; parts that an endpoint doesn't have, or that
 * may be empty, can be left out.
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

type Answers<Op extends OperationId> = Endpoints[Op]['answers']
type Strict<A> = A extends Two<infer Schema> ? z.output<Schema> : undefined
type Tolerant<A> = A extends Two<z.ZodType, infer Schema> ? z.output<Schema> : undefined

/**
 * What a handler returns: one of the endpoint's success statuses with its body, every field, money
 * in cents.
 */
export type AnswerOf<Op extends OperationId> = {
  [Status in keyof Answers<Op> & number]: Answers<Op>[Status] extends null
    ? { readonly status: Status; readonly body?: undefined }
    : { readonly status: Status; readonly body: Strict<Answers<Op>[Status]> }
}[keyof Answers<Op> & number]

/**
 * What the client gives back for a success: only what the API documents name is certain (Decision
 * 33), money in cents.
 */
export type AnswerBody<Op extends OperationId> = {
  [Status in keyof Answers<Op> & number]: Tolerant<Answers<Op>[Status]>
}[keyof Answers<Op> & number]

/**
 * An answer as it goes out: made by `encodeAnswer`, stored and replayed byte for byte. `json` is
 * null for an answer without body.
 */
export type EncodedAnswer = { readonly status: number; readonly json: string | null }

/** An answer that goes out as it is: JSON in UTF-8. */
export type BytesAnswer = { readonly status: number; readonly bytes: Uint8Array<ArrayBuffer> }

type Reply<Op extends OperationId> = AnswerOf<Op> | EncodedAnswer | BytesAnswer

export type Handler<Op extends OperationId> = (
  call: Call<CallerOf<Endpoints[Op]['api']>>,
  input: HandlerInput<Op>,
) => Reply<Op> | Promise<Reply<Op>>

/**
 * A route exists when its handler does; an operation without one is answered like an unknown route.
 */
export type Handlers = { readonly [Op in OperationId]?: Handler<Op> }
