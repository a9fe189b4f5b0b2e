/** Repairs of refusals before the body is read: keys, accounts, routes, rates. */
import { apiRoots } from '../../../api/endpoints/endpoint.ts'
import { endpointOf, operationIds } from '../../../api/endpoints/endpoints.ts'
import { type Attempt, operationsAt, type Step, withStep } from '../attempt.ts'
import { dashboard, type Repair } from './repair.ts'

const onDashboard = (method: string, path: string, body?: unknown): Step => ({
  sender: dashboard,
  method,
  path: `/dashboard${path}`,
  ...(body === undefined ? {} : { body }),
})

/** The step that issues the key with which an attempt is sent. */
export const issueKey = ({ sender }: Attempt): Step | null => {
  if (sender.api === 'dashboard') return null
  const { api, id, ...kind } = sender
  return onDashboard('POST', `/${api}s/${id}/keys`, kind)
}

const activate: Repair = ({ attempt }) =>
  attempt.sender.api === 'dashboard'
    ? []
    : [
        withStep(
          attempt,
          onDashboard('PATCH', `/${attempt.sender.api}s/${attempt.sender.id}`, {
            status: 'active',
          }),
        ),
      ]

const allowAnyAddress: Repair = ({ attempt }) =>
  attempt.sender.api === 'partner'
    ? [
        withStep(
          attempt,
          onDashboard('PATCH', `/partners/${attempt.sender.id}`, { ipAllowlist: [] }),
        ),
      ]
    : []

const addScope: Repair = ({ attempt, at }) => {
  const { sender } = attempt
  if (sender.api !== 'partner' || at?.endpoint.scope == null) return []
  const widened = {
    ...attempt,
    sender: { ...sender, scopes: [...sender.scopes, at.endpoint.scope] },
  }
  const step = issueKey(widened)
  return step === null ? [] : [withStep(widened, step)]
}

function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...left].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...right].entries())
      next.push(
        Math.min(
          (next[j] ?? 0) + 1,
          (row[j + 1] ?? 0) + 1,
          (row[j] ?? 0) + (letter === other ? 0 : 1),
        ),
      )
    row = next
  }
  return row.at(-1) ?? 0
}

/** Another method of the path, then the most similar paths of the same interface. */
const knownRoute: Repair = ({ attempt }) => {
  const here = operationsAt(attempt.path).map(({ endpoint }) => ({
    ...attempt,
    method: endpoint.method,
  }))
  const parts = attempt.path.slice(0, 200).split('/')
  const { api } = attempt.sender
  const others = operationIds
    .map((operation) => endpointOf(operation))
    .filter((endpoint) => endpoint.api === api)
    .map(({ method, path }) => {
      const filled = `${apiRoots[api]}${path}`
        .split('/')
        .map((part, index) => (part.startsWith('{') ? (parts[index] ?? 'id') || 'id' : part))
        .join('/')
      const far = distance(parts.join('/'), filled) + (method === attempt.method ? 0 : 1)
      return { far, attempt: { ...attempt, method, path: filled } }
    })
    .toSorted((a, b) => a.far - b.far)
    .slice(0, 4)
  return [...here, ...others.map((each) => each.attempt)].map((each) =>
    each.method === 'GET' || each.method === 'DELETE' ? { ...each, body: undefined } : each,
  )
}

/** By code; NOT_FOUND only for an unknown route. */
export const accessRepairs: Readonly<Record<string, Repair>> = {
  ACCOUNT_NOT_ACTIVE: activate,
  IP_NOT_ALLOWED: allowAnyAddress,
  INSUFFICIENT_SCOPE: addScope,
  UNKNOWN_ROUTE: knownRoute,
}
