import {
  ResponseError,
  NetworkError,
  ServiceError,
} from '../../../server/api/client/client-errors.ts'
import { createCaller } from '../../../server/api/client/client.ts'
import type { ResponseBody, InputOf, OperationId } from '../../../server/api/handlers.ts'
import type { BackendReady } from '../../platform/backends/backend-process.ts'
import type { Clock } from '../clock.ts'
import { Failure, failure } from '../failure.ts'
import {
  createTransport,
  noAnswerProblem,
  refusalProblem,
} from '../service-client/service-client.ts'

/** Keys of the demo accounts. They change with each start and each reset of the sandbox. */
export type DemoKeys = NonNullable<BackendReady['demo']>

/**
 * The operations of the service's dashboard, seller panel and support, over the sandbox's dashboard
 * API.
 */
export interface Dashboard {
  /** Whether an account with this address belongs to the sandbox running on this computer. */
  serves(baseUrl: string): boolean
  /**
   * Calls one operation of the dashboard API once. Throws Failure: `SANDBOX_STOPPED`, the service's
   * code, `OFFLINE`, `ANSWER_LOST`, also when no response came in time.
   */
  call<Op extends OperationId>(
    operation: Op,
    input: InputOf<Op>,
    signal?: AbortSignal,
  ): Promise<ResponseBody<Op>>
  /** Calls one operation of the APIs with a key created by the dashboard. */
  callAs<Op extends OperationId>(
    key: string,
    operation: Op,
    input: InputOf<Op>,
  ): Promise<ResponseBody<Op>>
}

/** The sandbox doesn't run, so that nothing can be asked of it. */
export const stoppedFailure = (): Failure =>
  failure('SANDBOX_STOPPED', 'The sandbox isn’t running.', 'Start it in Settings.', {
    effect: 'Nothing was changed.',
  })

/** How long a response can take, in milliseconds. */
const RESPONSE_MS = 60_000
/** The same for operations that rewrite or simulate a complete world. */
const WORLD_MS = 10 * 60_000
const worldOperations: ReadonlySet<OperationId> = new Set([
  'advanceClock',
  'createBranch',
  'createSnapshot',
  'restoreSnapshot',
  'reset',
])

/** The sandbox runs and doesn't respond. */
const silentFailure = (): Failure =>
  failure(
    'ANSWER_LOST',
    'The sandbox didn’t respond in time.',
    'Check the page, then try again. If it stays silent, stop and start the sandbox in Settings.',
    { effect: 'The action may or may not have been completed.' },
  )

/** @param ready the ready line of the running backend; null if none runs */
export function createDashboard(
  ready: () => BackendReady | null,
  clock: Pick<Clock, 'after'>,
): Dashboard {
  const send = createTransport(undefined)

  async function ask<Op extends OperationId>(
    key: (ready: BackendReady) => string,
    operation: Op,
    input: InputOf<Op>,
    signal?: AbortSignal,
  ): Promise<ResponseBody<Op>> {
    const now = ready()
    if (now === null) throw stoppedFailure()
    const limit = new AbortController()
    const cancelLimit = clock.after(worldOperations.has(operation) ? WORLD_MS : RESPONSE_MS, () =>
      limit.abort(),
    )
    try {
      const { body } = await createCaller({
        baseUrl: now.baseUrl,
        dashboardUrl: now.dashboardUrl,
        key: key(now),
        send,
      })(operation, input, {
        signal: signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]),
      })
      return body
    } catch (error) {
      if (limit.signal.aborted && signal?.aborted !== true) throw silentFailure()
      if (error instanceof ServiceError) throw new Failure(refusalProblem(operation, error))
      if (error instanceof NetworkError || error instanceof ResponseError)
        throw new Failure(noAnswerProblem(operation, error))
      throw error
    } finally {
      cancelLimit()
    }
  }

  return {
    serves: (baseUrl) => ready()?.baseUrl === baseUrl,
    call: (operation, input, signal) =>
      ask(({ dashboardToken }) => dashboardToken, operation, input, signal),
    callAs: (key, operation, input) => ask(() => key, operation, input),
  }
}
