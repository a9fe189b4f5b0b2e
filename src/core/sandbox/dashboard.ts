import {
  ResponseError,
  NetworkError,
  ServiceError,
} from '../../../server/api/client/client-errors.ts'
import { createCaller } from '../../../server/api/client/client.ts'
import type { ResponseBody, InputOf, OperationId } from '../../../server/api/handlers.ts'
import type { BackendReady } from '../../platform/backends/backend-process.ts'
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
   * code, `OFFLINE`, `ANSWER_LOST`.
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

/** @param ready the ready line of the running backend; null if none runs */
export function createDashboard(ready: () => BackendReady | null): Dashboard {
  const send = createTransport(undefined)

  async function ask<Op extends OperationId>(
    key: (ready: BackendReady) => string,
    operation: Op,
    input: InputOf<Op>,
    signal?: AbortSignal,
  ): Promise<ResponseBody<Op>> {
    const now = ready()
    if (now === null) throw stoppedFailure()
    try {
      const { body } = await createCaller({
        baseUrl: now.baseUrl,
        dashboardUrl: now.dashboardUrl,
        key: key(now),
        send,
      })(operation, input, { signal })
      return body
    } catch (error) {
      if (error instanceof ServiceError) throw new Failure(refusalProblem(operation, error))
      if (error instanceof NetworkError || error instanceof ResponseError)
        throw new Failure(noAnswerProblem(operation, error))
      throw error
    }
  }

  return {
    serves: (baseUrl) => ready()?.baseUrl === baseUrl,
    call: (operation, input, signal) =>
      ask(({ dashboardToken }) => dashboardToken, operation, input, signal),
    callAs: (key, operation, input) => ask(() => key, operation, input),
  }
}
