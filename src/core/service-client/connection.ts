import { createCaller } from '../../../server/api/client/client.ts'
import type { Transport } from '../../../server/api/client/client.ts'
import { endpointOf } from '../../../server/api/endpoints/endpoints.ts'
import type { ResponseBody, InputOf, OperationId } from '../../../server/api/handlers.ts'
import { later, longAgo, msSince, msUntil } from '../clock.ts'
import type { Clock } from '../clock.ts'
import type { CallOptions, Perform, ServiceConnection } from '../context.ts'
import { Failure } from '../failure.ts'
import { createAttempt } from './attempt.ts'
import { backoff, patience } from './schedule/backoff.ts'
import { cancelledBeforeSending } from './problems/cancelled.ts'
import type { ConnectionParts } from './connection-parts.ts'
import { fetchPicture } from './transport/pictures.ts'
import { maxBytesOf } from './transport/response-limits.ts'
import { createReadiness } from './availability/readiness.ts'
import { callKind, movesSomething } from './problems/subjects.ts'

export interface AccountConnection extends ServiceConnection {
  /** Makes waiting calls check again: the key, the address or the service's response changed. */
  wake(): void
  /**
   * Sets whether the service counts requests. If not, Keydesk sends as fast as it responds, until
   * it rejects a request for its rate.
   */
  enforceRates(kept: boolean): void
  /** How long no call has been queued or sent, in milliseconds. */
  idleMs(): number
  /** Cancels every call, queued or sent. */
  close(): void
}

/** One account's connection to the service (see {@link ServiceConnection}). */
export function createConnection(parts: ConnectionParts): AccountConnection {
  const { clock, random, schedule } = parts
  const closing = new AbortController()
  let calls = 0
  let endedAt = longAgo
  const attempt = createAttempt(parts)
  const readiness = createReadiness(parts, closing.signal)
  const untilClosed = (signal: AbortSignal | undefined): AbortSignal =>
    signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal])

  const transport: Transport<AbortSignal> = async (request) => {
    const sentAt = clock.monotonic()
    const answer = await parts.transport(request)
    // Proxies and captive portals have no request id, and their clock says nothing.
    if (answer.headers['x-request-id'] !== undefined) parts.dated(answer.headers['date'], sentAt)
    return answer
  }
  const call = <Op extends OperationId>(
    operation: Op,
    input: InputOf<Op>,
    options: CallOptions = {},
  ): Promise<ResponseBody<Op>> =>
    send(
      operation,
      (credentials, signal) =>
        createCaller<AbortSignal>({
          ...credentials,
          send: (request) => transport({ ...request, maxBytes: maxBytesOf(operation) }),
        })(operation, input, {
          idempotencyKey: options.idempotencyKey,
          signal,
        }),
      options,
    )

  /** Whether a call whose outcome is unknown can be sent again without asking first. */
  function isRepeatable(operation: OperationId, { once, idempotencyKey }: CallOptions): boolean {
    if (once === true) return false
    const endpoint = endpointOf(operation)
    const hasKey =
      idempotencyKey !== undefined &&
      endpoint.idempotent &&
      (endpoint.api === 'partner' || parts.takesIdempotencyKeys())
    return hasKey || !movesSomething(operation)
  }

  async function send<Body>(
    operation: OperationId,
    perform: Perform<Body>,
    options: CallOptions = {},
  ): Promise<Body> {
    const signal = untilClosed(options.signal)
    const until = later(clock.monotonic(), patience[options.priority ?? 'person'])
    const repeatable = isRepeatable(operation, options)
    /** The first try whose outcome is unknown: no later failure can hide it. */
    let open: Failure | null = null
    calls += 1
    try {
      for (let tries = 1; ; tries++) {
        const outcome = await attempt(operation, perform, options, signal, tries)
        if (outcome.ok) return outcome.body
        const { failure } = outcome
        if (open !== null && outcome.settles) throw new Settled(failure)
        const isUnknown = failure.certainty === 'unknown'
        if (isUnknown && callKind(operation) === 'change') open ??= failure
        const delay = backoff(tries, random, outcome.askedMs)
        const isLast = !outcome.retryable || (isUnknown && !repeatable)
        if (isLast || delay > msUntil(clock, until)) throw failure
        await sleep(clock, delay, signal)
      }
    } catch (error) {
      if (error instanceof Settled) throw error.failure
      if (error instanceof Failure) throw open ?? error
      if (!signal.aborted) throw error
      throw open ?? cancelledBeforeSending()
    } finally {
      calls -= 1
      endedAt = clock.monotonic()
    }
  }

  return {
    call,
    send,
    wake: readiness.wake,
    state: readiness.state,
    ready: readiness.whenReady,
    picture(url, signal) {
      const credentials = parts.credentials()
      const own = 'baseUrl' in credentials ? new URL(credentials.baseUrl).origin : null
      return fetchPicture(url, own, untilClosed(signal))
    },
    enforceRates: (kept) => {
      schedule.enforceRates(kept)
      parts.changed()
    },
    idleMs: () => (calls > 0 ? 0 : msSince(clock, endedAt)),
    close: () => closing.abort(cancelledBeforeSending()),
  }
}

/** A later try with the same Idempotency-Key settled an earlier, unknown one. */
class Settled extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

/** Resolves after `ms`; rejects when `signal` aborts. */
function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancelTimer = clock.after(ms, () => {
      signal.removeEventListener('abort', cancel)
      resolve()
    })
    function cancel(): void {
      cancelTimer()
      reject(cancelledBeforeSending())
    }
    if (signal.aborted) return cancel()
    signal.addEventListener('abort', cancel, { once: true })
  })
}
