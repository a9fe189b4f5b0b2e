import type { Problem } from '../../contract/base.ts'

/** A file that can't be read, with what to tell about it. The others of the import go on. */
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
  code: string,
  what: string,
  next: string,
  effect = 'Nothing of it is uploaded.',
): Problem => ({ code, what, effect, next, status: null, requestId: null, retryAfterMs: null })

export const changedWhileRead = fileProblem(
  'FILE_CHANGED',
  'The file changed while it was read.',
  'Close it in other programs and add it again.',
)
export const notReadable = fileProblem(
  'FILE_UNREADABLE',
  'This file can’t be opened.',
  'You may not read it, it is gone, or it changed since it was added. Open it in another program to see, then add it again.',
)
export const spoolDamaged = fileProblem(
  'SPOOL_DAMAGED',
  'The encrypted copy of this file on this machine can’t be read any more.',
  'Remove it here and add the file again.',
)
export const diskFull = fileProblem(
  'DISK_FULL',
  'The disk of this machine is full.',
  'Free some space. A file that is coming in goes on by itself; one that is here already is read again by “Read again”.',
  'What came in before is kept. Nothing was sent.',
)

export const tooDemanding = fileProblem(
  'FILE_TOO_DEMANDING',
  'Reading this file took more memory than Keydesk gives to one.',
  'Save it as csv or split it, and add that.',
)

/** Whether a worker was ended because it took too much memory. */
export const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
