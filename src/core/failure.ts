import type { Problem } from '../contract/base.ts'

/**
 * A failure that a person can read. Thrown anywhere in the core; the routers turn it into the
 * contract's `FAILED`.
 */
export class Failure extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(`${problem.code}: ${problem.what}`)
    this.name = 'Failure'
    this.problem = problem
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
