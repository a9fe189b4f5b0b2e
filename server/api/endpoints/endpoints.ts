/**
 * The table of all endpoints: both APIs and the dashboard interface. The server, the client and the
 * OpenAPI document are derived from it.
 */
import { type Api, apiRoots, type Endpoint } from './endpoint.ts'
import { dashboardEndpoints } from './endpoints-dashboard.ts'
import { partnerEndpoints } from './endpoints-partner.ts'
import { sellerEndpoints } from './endpoints-seller.ts'
import type { ErrorCode } from '../errors.ts'

export const endpoints = { ...partnerEndpoints, ...sellerEndpoints, ...dashboardEndpoints }

export type Endpoints = typeof endpoints
export type OperationId = keyof Endpoints

const isOperationId = (id: string): id is OperationId => Object.hasOwn(endpoints, id)

/** Every row with its operation id, in the table's order. */
export const operationIds: readonly OperationId[] = Object.keys(endpoints).filter(isOperationId)

/** One row, typed by the fields that all rows share. */
export const endpointOf = (id: OperationId): Endpoint => endpoints[id]

/** Codes that any endpoint of an API can return. */
export const commonErrors: Readonly<Record<Api, readonly ErrorCode[]>> = {
  partner: [
    'UNAUTHORIZED',
    'ACCOUNT_NOT_ACTIVE',
    'IP_NOT_ALLOWED',
    'INSUFFICIENT_SCOPE',
    'NOT_FOUND',
    'RATE_LIMITED',
    'SERVICE_UNAVAILABLE',
    'INTERNAL_ERROR',
  ],
  seller: [
    'UNAUTHORIZED',
    'ACCOUNT_NOT_ACTIVE',
    'NOT_FOUND',
    'RATE_LIMITED',
    'SERVICE_UNAVAILABLE',
    'INTERNAL_ERROR',
  ],
  dashboard: ['UNAUTHORIZED', 'NOT_FOUND', 'VALIDATION_ERROR', 'INTERNAL_ERROR'],
}

/** HEAD answers like GET (Decision 43). */
const methodOf = (method: string): string =>
  method.toUpperCase() === 'HEAD' ? 'GET' : method.toUpperCase()

/**
 * Whether a path, exact or with a trailing `*`, matches an operation of the two APIs with this
 * method; any method if it is undefined.
 */
export function matchesAnOperation(path: string, method?: string): boolean {
  const start = path.endsWith('*') ? path.slice(0, -1).split('/') : null
  const exact = path.split('/')
  const fits = (template: string, text: string): boolean =>
    template.startsWith('{') ? text !== '' : template === text
  return operationIds.some((id) => {
    const endpoint: Endpoint = endpoints[id]
    if (endpoint.api === 'dashboard') return false
    if (method !== undefined && endpoint.method !== methodOf(method)) return false
    const template = `${apiRoots[endpoint.api]}${endpoint.path}`.split('/')
    if (start === null)
      return (
        template.length === exact.length &&
        template.every((part, index) => fits(part, exact[index] ?? ''))
      )
    return (
      start.length <= template.length &&
      start.every((text, index) => {
        const part = template[index] ?? ''
        return index === start.length - 1
          ? part.startsWith('{') || part.startsWith(text)
          : fits(part, text)
      })
    )
  })
}

/** The names in braces of a path, in order. */
export const pathParameters = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
