import { z } from 'zod'
import { AnswerError, NetworkError, ServiceError } from '../../../server/api/client-errors.ts'
import { createCaller } from '../../../server/api/client.ts'
import type { Transport } from '../../../server/api/client.ts'
import { endpointOf } from '../../../server/api/endpoints.ts'
import type { AnswerBody, InputOf, OperationId } from '../../../server/api/handlers.ts'
import type { Problem } from '../../contract/base.ts'
import type { Clock } from '../clock.ts'
import type { ActivityLog, CallOptions, Perform, Priority, ServiceConnection } from '../context.ts'
import { Failure, failure } from '../failure.ts'
import type { Randomness } from '../randomness.ts'
import { backoff, longestWaitMs, patience } from './backoff.ts'
import type { Circuit } from './circuit.ts'
import { fetchPicture } from './pictures.ts'
import {
  cancelledAfterSending,
  cancelledProblem,
  heldProblem,
  noAnswerProblem,
  refusalProblem,
} from './problems.ts'
import type { Schedule } from './schedule.ts'
import { movesSomething, subjectOf } from './subjects.ts'
import { answerWithinMs, orderWithinMs } from './transport.ts'

/** The key and the address of a line, or why there is none at the moment. */
export type Credentials =
  | { key: string; baseUrl: string }
  | { absent: Problem; state: 'starting' | 'offline' | 'refused'; since?: number }

export type ConnectionParts = {
  accountId: string | null
  clock: Clock
  random: Randomness
  schedule: Schedule
  /** The circuit of the present address. */
  circuit: () => Circuit
  transport: Transport<AbortSignal>
  credentials: () => Credentials
  /** Whether the service takes Idempotency-Keys on seller calls (Decision 29). */
  takesIdempotencyKeys: () => boolean
  /** The service's refusal of the key as a whole that stands; null when it accepts it. */
  refusal: () => { problem: Problem; since: number } | null
  /** The service refused the key, the account or this machine's address. */
  refused: (problem: Problem) => void
  accepted: () => void
  activity: ActivityLog
  /** Something that {@link ServiceConnection.state} tells has changed. */
  changed: () => void
}

export interface AccountConnection extends ServiceConnection {
  /** Lets those who wait look again: the key, the address or the service's opinion changed. */
  wake(): void
  /**
   * Whether the service counts requests at all: one that told it doesn't is asked as fast as it
   * answers, until it refuses one by its rate.
   */
  ratesAre(kept: boolean): void
  /** Ends every call, waiting or sent. */
  close(): void
}

/** Codes by which the service refuses all that a key asks. */
const refusals: ReadonlySet<string> = new Set([
  'UNAUTHORIZED',
  'ACCOUNT_NOT_ACTIVE',
  'IP_NOT_ALLOWED',
])
/**
 * Statuses that tell for certain what became of a request that was sent before with the same
 * Idempotency-Key (Decision 17).
 */
const settling: ReadonlySet<number> = new Set([400, 402, 404, 409, 422])

type Outcome<Body> =
  | { ok: true; body: Body }
  | {
      ok: false
      problem: Problem
      executed: 'no' | 'perhaps'
      again: boolean
      askedMs: number | null
      settles: boolean
    }

/** One account's line to the service (see {@link ServiceConnection}). */
export function createConnection(parts: ConnectionParts): AccountConnection {
  const { clock, random, schedule } = parts
  const closing = new AbortController()
  const waiting = new Set<() => void>()
  /** Since when there has been a key that the service has not refused. */
  let acceptedSince: number | null = null
  function wake(): void {
    acceptedSince = isAccepted() ? (acceptedSince ?? clock.now()) : null
    for (const look of Array.from(waiting)) look()
  }

  async function attempt<Body>(
    operation: OperationId,
    perform: Perform<Body>,
    options: CallOptions,
    signal: AbortSignal,
    tries: number,
  ): Promise<Outcome<Body>> {
    const priority = options.priority ?? 'person'
    const endpoint = endpointOf(operation)
    refuseEarly(operation, priority)
    const slot = await schedule.turn(priority, endpoint.rate, signal)
    const began = clock.now()
    const credentials = parts.credentials()
    const circuit = parts.circuit()
    try {
      if ('absent' in credentials) throw new Failure(credentials.absent)
      while (circuit.ask(priority === 'person') === 'wait') {
        if (priority !== 'person') throw new Failure(offlineProblem(operation, circuit))
        await changeOf(circuit, signal)
      }
    } catch (error) {
      slot.answered(clock.now())
      throw error
    }
    const limit = new AbortController()
    const cancelLimit = clock.after(
      endpoint.rate === 'orders' ? orderWithinMs : answerWithinMs,
      () => limit.abort(),
    )
    const note = (
      outcome: 'ok' | 'failed' | 'unknown',
      code: string | null,
      status: number | null,
      requestId: string | null,
    ): void =>
      parts.activity.add({
        accountId: parts.accountId,
        what: `${endpoint.method} ${endpoint.path}`,
        detail: tries > 1 ? `try ${tries}` : '',
        outcome,
        code,
        status,
        requestId,
        durationMs: clock.now() - began,
      })
    try {
      const answer = await perform(credentials, AbortSignal.any([signal, limit.signal]))
      circuit.answered()
      note('ok', null, answer.status, answer.requestId)
      if (parts.refusal() !== null) parts.accepted()
      return { ok: true, body: answer.body }
    } catch (error) {
      if (error instanceof z.ZodError) {
        circuit.released()
        throw failure(
          'INVALID_INPUT',
          'The service does not take these values.',
          'Correct the marked fields.',
          {
            effect: 'Nothing was sent.',
            fields: error.issues.map((issue) => ({
              field: issue.path.map(String).join('.'),
              message: issue.message,
            })),
          },
        )
      }
      if (signal.aborted) {
        circuit.released()
        note('unknown', 'CANCELLED', null, null)
        throw new Failure(
          movesSomething(operation) ? cancelledAfterSending(operation) : cancelledProblem,
        )
      }
      if (error instanceof ServiceError) {
        circuit.answered()
        note('failed', error.code, error.status, error.requestId)
        return refusal(operation, error)
      }
      const known =
        error instanceof NetworkError || error instanceof AnswerError
          ? error
          : new NetworkError('no answer', true, { cause: error })
      const problem = noAnswerProblem(operation, known)
      if (known instanceof AnswerError) circuit.answered()
      else circuit.failed(problem)
      note(
        problem.code === 'OFFLINE' ? 'failed' : 'unknown',
        problem.code,
        problem.status,
        problem.requestId,
      )
      if (known instanceof NetworkError)
        return {
          ok: false,
          problem,
          executed: known.sent ? 'perhaps' : 'no',
          again: known.sent,
          askedMs: null,
          settles: false,
        }
      if (known.status === 429) hold(operation, known.retryAfterMs)
      return {
        ok: false,
        problem,
        executed: 'perhaps',
        again: known.retryable,
        askedMs: asked(known.retryAfterMs),
        settles: false,
      }
    } finally {
      cancelLimit()
      slot.answered(clock.now())
    }
  }

  function refusal(operation: OperationId, error: ServiceError): Outcome<never> {
    const problem = refusalProblem(operation, error)
    if (refusals.has(error.code)) parts.refused(problem)
    if (error.status === 429) hold(operation, error.retryAfterMs)
    // Unable to sell, the service leaves no order and charges nothing (Partner API, States and
    // transitions): an open outcome of another try must not pass for that.
    const executed =
      (error.status >= 500 && error.code !== 'SERVICE_UNAVAILABLE') ||
      error.code === 'IDEMPOTENCY_IN_PROGRESS'
        ? 'perhaps'
        : 'no'
    return {
      ok: false,
      problem,
      executed,
      again: error.retryable,
      askedMs: asked(error.retryAfterMs),
      settles: settling.has(error.status) && !error.retryable,
    }
  }

  /**
   * Too many requests: nothing that counts alike leaves before the time that the answer asks for.
   */
  function hold(operation: OperationId, ms: number | null): void {
    schedule.keepRates(true)
    schedule.holdOff(clock.now() + (asked(ms) ?? 1000), endpointOf(operation).rate)
    parts.changed()
  }
  const asked = (ms: number | null): number | null =>
    ms === null ? null : Math.min(longestWaitMs, ms)

  /** What makes sending pointless is told before a place in the schedule is taken. */
  function refuseEarly(operation: OperationId, priority: Priority): void {
    const person = priority === 'person'
    const credentials = parts.credentials()
    if ('absent' in credentials) throw new Failure(credentials.absent)
    const refused = parts.refusal()
    if (refused !== null && !person) throw new Failure(refused.problem)
    const state = parts.circuit().state()
    if (state.state === 'offline' && !person && clock.now() < state.nextTryAt)
      throw new Failure(offlineProblem(operation, parts.circuit()))
    const heldMs = (schedule.heldUntil(endpointOf(operation).rate) ?? 0) - clock.now()
    if (heldMs > patience[priority]) throw new Failure(heldProblem(operation, heldMs))
  }

  function offlineProblem(operation: OperationId, circuit: Circuit): Problem {
    const { effect, not } = subjectOf(operation)
    const state = circuit.state()
    const retryAfterMs =
      state.state === 'offline' ? Math.max(0, state.nextTryAt - clock.now()) : null
    return {
      code: 'OFFLINE',
      what: `${not}: the service can’t be reached.`,
      effect: effect === null ? null : `${effect} Nothing was sent.`,
      next: 'Check the connection; Keydesk tries again by itself.',
      status: null,
      requestId: null,
      retryAfterMs,
    }
  }

  const call = <Op extends OperationId>(
    operation: Op,
    input: InputOf<Op>,
    options: CallOptions = {},
  ): Promise<AnswerBody<Op>> =>
    carry(
      operation,
      (credentials, signal) =>
        createCaller({ ...credentials, send: parts.transport })(operation, input, {
          idempotencyKey: options.idempotencyKey,
          signal,
        }),
      options,
    )

  async function carry<Body>(
    operation: OperationId,
    perform: Perform<Body>,
    options: CallOptions = {},
  ): Promise<Body> {
    const signal =
      options.signal === undefined
        ? closing.signal
        : AbortSignal.any([options.signal, closing.signal])
    const endpoint = endpointOf(operation)
    const keyed =
      options.idempotencyKey !== undefined &&
      endpoint.idempotent &&
      (endpoint.api === 'partner' || parts.takesIdempotencyKeys())
    const repeatable = options.once !== true && (!movesSomething(operation) || keyed)
    const until = clock.now() + patience[options.priority ?? 'person']
    let open: Problem | null = null
    try {
      for (let tries = 1; ; tries++) {
        const outcome = await attempt(operation, perform, options, signal, tries)
        if (outcome.ok) return outcome.body
        const told: Problem = open !== null && !outcome.settles ? open : outcome.problem
        if (outcome.executed === 'perhaps' && movesSomething(operation)) open ??= outcome.problem
        const delay = backoff(tries, random, outcome.askedMs)
        if (
          !outcome.again ||
          (outcome.executed === 'perhaps' && !repeatable) ||
          clock.now() + delay > until
        )
          throw new Failure(told)
        await sleep(delay, signal)
      }
    } catch (error) {
      if (
        error instanceof Failure &&
        open !== null &&
        !(error.problem.status !== null && settling.has(error.problem.status))
      )
        throw new Failure(open)
      if (error instanceof Failure || !signal.aborted) throw error
      throw new Failure(open ?? cancelledProblem)
    }
  }

  function sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = clock.after(ms, () => {
        signal.removeEventListener('abort', stop)
        resolve()
      })
      function stop(): void {
        cancel()
        reject(new Failure(cancelledProblem))
      }
      if (signal.aborted) return stop()
      signal.addEventListener('abort', stop, { once: true })
    })
  }

  const isAccepted = (): boolean => !('absent' in parts.credentials()) && parts.refusal() === null
  const usable = (): boolean => isAccepted() && parts.circuit().state().state === 'online'

  return {
    call,
    send: carry,
    wake,
    picture: (url, signal) =>
      fetchPicture(
        url,
        signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]),
      ),
    state() {
      const budget = schedule.budget()
      const credentials = parts.credentials()
      if ('absent' in credentials)
        return {
          state: credentials.state,
          since: credentials.since ?? null,
          nextTryAt: null,
          problem: credentials.absent,
          budget,
        }
      const refused = parts.refusal()
      if (refused !== null)
        return {
          state: 'refused',
          since: refused.since,
          nextTryAt: null,
          problem: refused.problem,
          budget,
        }
      const circuit = parts.circuit().state()
      if (circuit.state === 'offline') return { ...circuit, budget }
      const held = schedule.heldUntil()
      if (held !== null)
        return { state: 'slowed', since: null, nextTryAt: held, problem: null, budget }
      return {
        state: 'online',
        since: circuit.since === null ? null : Math.max(circuit.since, acceptedSince ?? 0),
        nextTryAt: null,
        problem: null,
        budget,
      }
    },
    ready: (signal) =>
      new Promise((resolve, reject) => {
        const end = (): void => {
          waiting.delete(look)
          signal.removeEventListener('abort', stop)
          closing.signal.removeEventListener('abort', stop)
        }
        const look = (): void => {
          if (usable()) {
            end()
            resolve()
          }
        }
        const stop = (): void => {
          end()
          reject(new Failure(cancelledProblem))
        }
        if (signal.aborted || closing.signal.aborted) return stop()
        signal.addEventListener('abort', stop)
        closing.signal.addEventListener('abort', stop)
        waiting.add(look)
        look()
      }),
    ratesAre: (kept) => {
      schedule.keepRates(kept)
      parts.changed()
    },
    close: () => closing.abort(new Failure(cancelledProblem)),
  }
}

/** Resolves at the circuit's next change; rejects when `signal` aborts. */
function changeOf(circuit: Circuit, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = circuit.onChange(() => {
      end()
      signal.removeEventListener('abort', stop)
      resolve()
    })
    function stop(): void {
      end()
      reject(new Failure(cancelledProblem))
    }
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
  })
}
