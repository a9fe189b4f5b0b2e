import type { ProblemCode } from '../../contract/problem-codes.ts'

/**
 * What a failed call means for the action behind it.
 *
 * - `not-done`: certainly not executed and not examined: the request was never sent, or the service
 *   turned it away before it examined it.
 * - `rejected`: certainly not executed: the service or Keydesk examined the request and rejected
 *   it.
 * - `unknown`: it may have been executed.
 */
export type Certainty = 'not-done' | 'rejected' | 'unknown'

/**
 * What to do with the same request next.
 *
 * - `wait`: keep it, and send it when the obstacle is gone. The request needs no change.
 * - `ask`: find out what happened to it before sending anything again, or repeat it with the same
 *   Idempotency-Key.
 * - `never`: the same request will fail again. A person has to decide.
 */
export type Retry = 'wait' | 'ask' | 'never'

export type Outlook = { readonly certainty: Certainty; readonly retry: Retry }

/** Whether a call only reads or can change something on the service. */
export type CallKind = 'read' | 'change'

const retryLater: Outlook = { certainty: 'not-done', retry: 'wait' }
const rejected: Outlook = { certainty: 'rejected', retry: 'never' }
const unknown: Outlook = { certainty: 'unknown', retry: 'ask' }
/** Keydesk stopped before it sent anything, and waiting alone doesn't help. */
const stoppedByKeydesk: Outlook = { certainty: 'not-done', retry: 'never' }

/**
 * Codes whose meaning does not follow from the HTTP status ("Errors" and "Retry guidance" of the
 * Partner API, Decisions 17 and 32).
 */
const byCode: Readonly<Partial<Record<ProblemCode, Outlook>>> = {
  // Never sent.
  OFFLINE: retryLater,
  KEY_MISSING: retryLater,
  KEYCHAIN_MISSING: retryLater,
  VAULT_LOCKED: retryLater,
  VAULT_UNSET: retryLater,
  // Turned away by the service before it examined the request.
  RATE_LIMITED: retryLater,
  SERVICE_UNAVAILABLE: retryLater,
  UNAUTHORIZED: retryLater,
  ACCOUNT_NOT_ACTIVE: retryLater,
  IP_NOT_ALLOWED: retryLater,
  INSUFFICIENT_SCOPE: { certainty: 'not-done', retry: 'never' },
  // Sent, outcome unknown.
  ANSWER_LOST: unknown,
  BAD_ANSWER: unknown,
  CANCELLED: unknown,
  INTERNAL_ERROR: unknown,
  IDEMPOTENCY_IN_PROGRESS: unknown,
}

/**
 * The only place that decides what a failure means.
 *
 * @param code the service's or Keydesk's own
 * @param status HTTP status of the service's response; null without one
 * @param kind a failed `read` never leaves a change behind: its `unknown` becomes `not-done`
 */
export function outlookOf(code: ProblemCode, status: number | null, kind: CallKind): Outlook {
  const outlook = byCode[code] ?? byStatus(status)
  return kind === 'read' && outlook.certainty === 'unknown' ? retryLater : outlook
}

function byStatus(status: number | null): Outlook {
  if (status === null) return stoppedByKeydesk
  return status >= 400 && status < 500 ? rejected : unknown
}
