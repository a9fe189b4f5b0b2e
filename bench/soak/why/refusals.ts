/** Random requests that a sandbox refuses, over all its endpoints. */
import { apiRoots } from '../../../server/api/endpoints/endpoint.ts'
import {
  endpointOf,
  type OperationId,
  operationIds,
} from '../../../server/api/endpoints/endpoints.ts'

export type Asked = {
  readonly method: string
  readonly path: string
  readonly key: 'partner' | 'seller' | 'dashboard' | 'unknown'
  readonly body?: unknown
  readonly idempotencyKey?: string
}

/** In every value that no explanation may contain. */
export const SECRET = 'S3CRET-VALUE'

type Pick = <T>(values: readonly T[]) => T

/** Calls about branches, certificates and the log, which a copy doesn't have, and the reset. */
const leftOut: ReadonlySet<OperationId> = new Set<OperationId>([
  'createBranch',
  'listBranches',
  'deleteBranch',
  'startCertificate',
  'getCertificate',
  'cancelCertificate',
  'explainRequest',
  'runSuggestion',
  'listRequests',
  'reset',
  'getWorldFile',
])

const operations = operationIds.filter((id) => !leftOut.has(id))

const filled = (path: string): string => path.replace(/\{\w+\}/g, 'unknown_1')

/** A body that no schema accepts unchanged. */
const badBodies = [
  {},
  { nonsense: 1 },
  { name: 7, amount: 'much', price: 1.234, keys: [], body: '', mode: 'none', ms: -4 },
  { externalId: 'a b', items: [{ productId: 'x', qty: 12, maxUnitPrice: -1 }] },
  { keys: [SECRET, ''], key: '', count: 0, fromStock: false, url: 'ftp://x', status: 'none' },
  [1],
] as const

const badQueries = ['?limit=1000&page=0', '?page=x', '?cursor=abc', '?wait=99&limit=-1'] as const

function businessOf(pick: Pick, id: string): Asked {
  const line = {
    productId: 'prd_10006',
    qty: pick([1, 5, 9]),
    maxUnitPrice: pick([0, 0.01, 99_999]),
  }
  const order = (items: unknown): Asked => ({
    method: 'POST',
    path: '/v1/orders?wait=5',
    key: 'partner',
    body: { externalId: `soak-${id}`, items },
    ...(pick([true, false]) ? { idempotencyKey: `soak-key-${id}` } : {}),
  })
  return pick<Asked>([
    order([{ ...line, maxUnitPrice: 0.01 }]),
    order([line, { ...line, productId: 'prd_none', maxUnitPrice: 5 }]),
    order([
      { ...line, maxUnitPrice: 0 },
      { ...line, qty: 9, maxUnitPrice: 0 },
    ]),
    { method: 'GET', path: '/v1/orders/ord_none/keys', key: 'partner' },
    {
      method: 'POST',
      path: '/v1/seller/offers',
      key: 'seller',
      body: { productId: 'x', price: 1 },
    },
    {
      method: 'POST',
      path: '/dashboard/claims',
      key: 'dashboard',
      body: { orderId: 'o', keyId: 'k', message: SECRET },
    },
    { method: 'PUT', path: '/v1/orders', key: 'partner' },
    { method: 'GET', path: '/v1/product', key: 'partner' },
  ])
}

/** One request that is probably refused. */
export function askedAt(pick: Pick, id: string): Asked {
  if (pick([0, 1, 2]) === 0) return businessOf(pick, id)
  const endpoint = endpointOf(pick(operations))
  const hasParams = endpoint.path.includes('{')
  const isBad = endpoint.body !== null || hasParams
  const query = endpoint.query !== null && !isBad ? pick(badQueries) : ''
  return {
    method: endpoint.method,
    path: `${apiRoots[endpoint.api]}${filled(endpoint.path)}${query}`,
    key: isBad || query !== '' ? endpoint.api : 'unknown',
    ...(endpoint.body === null ? {} : { body: pick(badBodies) }),
    ...(endpoint.idempotent && pick([true, false])
      ? { idempotencyKey: pick(['short', `key-${id}`]) }
      : {}),
  }
}
