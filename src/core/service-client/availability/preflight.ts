import { endpointOf } from '../../../../server/api/endpoints/endpoints.ts'
import type { OperationId } from '../../../../server/api/handlers.ts'
import type { Problem } from '../../../contract/base.ts'
import { msUntil } from '../../clock.ts'
import type { Clock } from '../../clock.ts'
import type { Priority } from '../../context.ts'
import { patience } from '../schedule/backoff.ts'
import type { Circuit } from './circuit.ts'
import type { ConnectionParts } from '../connection-parts.ts'
import { heldProblem } from '../problems/problems.ts'
import { offlineNext, subjectOf } from '../problems/subjects.ts'

/**
 * Why a call would fail before it is sent, so that it takes no place in the schedule: there is no
 * key, the service rejects the key, the address isn't responding, or the service asked for a longer
 * wait than this priority accepts. Null when it can be sent. A person's call is sent even to an
 * address that didn't respond or with a key that was rejected, to find out whether it works again.
 */
export function reasonNotToSend(
  parts: ConnectionParts,
  operation: OperationId,
  priority: Priority,
): Problem | null {
  const credentials = parts.credentials()
  if ('absent' in credentials) return credentials.absent
  if (priority !== 'person') {
    const refusal = parts.refusal()
    if (refusal !== null) return refusal.problem
    const state = parts.circuit().state()
    if (state.state === 'offline' && msUntil(parts.clock, state.nextTry) > 0)
      return offlineProblem(operation, parts.circuit(), parts.clock)
  }
  const heldMs = parts.schedule.heldFor(endpointOf(operation).rate)
  return heldMs > patience[priority] ? heldProblem(operation, heldMs) : null
}

/** Nothing was sent, because the address isn't responding. */
export function offlineProblem(operation: OperationId, circuit: Circuit, clock: Clock): Problem {
  const { effect, not } = subjectOf(operation)
  const state = circuit.state()
  return {
    code: 'OFFLINE',
    what: `${not}: can’t reach the service.`,
    effect: effect === null ? null : `${effect} Nothing was sent.`,
    next: offlineNext(operation),
    status: null,
    requestId: null,
    retryAfterMs: state.state === 'offline' ? msUntil(clock, state.nextTry) : null,
  }
}
