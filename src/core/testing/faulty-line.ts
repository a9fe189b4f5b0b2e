import type { OperationId } from '../../../server/api/handlers.ts'
import type { ServiceConnection } from '../context.ts'

type Hook = (operation: OperationId, input: unknown) => void | Promise<void>
const nothing: Hook = () => {}
/** What `changeOffer` is called with. */
const changeIn = (input: unknown) => input as { params: { id: string }; body: { price?: number } }

/**
 * An account's line on which a test has things go wrong: `before` each call, which then isn't made
 * when it throws, and `after` it, when its answer gets lost.
 */
export function createFaultyLine() {
  const line = {
    before: nothing,
    after: nothing,
    /** What was asked for by `changeOffer`, in order. */
    sent: [] as { id: string; price: unknown }[],
    /** For `createMirrorHarness`. */
    wrap: (real: ServiceConnection): Pick<ServiceConnection, 'call'> => ({
      async call(operation, input, options) {
        await line.before(operation, input)
        if (operation === 'changeOffer') {
          const { params, body } = changeIn(input)
          line.sent.push({ id: params.id, price: body.price })
        }
        const answer = await real.call(operation, input, options)
        await line.after(operation, input)
        return answer
      },
    }),
    /** All goes well again and nothing was sent: after each test. */
    mend(): void {
      line.before = nothing
      line.after = nothing
      line.sent.length = 0
    },
  }
  return line
}
