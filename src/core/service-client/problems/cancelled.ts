import { Failure } from '../../failure.ts'
import { cancelledProblem } from './problems.ts'

/** A call that was cancelled before anything was sent. */
export const cancelledBeforeSending = (): Failure =>
  new Failure(cancelledProblem, { certainty: 'not-done', retry: 'wait' })
