import type { OperationId } from '../../../server/api/endpoints/endpoints.ts'
import type { Part } from './wire.ts'
import type { World } from './world.ts'

/**
 * `answers`: the required statuses, in order, `executed` for an order that was understood; null:
 * any response within the contract. `operation`: the operation whose contract applies, null for a
 * request that matches none.
 */
export type Hostile = {
  name: string
  parts: readonly Part[]
  answers: readonly (number | 'executed')[] | null
  operation: OperationId | null
  head?: boolean
}

export const text = (...lines: readonly string[]): string => [...lines, '', ''].join('\r\n')

/** `order`: a valid body, always of the same length but with a new externalId. */
export type Kit = { auth: string; seller: string; ping: string; order: () => string }

export function kitOf({ keyOf, bodies }: World, below: (limit: number) => number): Kit {
  const auth = `Authorization: Bearer ${keyOf.partner}`
  const order = () =>
    JSON.stringify({
      ...(bodies.createOrder as object),
      externalId: `wire-${String(below(2 ** 30)).padStart(10, '0')}`,
    })
  return {
    auth,
    seller: `Authorization: Bearer ${keyOf.seller}`,
    order,
    ping: text('GET /v1/ping HTTP/1.1', 'Host: x', auth),
  }
}
