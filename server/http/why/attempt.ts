/** One request that is tried on a branch, with the calls that have to come before it. */
import { apiRoots, type Endpoint } from '../../api/endpoints/endpoint.ts'
import { endpointOf, type OperationId, operationIds } from '../../api/endpoints/endpoints.ts'
import type { Mode, Scope } from '../../api/schemas/enums.ts'
import { pathOf } from '../access/zones.ts'
import type { RefusedRequest } from '../request-log/refused-request.ts'

/** Who sends a request. */
export type Sender =
  | {
      readonly api: 'partner'
      readonly id: string
      readonly mode: Mode
      readonly scopes: readonly Scope[]
    }
  | { readonly api: 'seller'; readonly id: string }
  | { readonly api: 'dashboard' }

/** A call before the request. `{{name}}` in it stands for a field of an earlier step's response. */
export type Step = {
  readonly sender: Sender
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

export type Attempt = {
  readonly steps: readonly Step[]
  readonly waitMs: number
  readonly sender: Sender
  readonly method: string
  readonly path: string
  readonly query: readonly (readonly [string, string])[]
  readonly idempotencyKey: string | null
  readonly body: unknown
  /** How many values were tried for a field. */
  readonly tries: Readonly<Record<string, number>>
}

export type Matched = {
  readonly operation: OperationId
  readonly endpoint: Endpoint
  readonly params: Readonly<Record<string, string>>
}

const segmentsOf = (operation: OperationId): string[] => {
  const { api, path } = endpointOf(operation)
  return `${apiRoots[api]}${path}`.split('/')
}

function paramsIn(template: readonly string[], path: string): Record<string, string> | null {
  const parts = path.replace(/\/$/, '').split('/')
  if (parts.length !== template.length) return null
  const params: Record<string, string> = {}
  for (const [index, segment] of template.entries()) {
    const part = parts[index] ?? ''
    const name = /^\{(\w+)\}$/.exec(segment)?.[1]
    if (name !== undefined && part !== '') params[name] = part
    else if (segment !== part) return null
  }
  return params
}

/** The operations of a path, whatever their method. */
export const operationsAt = (path: string): Matched[] =>
  operationIds.flatMap((operation) => {
    const params = paramsIn(segmentsOf(operation), path)
    return params === null ? [] : [{ operation, endpoint: endpointOf(operation), params }]
  })

/** The operation of a request; null for an unknown route. */
export function matched(method: string, path: string): Matched | null {
  const wanted = method === 'HEAD' ? 'GET' : method
  return operationsAt(path).find(({ endpoint }) => endpoint.method === wanted) ?? null
}

/** Puts a value into a path in place of a parameter. */
export function withParam(attempt: Attempt, name: string, value: string): Attempt {
  const at = matched(attempt.method, attempt.path)
  if (at === null) return attempt
  const path = segmentsOf(at.operation)
    .map((segment) => {
      const param = /^\{(\w+)\}$/.exec(segment)?.[1]
      return param === undefined ? segment : param === name ? value : (at.params[param] ?? segment)
    })
    .join('/')
  return { ...attempt, path }
}

export const withStep = (attempt: Attempt, ...steps: readonly Step[]): Attempt => ({
  ...attempt,
  steps: [...attempt.steps, ...steps],
})

export const searchOf = (query: Attempt['query']): URLSearchParams =>
  new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]))

/** The refused request itself, sent by `sender`. */
export const attemptOf = (refused: RefusedRequest, sender: Sender): Attempt => ({
  steps: [],
  waitMs: 0,
  sender,
  method: refused.method,
  path: pathOf(refused.url),
  query: [...new URLSearchParams(refused.url.split('?')[1] ?? '')],
  idempotencyKey: refused.idempotencyKeys[0] ?? null,
  body: refused.body,
  tries: {},
})
