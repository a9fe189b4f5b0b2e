import type { OperationId } from '../../../server/api/handlers.ts'
import type { ServiceConnection } from '../context.ts'

type Hook = (operation: OperationId, input: unknown) => void | Promise<void>
const nothing: Hook = () => {}
/** The input of `changeOffer`. */
const changeIn = (input: unknown) => input as { params: { id: string }; body: { price?: number } }

/**
 * An account's service connection with faults that a test injects: `before` each call, which isn't
 * made if the hook throws, and `after` it, to lose its response.
 */
export function createFaultyConnection() {
  const connection = {
    before: nothing,
    after: nothing,
    /** The requests per minute that the service allows; null: no limit. Nothing enforces it. */
    limit: null as number | null,
    /** The `changeOffer` requests, in order. */
    sent: [] as { id: string; price: unknown }[],
    /** For `createMirrorHarness`. */
    wrap: (real: ServiceConnection): Pick<ServiceConnection, 'call' | 'state'> => ({
      state() {
        const state = real.state()
        return { ...state, budget: { ...state.budget, limit: connection.limit } }
      },
      async call(operation, input, options) {
        await connection.before(operation, input)
        if (operation === 'changeOffer') {
          const { params, body } = changeIn(input)
          connection.sent.push({ id: params.id, price: body.price })
        }
        const answer = await real.call(operation, input, options)
        await connection.after(operation, input)
        return answer
      },
    }),
    /** Removes all faults and forgets what was sent. Call it after each test. */
    reset(): void {
      connection.before = nothing
      connection.after = nothing
      connection.limit = null
      connection.sent.length = 0
    },
  }
  return connection
}
