import { ORPCError, ValidationError, os } from '@orpc/server'
import type { Problem } from '../contract/base.ts'
import { Failure } from './failure.ts'

/** The error of every procedure: the contract's `FAILED` with the problem as its data. */
const failed = (problem: Problem): ORPCError<'FAILED', Problem> =>
  new ORPCError('FAILED', { status: 500, message: problem.what, data: problem })

/**
 * Turns every failure into the contract's `FAILED`: a {@link Failure} with its problem, invalid
 * input with its fields, anything else through `report`, which records it and returns a reference
 * instead of the error's text.
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
 * The problem for input that the contract's schema rejects; null for any other error. It never
 * repeats values, because they can be secret.
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
    what: 'Some of the values can’t be used.',
    effect: 'Nothing was sent.',
    next: 'Correct the highlighted fields.',
    status: null,
    requestId: null,
    retryAfterMs: null,
    fields,
  }
}
