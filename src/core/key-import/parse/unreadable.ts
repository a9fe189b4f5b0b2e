import type { Problem } from '../../../contract/base.ts'
import type { ProblemCode } from '../../../contract/problem-codes.ts'

/**
 * A file that can't be read, with the problem to show. The other files of the import aren't
 * affected.
 */
export class UnreadableFile extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.what)
    this.name = 'UnreadableFile'
    this.problem = problem
  }
}

/** A problem with one file of an import. */
export const fileProblem = (
  code: ProblemCode,
  what: string,
  next: string,
  effect = 'None of its keys will be uploaded.',
): Problem => ({ code, what, effect, next, status: null, requestId: null, retryAfterMs: null })

export const changedWhileRead = fileProblem(
  'FILE_CHANGED',
  'The file changed while Keydesk was reading it.',
  'Close it in other programs and add it again.',
)
export const notReadable = fileProblem(
  'FILE_UNREADABLE',
  'This file can’t be opened.',
  'The file may be protected, deleted or changed. Check that you can open it, then add it again.',
)
export const spoolDamaged = fileProblem(
  'SPOOL_DAMAGED',
  'The encrypted copy of this file can’t be read any more.',
  'Remove it and add the file again.',
)
export const diskFull = fileProblem(
  'DISK_FULL',
  'The disk of this computer is full.',
  'Free up some disk space. Files being received resume automatically; for other files, choose “Retry”.',
  'Saved data is intact. Nothing was sent.',
)

export const tooDemanding = fileProblem(
  'FILE_TOO_DEMANDING',
  'Reading this file needs too much memory.',
  'Save it as csv or split it, and add the result.',
)

/** Whether a worker was stopped because it used too much memory. */
export const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
