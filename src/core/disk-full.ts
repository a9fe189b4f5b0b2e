import type { Problem } from '../contract/base.ts'

/** How long to wait on a full disk before checking again, in milliseconds. */
export const DISK_CHECK_MS = 3000

/**
 * Codes by which the system and SQLite report a full disk, including a failure to extend the index
 * of a write-ahead log.
 */
const codes: ReadonlySet<unknown> = new Set([
  'ENOSPC',
  'EDQUOT',
  'SQLITE_FULL',
  'SQLITE_IOERR_SHMSIZE',
])

/** Whether an error means that the disk is full. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && codes.has(error.code)

/**
 * The general message for a full disk. Features that know which work is waiting use a more specific
 * one.
 */
export const diskFullProblem: Problem = {
  code: 'DISK_FULL',
  what: 'This computer’s disk is full.',
  effect: 'Saved data is intact.',
  next: 'Free up some space. Queued work resumes automatically; then try your last action again.',
  status: null,
  requestId: null,
  retryAfterMs: null,
}
