/**
 * The library of the `keydesk-client` package: the console's own connection to the service, typed
 * from the endpoint table. It keeps the rate limits, retries what can be retried without doing it
 * twice, and reports whether a failed call may have been carried out.
 */
import type { Endpoints, OperationId } from '../../server/api/endpoints/endpoints.ts'
import { operationIds, endpointOf } from '../../server/api/endpoints/endpoints.ts'
import type { InputOf, ResponseBody } from '../../server/api/handlers.ts'
import { systemClock } from '../core/clock.ts'
import { Failure } from '../core/failure.ts'
import { systemRandomness } from '../core/randomness.ts'
import { createServiceClient, serviceRates } from '../core/service-client/service-client.ts'
import type { AccountConnection } from '../core/service-client/service-client.ts'

export { type Cents, cents } from '../../server/api/money.ts'
export { verifyWebhook, type WebhookEvent, type WebhookVerdict } from './webhook.ts'

/** The operations of the partner API and the seller API. */
export type Operation = {
  [Op in OperationId]: Endpoints[Op]['api'] extends 'dashboard' ? never : Op
}[OperationId]

export type CallOptions = {
  /** Identifies the action across restarts of your program; a new one for each call by default. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

/** One method per operation. Amounts are in cents. */
export type KeydeskClient = {
  readonly [Op in Operation]: (
    input: InputOf<Op>,
    options?: CallOptions,
  ) => Promise<ResponseBody<Op>>
} & {
  /** Cancels every call. */
  readonly close: () => void
}

export type ClientOptions = {
  /** The service's base address, which ends with `/v1`. */
  readonly baseUrl: string
  /** A partner's or a seller's API key. */
  readonly key: string
  /**
   * Whether the service accepts Idempotency-Keys of sellers (`idempotency` of `GET /seller/me`). If
   * not, calls that move keys or stock are never repeated automatically.
   */
  readonly sellerIdempotency?: boolean
  /** Whether the service counts requests; false for a sandbox with `--no-limits`. */
  readonly limits?: boolean
}

/** A call failed. */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  /** The service's code, or `OFFLINE`, `ANSWER_LOST`, `CANCELLED`, `INVALID_INPUT`. */
  readonly code: string
  readonly status: number | null
  readonly requestId: string | null
  /**
   * Whether it was carried out: `not-done` and `rejected` certainly not; `unknown` perhaps, so
   * repeat it with the same Idempotency-Key or look it up.
   */
  readonly certainty: 'not-done' | 'rejected' | 'unknown'
  readonly details: Readonly<Record<string, unknown>>

  constructor(message: string, facts: Omit<ClientError, keyof Error>) {
    super(message)
    this.code = facts.code
    this.status = facts.status
    this.requestId = facts.requestId
    this.certainty = facts.certainty
    this.details = facts.details
  }
}

const errorOf = ({ problem, certainty, message }: Failure): ClientError =>
  new ClientError(message, {
    code: problem.originalCode ?? problem.code,
    status: problem.status,
    requestId: problem.requestId,
    certainty,
    details: problem.details ?? {},
  })

const nothing = (): void => undefined

function connectionOf({ baseUrl, key, ...options }: ClientOptions): AccountConnection {
  const service = createServiceClient({
    clock: systemClock,
    random: systemRandomness,
    activity: { add: nothing },
    rates: options.limits === false ? null : serviceRates,
  })
  return service.connect({
    accountId: null,
    baseUrl: () => baseUrl,
    credentials: () => ({ baseUrl, key }),
    takesIdempotencyKeys: () => options.sellerIdempotency === true,
    refusal: () => null,
    refused: nothing,
    accepted: nothing,
    dated: nothing,
    changed: nothing,
    probe: async (connection) => {
      if (key.startsWith('svcs_')) await connection.call('getSeller', {})
      else await connection.call('ping', {})
    },
  })
}

/** A client for one key. Close it when you don't need it any more. */
export function createKeydeskClient(options: ClientOptions): KeydeskClient {
  const connection = connectionOf(options)
  async function call<Op extends Operation>(
    operation: Op,
    input: InputOf<Op>,
    { idempotencyKey = systemRandomness.id(), signal }: CallOptions = {},
  ): Promise<ResponseBody<Op>> {
    // The console's timers don't keep a process alive; a call in progress must.
    const alive = setInterval(nothing, 60_000)
    try {
      return await connection.call(operation, input, {
        ...(endpointOf(operation).idempotent && { idempotencyKey }),
        ...(signal !== undefined && { signal }),
      })
    } catch (error) {
      throw error instanceof Failure ? errorOf(error) : error
    } finally {
      clearInterval(alive)
    }
  }
  const methods = operationIds
    .filter((id) => endpointOf(id).api !== 'dashboard')
    .map((id) => [id, (input: never, given?: CallOptions) => call(id as Operation, input, given)])
  // One method per row of the table, each bound to its operation id.
  return Object.fromEntries([...methods, ['close', connection.close]]) as KeydeskClient
}
