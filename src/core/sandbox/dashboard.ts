import { AnswerError, NetworkError, ServiceError } from '../../../server/api/client-errors.ts'
import { createCaller } from '../../../server/api/client.ts'
import type { AnswerBody, InputOf, OperationId } from '../../../server/api/handlers.ts'
import type { BackendReady } from '../../platform/backend-process.ts'
import { Failure, failure } from '../failure.ts'
import {
  createTransport,
  noAnswerProblem,
  refusalProblem,
} from '../service-client/service-client.ts'

/** Keys of the demo accounts; each start and each reset of the sandbox makes others. */
export type DemoKeys = NonNullable<BackendReady['demo']>

/**
 * What the service's dashboard, seller panel and support do, by the sandbox's dashboard interface.
 */
export interface Dashboard {
  /** Whether an account of this address belongs to the sandbox that runs on this desk. */
  serves(baseUrl: string): boolean
  /**
   * Calls one of its operations once. Throws Failure: `SANDBOX_STOPPED`, the service's code,
   * `OFFLINE`, `ANSWER_LOST`.
   */
  call<Op extends OperationId>(
    operation: Op,
    input: InputOf<Op>,
    signal?: AbortSignal,
  ): Promise<AnswerBody<Op>>
  /** Calls one operation of the APIs with a key that was made by the dashboard. */
  callAs<Op extends OperationId>(
    key: string,
    operation: Op,
    input: InputOf<Op>,
  ): Promise<AnswerBody<Op>>
}

/** @param ready the ready line of the backend that runs; null while none does */
export function createDashboard(ready: () => BackendReady | null): Dashboard {
  const send = createTransport(undefined)

  async function ask<Op extends OperationId>(
    key: (ready: BackendReady) => string,
    operation: Op,
    input: InputOf<Op>,
    signal?: AbortSignal,
  ): Promise<AnswerBody<Op>> {
    const now = ready()
    if (now === null)
      throw failure('SANDBOX_STOPPED', 'The sandbox does not run.', 'Start it in Settings.', {
        effect: 'Nothing was done.',
      })
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
      if (error instanceof NetworkError || error instanceof AnswerError)
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
