/** What one row of the endpoint table says. */
import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import type { Two } from './resource.ts'
import type { Scope } from './words.ts'

export type Api = 'partner' | 'seller' | 'dashboard'

/** Where each interface begins, below the service's origin. */
export const apiRoots = {
  partner: '/v1',
  seller: '/v1/seller',
  dashboard: '/dashboard',
} as const satisfies Record<Api, string>

/**
 * Rates beyond the one of every key: 120 orders, 300 key downloads per account, 300 key uploads per
 * seller, each a minute.
 */
export type RateClass = 'orders' | 'downloads' | 'uploads'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Endpoint = {
  readonly api: Api
  readonly method: Method
  /** Below the API's root, parameters in braces: `/orders/{id}`. */
  readonly path: string
  readonly summary: string
  /**
   * Partner scope needed; null for sellers and the dashboard, whose keys open everything of theirs.
   */
  readonly scope: Scope | null
  readonly rate: RateClass | null
  /** Takes an Idempotency-Key header (Decisions 17 and 29). */
  readonly idempotent: boolean
  readonly query: z.ZodObject | null
  readonly body: z.ZodType | null
  /** An absent body is read as `{}`. */
  readonly bodyOptional: boolean
  /** Success answers by status; null: no body. */
  readonly answers: Readonly<Record<number, Two | null>>
  /**
   * Codes of its own, beyond those every endpoint of its API can answer ({@link
   * import('./endpoints.ts').commonErrors}).
   */
  readonly errors: readonly ErrorCode[]
}

const defaults = {
  scope: null,
  rate: null,
  idempotent: false,
  query: null,
  body: null,
  bodyOptional: false,
  errors: [],
} as const

type Defaults = typeof defaults
type Given = Partial<Endpoint> & Pick<Endpoint, 'api' | 'method' | 'path' | 'summary' | 'answers'>
type Complete<E extends Given> = {
  readonly [K in keyof Endpoint]: K extends keyof E
    ? E[K]
    : K extends keyof Defaults
      ? Defaults[K]
      : never
}

/** A row of the table with its defaults filled in; its exact types are kept. */
export const endpoint = <const E extends Given>(given: E): Complete<E> =>
  ({ ...defaults, ...given }) as unknown as Complete<E>
