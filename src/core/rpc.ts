import { ORPCError, ValidationError, os } from '@orpc/server'
import type { Problem } from '../contract/base.ts'
import { Failure } from './failure.ts'

/** What every procedure can fail with: the contract's `FAILED`, its data the problem. */
const failed = (problem: Problem): ORPCError<'FAILED', Problem> =>
  new ORPCError('FAILED', { status: 500, message: problem.what, data: problem })

/**
 * Turns every failure into the contract's `FAILED`: a {@link Failure} with its problem, bad input
 * with its fields, anything else through `report`, which notes it and answers with a reference
 * instead of the defect's own words.
 */
export function guard(report: (where: string, error: unknown) => Problem) {
  return os.$context<Record<never, never>>().middleware(async ({ next, path }) => {
    try {
      return await next()
    } catch (error) {
      if (error instanceof ORPCError && error.code === 'FAILED') throw error
      if (error instanceof Failure) throw failed(error.problem)
      throw failed(inputProblem(error) ?? report(path.join('.'), error))
    }
  })
}

/**
 * The problem of input that the contract's schema refuses; null for any other error. Values are
 * never repeated: they may be secret.
 */
function inputProblem(error: unknown): Problem | null {
  if (
    !(error instanceof ORPCError) ||
    error.code !== 'BAD_REQUEST' ||
    !(error.cause instanceof ValidationError)
  )
    return null
  const fields = error.cause.issues.map((issue) => ({
    field: (issue.path ?? [])
      .map((part) => String(typeof part === 'object' ? part.key : part))
      .join('.'),
    message: issue.message,
  }))
  return {
    code: 'INVALID_INPUT',
    what: 'Something entered can’t be used.',
    effect: 'Nothing was sent.',
    next: 'Correct the marked fields.',
    status: null,
    requestId: null,
    retryAfterMs: null,
    fields,
  }
}
