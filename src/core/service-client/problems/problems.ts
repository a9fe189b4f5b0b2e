import { NetworkError } from '../../../../server/api/client/client-errors.ts'
import type { ResponseError, ServiceError } from '../../../../server/api/client/client-errors.ts'
import { formatEuros, toCents } from '../../../../server/api/money.ts'
import { isErrorCode } from '../../../../server/api/errors.ts'
import type { ErrorCode } from '../../../../server/api/errors.ts'
import type { OperationId } from '../../../../server/api/handlers.ts'
import type { Problem } from '../../../contract/base.ts'
import { movesSomething, offlineNext, subjectOf } from './subjects.ts'

type Explanation = { why: string; next: string }
type Facts = { details: Record<string, unknown>; retryAfterMs: number | null }

const euros = (value: unknown): string | null => {
  try {
    return typeof value === 'number' ? `EUR ${formatEuros(toCents(value))}` : null
  } catch {
    return null
  }
}
const seconds = (ms: number | null): string =>
  ms === null ? 'a while' : `${Math.max(1, Math.ceil(ms / 1000))} s`
const priceNow = (price: string | null): string =>
  price === null ? 'The price is above your limit.' : `${price} is the price now.`

/**
 * The error codes of both APIs ("Errors", Decision 32) in plain language: why, and what to do.
 * INTERNAL_ERROR has the text of its status.
 */
const explanations: Record<Exclude<ErrorCode, 'INTERNAL_ERROR'>, (facts: Facts) => Explanation> = {
  UNAUTHORIZED: () => ({
    why: 'the service doesn’t accept the key; it was mistyped, revoked or has expired',
    next: 'Create a new key in the dashboard and enter it for this account.',
  }),
  ACCOUNT_NOT_ACTIVE: () => ({
    why: 'the account is pending, suspended or rejected',
    next: 'Ask the service’s support to activate it, then try again.',
  }),
  IP_NOT_ALLOWED: () => ({
    why: 'the account rejects requests from this computer’s address',
    next: 'Add this computer’s address to the allowlist in the dashboard, then try again.',
  }),
  INSUFFICIENT_SCOPE: () => ({
    why: 'the key doesn’t have permission for this',
    next: 'Create a key with this scope in the dashboard and enter it for this account.',
  }),
  NOT_FOUND: () => ({
    why: 'the service doesn’t have it (any more)',
    next: 'Sync and check again.',
  }),
  VALIDATION_ERROR: () => ({
    why: 'the service doesn’t accept the values',
    next: 'Correct the listed fields and try again.',
  }),
  INSUFFICIENT_BALANCE: () => ({
    why: 'the balance is too low',
    next: 'Top up by bank transfer with a reference from the dashboard, or order less.',
  }),
  PRICE_CHANGED: ({ details }) => ({
    why: 'the price went up',
    next: `${priceNow(euros(details['currentPrice']))} Raise the limit or leave it.`,
  }),
  OUT_OF_STOCK: () => ({
    why: 'there are not enough units',
    next: 'Order fewer, or try again when it is in stock.',
  }),
  PRODUCT_UNAVAILABLE: () => ({
    why: 'the product is not sold through the API (any more)',
    next: 'Choose another product.',
  }),
  DUPLICATE_EXTERNAL_ID: ({ details }) => ({
    why: 'this reference already belongs to an earlier order',
    next:
      typeof details['orderId'] === 'string'
        ? `View order ${details['orderId']}, or choose another reference.`
        : 'View that order, or choose another reference.',
  }),
  IDEMPOTENCY_CONFLICT: () => ({
    why: 'the same Idempotency-Key was already used for a different request',
    next: 'Check what was sent before, then start again.',
  }),
  IDEMPOTENCY_IN_PROGRESS: () => ({
    why: 'the first request is still in progress',
    next: 'Wait. Keydesk checks again with the same key and never sends it twice.',
  }),
  ORDER_LIMIT_EXCEEDED: ({ details }) => ({
    why:
      `the total${prefixed(' of ', euros(details['total']))} is above ` +
      `the limit per order${prefixed(' of ', euros(details['limit']))}`,
    next: 'Order fewer units at a time, or ask the service’s support for a higher limit.',
  }),
  DAILY_LIMIT_EXCEEDED: ({ details }) => ({
    why: `the 24-hour spend limit${prefixed(' of ', euros(details['limit']))} is reached`,
    next:
      'Wait until earlier orders are more than a day old, order less, ' +
      'or ask the service’s support for a higher limit.',
  }),
  RATE_LIMITED: ({ retryAfterMs }) => ({
    why: 'too many requests were sent',
    next: `Wait ${seconds(retryAfterMs)} and try again.`,
  }),
  SERVICE_UNAVAILABLE: () => ({
    why: 'the service is temporarily unavailable',
    next: 'Try again in a minute.',
  }),
  OFFER_HAS_STOCK: () => ({
    why: 'it still has keys',
    next: 'Withdraw its stock first, or pause it.',
  }),
  INSUFFICIENT_STOCK: () => ({
    why: 'there is less stock than that',
    next: 'Sync and choose a smaller number.',
  }),
  DUPLICATE_KEY: () => ({
    why: 'this key was already uploaded for the product',
    next: 'Use a key that was never uploaded.',
  }),
  CLAIM_EXISTS: () => ({
    why: 'this key already has a claim',
    next: 'View that claim.',
  }),
  CLAIM_WINDOW_CLOSED: () => ({
    why: 'the 7-day claim period of this key is over',
    next: 'This key can no longer be claimed.',
  }),
  REFERENCE_USED: () => ({ why: 'this reference was already used', next: 'Use a new reference.' }),
  DISPUTE_RESOLVED: () => ({
    why: 'the dispute is already resolved',
    next: 'No action is needed.',
  }),
}

const prefixed = (before: string, text: string | null): string =>
  text === null ? '' : before + text

const detailsOf = (details: unknown): Record<string, unknown> =>
  typeof details === 'object' && details !== null && !Array.isArray(details)
    ? Object.fromEntries(Object.entries(details))
    : {}

function fieldsOf(details: unknown): Problem['fields'] {
  if (!Array.isArray(details)) return undefined
  const fields = details.flatMap((entry: unknown) => {
    const { field, message } = detailsOf(entry)
    return typeof field === 'string' && typeof message === 'string' ? [{ field, message }] : []
  })
  return fields.length === 0 ? undefined : fields
}

/** The service's rejection in plain language: what happened, whether anything moved, what to do. */
export function rejectionProblem(
  operation: OperationId,
  { code, status, requestId, details, retryAfterMs, message }: ServiceError,
): Problem {
  const subject = subjectOf(operation)
  const facts = { details: detailsOf(details), retryAfterMs }
  const uncertain = status >= 500 && code !== 'SERVICE_UNAVAILABLE' && movesSomething(operation)
  const { why, next } =
    isErrorCode(code) && code !== 'INTERNAL_ERROR'
      ? explanations[code](facts)
      : explanationByStatus(status, message)
  const fields = fieldsOf(details)
  return {
    ...(isErrorCode(code) ? { code } : { code: 'UNKNOWN_CODE', originalCode: code }),
    what: uncertain
      ? 'The service failed while processing this request.'
      : `${subject.not}: ${why}.`,
    effect: uncertain ? subject.lost : subject.effect,
    next,
    status,
    requestId,
    retryAfterMs,
    ...(fields !== undefined && { fields }),
    ...(Object.keys(facts.details).length > 0 && { details: facts.details }),
  }
}

function explanationByStatus(status: number, message: string): Explanation {
  if (status >= 500)
    return {
      why: 'something went wrong in the service',
      next: 'Try again. If it keeps failing, give the request ID to the service’s support.',
    }
  return {
    why: `the service reported “${message}”`,
    next: 'Follow its advice, or give the request ID to the service’s support.',
  }
}

/** No response arrived, or none that can be read. */
export function noResponseProblem(
  operation: OperationId,
  error: NetworkError | ResponseError,
): Problem {
  const subject = subjectOf(operation)
  const base = { status: null, requestId: null, retryAfterMs: null }
  if (error instanceof NetworkError && !error.sent) {
    return {
      ...base,
      code: 'OFFLINE',
      what: `${subject.not}: can’t reach the service${unreachableReason(error.message)}.`,
      effect: subject.effect === null ? null : `${subject.effect} Nothing was sent.`,
      next: offlineNext(operation),
    }
  }
  const lost = {
    effect: movesSomething(operation)
      ? subject.lost
      : subject.effect === null
        ? null
        : subject.lost,
    next: movesSomething(operation)
      ? 'Keydesk checks what happened before it sends anything again. Please wait.'
      : 'Try again.',
  }
  if (error instanceof NetworkError)
    return {
      ...base,
      ...lost,
      code: 'ANSWER_LOST',
      what: 'The request was sent, but the response was lost.',
    }
  return {
    ...base,
    ...lost,
    code: 'BAD_ANSWER',
    what: `The response didn’t come from the service: ${error.message}.`,
    status: error.status,
    requestId: error.requestId,
    next: movesSomething(operation)
      ? lost.next
      : 'Check the base address: a proxy might be responding instead of the service.',
  }
}

function unreachableReason(code: string): string {
  if (code === 'ECONNREFUSED') return ' (nothing is listening at its address)'
  if (code === 'ENOTFOUND' || code.startsWith('EAI_')) return ' (its name can’t be resolved)'
  if (code.includes('CERT') || code.includes('SIGNED') || code.includes('SIGNATURE'))
    return ` (its certificate isn’t trusted: ${code})`
  return ''
}

/** Not sent, because the service asked for a longer wait than this call accepts. */
export function heldProblem(operation: OperationId, heldMs: number): Problem {
  const { not, effect } = subjectOf(operation)
  return {
    code: 'RATE_LIMITED',
    what: `${not}: the service asked Keydesk to wait.`,
    effect: effect === null ? null : `${effect} Nothing was sent.`,
    next: `Try again in ${seconds(heldMs)}.`,
    status: null,
    requestId: null,
    retryAfterMs: heldMs,
  }
}

export const cancelledProblem: Problem = {
  code: 'CANCELLED',
  what: 'Stopped before it finished.',
  effect: null,
  next: 'Start it again when you’re ready.',
  status: null,
  requestId: null,
  retryAfterMs: null,
}

/** Stopped after the request was sent: its outcome is unknown. */
export const cancelledAfterSending = (operation: OperationId): Problem => ({
  ...cancelledProblem,
  effect: subjectOf(operation).lost,
})
