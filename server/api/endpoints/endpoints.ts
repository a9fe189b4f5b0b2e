/**
 * The table of all endpoints: both APIs and the dashboard interface. The server, the client and the
 * OpenAPI document are derived from it.
 */
import type { Api, Endpoint } from './endpoint.ts'
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

/** The names in braces of a path, in order. */
export const pathParameters = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
