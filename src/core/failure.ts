import type { Problem } from '../contract/base.ts'
import { type Certainty, type Outlook, outlookOf, type Retry } from './certainty/certainty.ts'

/**
 * A failure that a person can read. Thrown anywhere in the core; the routers turn it into the
 * contract's `FAILED`.
 */
export class Failure extends Error {
  readonly problem: Problem
  /** Whether the work behind it was done. */
  readonly certainty: Certainty
  /** What to do with the same work next. */
  readonly retry: Retry

  /**
   * @param outlook decided by the service connection, which knows the operation; without it the
   *   problem is taken for the failure of a change
   */
  constructor(
    problem: Problem,
    outlook: Outlook = outlookOf(problem.code, problem.status, 'change'),
  ) {
    super(`${problem.code}: ${problem.what}`)
    this.name = 'Failure'
    this.problem = problem
    this.certainty = outlook.certainty
    this.retry = outlook.retry
  }
}

/**
 * A failure of Keydesk's own (no request behind it): code, what happened, what to do next, and what
 * moved if anything could have.
 */
export function failure(
  code: string,
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
