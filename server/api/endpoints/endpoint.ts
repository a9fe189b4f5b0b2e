/** The format of one row of the endpoint table. */
import { z } from 'zod'
import type { ErrorCode } from '../errors.ts'
import type { SchemaPair } from '../schemas/resource.ts'
import type { Scope } from '../schemas/enums.ts'

export type Api = 'partner' | 'seller' | 'dashboard'

/** The root path of each interface, below the service's origin. */
export const apiRoots = {
  partner: '/v1',
  seller: '/v1/seller',
  dashboard: '/dashboard',
} as const satisfies Record<Api, string>

/**
 * Rates on top of the general rate of a key: 120 orders, 300 key downloads per account, 300 key
 * uploads per seller, each per minute.
 */
export type RateClass = 'orders' | 'downloads' | 'uploads'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Endpoint = {
  readonly api: Api
  readonly method: Method
  /** Path below the API's root, with parameters in braces: `/orders/{id}`. */
  readonly path: string
  readonly summary: string
  /** Partner scope required; null for sellers and the dashboard, whose keys have full access. */
  readonly scope: Scope | null
  readonly rate: RateClass | null
  /** Accepts an Idempotency-Key header (Decisions 17 and 29). */
  readonly idempotent: boolean
  /** Null accepts any parameters and ignores them. */
  readonly query: z.ZodObject | null
  readonly body: z.ZodType | null
  /** A missing body is read as `{}`. */
  readonly bodyOptional: boolean
  /** Success responses by status; null means no body. */
  readonly responses: Readonly<Record<number, SchemaPair | null>>
  /**
   * Endpoint-specific codes, in addition to those every endpoint of its API can return ({@link
   * import('./endpoints.ts').commonErrors}).
   */
  readonly errors: readonly ErrorCode[]
}

/** The query of an operation that refuses every parameter. */
export const noQuery = z.strictObject({})

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
type Given = Partial<Endpoint> & Pick<Endpoint, 'api' | 'method' | 'path' | 'summary' | 'responses'>
type Complete<E extends Given> = {
  readonly [K in keyof Endpoint]: K extends keyof E
    ? E[K]
    : K extends keyof Defaults
      ? Defaults[K]
      : never
}

/** A row of the table with its defaults filled in; keeps its exact types. */
export const endpoint = <const E extends Given>(given: E): Complete<E> =>
  ({ ...defaults, ...given }) as unknown as Complete<E>
