import { z } from 'zod'
import type { ProblemCode } from '../../contract/problem-codes.ts'
import { localized } from '../../contract/localization/localized.ts'
import {
  ResponseError,
  NetworkError,
  ServiceError,
} from '../../../server/api/client/client-errors.ts'
import { endpointOf } from '../../../server/api/endpoints/endpoints.ts'
import type { OperationId } from '../../../server/api/handlers.ts'
import { outlookOf } from '../certainty/certainty.ts'
import { msSince } from '../clock.ts'
import type { CallOptions, Perform } from '../context.ts'
import { Failure, failure } from '../failure.ts'
import { longestWaitMs } from './schedule/backoff.ts'
import { cancelledBeforeSending } from './problems/cancelled.ts'
import type { Circuit } from './availability/circuit.ts'
import type { Slot } from './schedule/window.ts'
import type { ConnectionParts } from './connection-parts.ts'
import { offlineProblem, reasonNotToSend } from './availability/preflight.ts'
import { cancelledAfterSending, noResponseProblem, rejectionProblem } from './problems/problems.ts'
import { callKind } from './problems/subjects.ts'
import {
  doubtfulMs,
  orderTimeoutMs,
  quickChangeMs,
  quickReadMs,
  responseTimeoutMs,
} from './transport/transport.ts'

/** How one try of a call ended, unless it threw because another try cannot help. */
export type Outcome<Body> =
  | { ok: true; body: Body }
  | {
      ok: false
      failure: Failure
      /** Whether the service's own guidance allows another try. */
      retryable: boolean
      /** The wait that the response asked for, in milliseconds. */
      askedMs: number | null
      /** Whether this response also settles an earlier try with the same Idempotency-Key. */
      settles: boolean
    }

/** Codes with which the service rejects every request of a key. */
const accessRejections: ReadonlySet<ProblemCode> = new Set([
  'UNAUTHORIZED',
  'ACCOUNT_NOT_ACTIVE',
  'IP_NOT_ALLOWED',
])
/**
 * Statuses that the service stores under an Idempotency-Key, or returns before it uses the key
 * (Decision 17).
 */
const settlingStatuses: ReadonlySet<number> = new Set([400, 402, 404, 409, 422])

const noResponseYet = new NetworkError('no response yet', true)

/** How long a response of this call can take, in milliseconds. */
function timeoutMs(operation: OperationId, { quick = false }: CallOptions): number {
  if (quick) return callKind(operation) === 'read' ? quickReadMs : quickChangeMs
  return endpointOf(operation).rate === 'orders' ? orderTimeoutMs : responseTimeoutMs
}

const capped = (ms: number | null): number | null =>
  ms === null ? null : Math.min(longestWaitMs, ms)

/**
 * Makes single tries: waits for its turn in the schedule, sends, and records the try in the
 * activity.
 */
export function createAttempt(parts: ConnectionParts) {
  const { clock, schedule } = parts

  async function attempt<Body>(
    operation: OperationId,
    perform: Perform<Body>,
    options: CallOptions,
    signal: AbortSignal,
    tries: number,
  ): Promise<Outcome<Body>> {
    const priority = options.priority ?? 'person'
    const endpoint = endpointOf(operation)
    const reason = reasonNotToSend(parts, operation, priority)
    if (reason !== null) throw new Failure(reason)
    let slot = await schedule.turn(priority, endpoint.rate, signal)
    const startedAt = clock.monotonic()
    const credentials = parts.credentials()
    const circuit = parts.circuit()
    if ('absent' in credentials) {
      slot.unsent()
      throw new Failure(credentials.absent)
    }
    slot = await passCircuit(slot, operation, options, circuit, signal)
    const limit = new AbortController()
    const cancelLimit = clock.after(timeoutMs(operation, options), () => limit.abort())
    // Orders wait for their delivery, and keys are many bytes: both may take long.
    const cancelDoubt =
      endpoint.rate === null
        ? clock.after(doubtfulMs, () =>
            circuit.doubted(noResponseProblem(operation, noResponseYet)),
          )
        : (): void => {}
    const record: Recorder = (outcome, code, status, requestId) =>
      parts.activity.add({
        accountId: parts.accountId,
        what: localized('activity.request', { method: endpoint.method, path: endpoint.path }),
        detail: tries > 1 ? localized('activity.try', { tries }) : null,
        outcome,
        code,
        status,
        requestId,
        durationMs: Math.round(msSince(clock, startedAt)),
      })
    try {
      const answer = await perform(credentials, AbortSignal.any([signal, limit.signal]))
      circuit.answered()
      record('ok', null, answer.status, answer.requestId)
      if (parts.refusal() !== null) parts.accepted()
      return { ok: true, body: answer.body }
    } catch (error) {
      if (error instanceof z.ZodError) {
        circuit.released()
        throw invalidInput(error)
      }
      if (signal.aborted) {
        circuit.released()
        record('unknown', 'CANCELLED', null, null)
        throw new Failure(
          cancelledAfterSending(operation),
          outlookOf('CANCELLED', null, callKind(operation)),
        )
      }
      if (options.quick !== true) return failed(operation, circuit, record, error)
      return quickly(operation, circuit, record, error, limit.signal.aborted)
    } finally {
      cancelLimit()
      cancelDoubt()
      slot.answered(clock.monotonic())
    }
  }

  /**
   * Returns once the circuit allows the request, with its place in the schedule. A person's request
   * waits for the probe of an address that isn't responding; others fail with `OFFLINE`.
   */
  async function passCircuit(
    first: Slot,
    operation: OperationId,
    { priority = 'person', quick = false }: CallOptions,
    circuit: Circuit,
    signal: AbortSignal,
  ): Promise<Slot> {
    const { rate } = endpointOf(operation)
    let slot = first
    while (circuit.requestSend(priority === 'person') === 'wait') {
      // A place that is held while waiting would expire, and its request would be sent uncounted.
      slot.unsent()
      if (priority !== 'person' || quick)
        throw new Failure(offlineProblem(operation, circuit, clock))
      await nextChange(circuit, signal)
      // The response to the probe can ask for a wait that is longer than this request accepts.
      const reason = reasonNotToSend(parts, operation, priority)
      if (reason !== null) throw new Failure(reason)
      slot = await schedule.turn(priority, rate, signal)
    }
    return slot
  }

  /**
   * The meaning for a quick call: without a response of the service, a read fails with `OFFLINE`, as
   * does any call to a service that is unavailable, and nothing is tried again.
   */
  function quickly(
    operation: OperationId,
    circuit: Circuit,
    record: Recorder,
    error: unknown,
    isLate: boolean,
  ): Outcome<never> {
    const outcome = failed(operation, isLate ? patient(circuit) : circuit, record, error)
    if (outcome.ok) return outcome
    if (error instanceof ServiceError) {
      // An unavailable service did nothing, so the change can be queued as if it were offline.
      if (error.status < 500 || outcome.failure.certainty !== 'not-done') return outcome
      const problem = { ...outcome.failure.problem, code: 'OFFLINE' as const, status: null }
      return { ...outcome, failure: new Failure(problem), retryable: false }
    }
    const isRead = callKind(operation) === 'read'
    const failure = isRead
      ? new Failure(offlineProblem(operation, circuit, clock))
      : outcome.failure
    return { ...outcome, failure, retryable: false }
  }

  /** The meaning of a transport error or of the service's rejection for the call. */
  function failed(
    operation: OperationId,
    circuit: Circuit,
    record: Recorder,
    error: unknown,
  ): Outcome<never> {
    if (error instanceof ServiceError) {
      circuit.answered()
      record('failed', error.code, error.status, error.requestId)
      return rejected(operation, error)
    }
    const known =
      error instanceof NetworkError || error instanceof ResponseError
        ? error
        : new NetworkError('no response', true, { cause: error })
    const problem = noResponseProblem(operation, known)
    if (known instanceof ResponseError && isFromService(known)) circuit.answered()
    else circuit.failed(problem)
    const { code, status, requestId } = problem
    record(code === 'OFFLINE' ? 'failed' : 'unknown', code, status, requestId)
    const outcome = {
      ok: false,
      failure: new Failure(problem, outlookOf(code, status, callKind(operation))),
      settles: false,
    } as const
    if (known instanceof NetworkError) return { ...outcome, retryable: known.sent, askedMs: null }
    if (known.status === 429) hold(operation, known.retryAfterMs)
    return { ...outcome, retryable: known.retryable, askedMs: capped(known.retryAfterMs) }
  }

  function rejected(operation: OperationId, error: ServiceError): Outcome<never> {
    const problem = rejectionProblem(operation, error)
    if (accessRejections.has(problem.code)) parts.refused(problem)
    if (error.status === 429) hold(operation, error.retryAfterMs)
    return {
      ok: false,
      failure: new Failure(problem, outlookOf(problem.code, error.status, callKind(operation))),
      retryable: error.retryable,
      askedMs: capped(error.retryAfterMs),
      settles: settlingStatuses.has(error.status) && !error.retryable,
    }
  }

  /** Holds back requests that count towards the same rate until the time the service asked for. */
  function hold(operation: OperationId, ms: number | null): void {
    schedule.enforceRates(true)
    schedule.holdOff(capped(ms) ?? 1000, endpointOf(operation).rate)
    parts.changed()
  }

  return attempt
}

type Recorder = (
  outcome: 'ok' | 'failed' | 'unknown',
  code: string | null,
  status: number | null,
  requestId: string | null,
) => void

/**
 * Whether a response that can't be read says that the service can be reached. The pages of a proxy
 * or a captive portal carry no request id; a proxy that limits the rate is in front of the service.
 */
const isFromService = ({ requestId, status }: ResponseError): boolean =>
  requestId !== null || status === 429

/** The circuit for a call that waited too briefly to call a response lost. */
const patient = (circuit: Circuit): Circuit => ({
  ...circuit,
  failed(problem) {
    circuit.released()
    circuit.doubted(problem)
  },
})

/** Resolves at the circuit's next change; rejects when `signal` aborts. */
function nextChange(circuit: Circuit, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stopListening = circuit.onChange(() => {
      stopListening()
      signal.removeEventListener('abort', cancel)
      resolve()
    })
    function cancel(): void {
      stopListening()
      reject(cancelledBeforeSending())
    }
    if (signal.aborted) return cancel()
    signal.addEventListener('abort', cancel, { once: true })
  })
}

const invalidInput = (error: z.ZodError): Failure =>
  failure(
    'INVALID_INPUT',
    'The service doesn’t accept these values.',
    'Correct the highlighted fields.',
    {
      effect: 'Nothing was sent.',
      fields: error.issues.map((issue) => ({
        field: issue.path.map(String).join('.'),
        message: issue.message,
      })),
    },
  )
