import { shownCode } from '../contract/base.ts'
import type { Problem } from '../contract/base.ts'
import type { ProblemCode } from '../contract/problem-codes.ts'
import { type Certainty, type Outlook, outlookOf, type Retry } from './certainty/certainty.ts'

/**
 * A failure with a message for people. Any code in the core can throw it; the routers turn it into
 * the contract's `FAILED`.
 */
export class Failure extends Error {
  readonly problem: Problem
  /** Whether the failed action was carried out. */
  readonly certainty: Certainty
  /** What to do with the same action next. */
  readonly retry: Retry

  /**
   * @param outlook decided by the service connection, which knows the operation; by default, the
   *   problem is treated as the failure of a change
   */
  constructor(
    problem: Problem,
    outlook: Outlook = outlookOf(problem.code, problem.status, 'change'),
  ) {
    super(`${shownCode(problem)}: ${problem.what}`)
    this.name = 'Failure'
    this.problem = problem
    this.certainty = outlook.certainty
    this.retry = outlook.retry
  }
}

/**
 * A failure of Keydesk's own, without a request: code, what happened, what to do next, and what
 * moved if anything could have.
 */
export function failure(
  code: ProblemCode,
  what: string,
  next: string,
  more: Partial<Problem> = {},
): Failure {
  return new Failure({
    code,
    what,
    effect: null,
    next,
    status: null,
    requestId: null,
    retryAfterMs: null,
    ...more,
  })
}

/** Whether the error is a failure with one of these codes (any code if none is given). */
export const isFailure = (error: unknown, ...codes: ProblemCode[]): error is Failure =>
  error instanceof Failure && (codes.length === 0 || codes.includes(error.problem.code))

/** Handles a rejected call: null if the service doesn't have the record; other errors are passed on. */
export function nullIfNotFound(error: unknown): null {
  if (isFailure(error, 'NOT_FOUND')) return null
  throw error
}

/** Whether a call certainly wasn't carried out and can be sent again later. */
export const canBeSentLater = ({ certainty, retry }: Failure): boolean =>
  certainty === 'not-done' && retry === 'wait'
/** Whether a failed reading can concern only its record, so that others can be read. */
export const isUnread = (error: Failure): boolean =>
  canBeSentLater(error) && isFailure(error, 'BAD_ANSWER', 'INTERNAL_ERROR', 'UNKNOWN_CODE')
