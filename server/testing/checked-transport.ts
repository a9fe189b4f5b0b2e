import { expect } from 'vitest'
import type { Transport } from '../api/client/client.ts'
import { endpointOf, type OperationId } from '../api/endpoints/endpoints.ts'
import { errorBodySchema } from '../api/errors.ts'
import { fetchTransport } from '../fetch-transport.ts'
import { operationOf } from '../record/contract-problems.ts'

/**
 * A transport that checks every response against the strict schema of its operation and status.
 *
 * @param seen receives the operations whose successful responses were checked
 */
export function checkedTransport(seen: Set<OperationId>): Transport<AbortSignal> {
  return async (request) => {
    const answer = await fetchTransport(request)
    const id = operationOf(request.method, new URL(request.url).pathname)
    if (id === undefined) throw new Error(`no operation: ${request.method} ${request.url}`)
    expect(answer.headers['x-request-id']).toMatch(/^req_/)
    if (answer.status >= 400) {
      expect(errorBodySchema.safeParse(JSON.parse(answer.text)).error?.issues ?? []).toEqual([])
      return answer
    }
    const schema = endpointOf(id).responses[answer.status]
    expect(schema, `${id} answered ${answer.status}`).not.toBeUndefined()
    if (schema === null) expect(answer.text).toBe('')
    else
      expect(schema?.strict.safeParse(JSON.parse(answer.text)).error?.issues ?? [], id).toEqual([])
    seen.add(id)
    return answer
  }
}
