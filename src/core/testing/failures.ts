import type { Problem } from '../../contract/base.ts'
import { Failure } from '../failure.ts'

/**
 * The problem that work of the core failed with. Throws when the work succeeded or failed in
 * another way.
 */
export async function problemOfFailure(work: Promise<unknown>): Promise<Problem> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Failure)) throw new Error(`expected a Failure, got ${String(error)}`)
  return error.problem
}
