import { createHash } from 'node:crypto'
import { encodeResponse } from '../../api/encode.ts'
import { ApiError, isErrorCode, replayedStatuses } from '../../api/errors.ts'
import type {
  ResultOf,
  Call,
  EncodedResponse,
  Idempotency as Given,
  OperationId,
} from '../../api/handlers.ts'
import { type Context, DAY } from '../context.ts'
import { reachCrashPoint } from '../crash-points.ts'
import type { StoredCall } from '../ports/ordering/idempotency.ts'

/** A request with an Idempotency-Key, ready for lookup. */
export interface IdempotentCall {
  readonly scope: string
  readonly key: string
  readonly digest: Uint8Array
}

export interface Idempotency {
  /**
   * The identity of a request: account, mode, method and path, key, and the digest of the body.
   * Null without a key.
   */
  identify(call: Call): IdempotentCall | null
  /**
   * The first response to the same request, stored for 24 hours. Returns it, or throws it when it
   * was an error. Null when this is the first request. Throws IDEMPOTENCY_CONFLICT for another
   * body, and IDEMPOTENCY_IN_PROGRESS while the first request is running or waiting.
   */
  replay(call: IdempotentCall | null): EncodedResponse | { unanswered: string } | null
  /** Records a call whose response is still pending, inside the transaction of its effect. */
  recordPending(call: IdempotentCall | null, orderId: string): void
  /** Stores a response: inside the transaction of its effect, or later for a pending call. */
  saveAnswer(
    call: IdempotentCall | null,
    answer: EncodedResponse,
    about?: { orderId?: string; holdsKeys?: boolean },
  ): void
  /** Stores an error response, if its status is one that is replayed. */
  saveError(call: IdempotentCall | null, error: unknown, requestId: string): void
  /**
   * Marks a call as in progress until the returned function is called, however far the clock is
   * advanced in the meantime. Without its order, it isn't.
   */
  markInProgress(call: IdempotentCall | null, orderId: string): () => void
  /**
   * Runs a synchronous call once: stores effect and response in one transaction, or replays the
   * first response.
   */
  runOnce<Op extends OperationId>(
    call: Call,
    operation: Op,
    work: () => ResultOf<Op>,
    about?: { holdsKeys?: boolean },
  ): EncodedResponse
  /** Deletes calls older than 24 hours. */
  purge(at: number): void
}

const scopeOf = (call: Call, given: Given): string => {
  const { caller } = call
  const account =
    caller.kind === 'partner'
      ? `${caller.partnerId} ${caller.mode}`
      : caller.kind === 'seller'
        ? caller.sellerId
        : caller.kind
  return `${account} ${given.method} ${given.path}`
}

/** The scope, key and digest of a call with an Idempotency-Key; null without one. */
function identify(call: Call): IdempotentCall | null {
  const given = call.idempotency
  if (!given) return null
  const digest = createHash('sha256').update(given.canonicalBody).digest()
  return { scope: scopeOf(call, given), key: given.key, digest }
}

/** A rejection in the form stored for replays. */
function refusalBody(error: ApiError, requestId: string): string {
  const { code, message, details } = error
  return JSON.stringify({ code, message, details, requestId: error.requestId ?? requestId })
}

/** Runs each effect once, however often it is requested (Decisions 17 and 29). */
export function createIdempotency({ store, clock }: Context): Idempotency {
  const inProgress = new Map<string, { digest: Uint8Array; orderId: string }>()
  const nameOf = (call: IdempotentCall) => `${call.scope}\n${call.key}`

  function put(
    call: IdempotentCall,
    rest: Pick<StoredCall, 'status' | 'body' | 'orderId' | 'holdsKeys'>,
  ): void {
    store.idempotency.put({ ...call, ...rest, expiresAt: clock.now() + DAY })
  }

  function checkBody({ digest }: { digest: Uint8Array }, call: IdempotentCall): void {
    if (Buffer.compare(digest, call.digest) !== 0) throw new ApiError('IDEMPOTENCY_CONFLICT')
  }

  /** A rollback or a restore can have removed the order of a call that is still in progress. */
  function checkInProgress(call: IdempotentCall): void {
    const running = inProgress.get(nameOf(call))
    if (!running || !store.orders.find(running.orderId)) return
    checkBody(running, call)
    throw new ApiError('IDEMPOTENCY_IN_PROGRESS')
  }

  const idempotency: Idempotency = {
    identify,
    replay(call) {
      if (!call) return null
      checkInProgress(call)
      const stored = store.idempotency.find(call.scope, call.key)
      if (!stored || stored.expiresAt <= clock.now()) return null
      checkBody(stored, call)
      if (stored.status === null || stored.body === null)
        return { unanswered: stored.orderId ?? '' }
      if (stored.status >= 400) throw storedRefusal(stored.body)
      return { status: stored.status, json: stored.body, replayed: true }
    },
    recordPending(call, orderId) {
      if (call) put(call, { status: null, body: null, orderId, holdsKeys: false })
    },
    saveAnswer(call, answer, about = {}) {
      if (!call) return
      const { orderId = null, holdsKeys = false } = about
      put(call, { status: answer.status, body: answer.json ?? '', orderId, holdsKeys })
    },
    saveError(call, error, requestId) {
      if (!call || !(error instanceof ApiError) || !replayedStatuses.has(error.status)) return
      const body = refusalBody(error, requestId)
      store.transaction(() =>
        put(call, { status: error.status, body, orderId: null, holdsKeys: false }),
      )
      reachCrashPoint('refusal.kept')
    },
    markInProgress(call, orderId) {
      if (!call) return () => {}
      const name = nameOf(call)
      const running = { digest: call.digest, orderId }
      inProgress.set(name, running)
      return () => {
        if (inProgress.get(name) === running) inProgress.delete(name)
      }
    },
    runOnce(call, operation, work, about) {
      const identified = identify(call)
      const first = idempotency.replay(identified)
      if (first && 'status' in first) return first
      try {
        const answer = store.transaction(() => {
          const answer = encodeResponse(operation, work())
          idempotency.saveAnswer(identified, answer, about)
          reachCrashPoint('answer.kept')
          return answer
        })
        reachCrashPoint('answer.committed')
        return answer
      } catch (error) {
        idempotency.saveError(identified, error, call.requestId)
        throw error
      }
    },
    purge: (at) => void store.transaction(() => store.idempotency.purge(at)),
  }
  return idempotency
}

function storedRefusal(body: string): ApiError {
  const { code, message, details, requestId } = JSON.parse(body) as Record<string, unknown>
  if (
    typeof code !== 'string' ||
    !isErrorCode(code) ||
    typeof message !== 'string' ||
    typeof requestId !== 'string'
  ) {
    throw new Error("a stored error response isn't readable")
  }
  return new ApiError(code, message, details, requestId)
}
