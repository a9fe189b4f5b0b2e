import type { Problem } from '../contract/base.ts'

/** How long to wait on a full disk before it is tried again, in milliseconds. */
export const LOOK_FOR_ROOM_MS = 3000

/**
 * As the system and SQLite say that nothing more fits: also no more of the index beside a
 * write-ahead log.
 */
const codes: ReadonlySet<unknown> = new Set([
  'ENOSPC',
  'EDQUOT',
  'SQLITE_FULL',
  'SQLITE_IOERR_SHMSIZE',
])

/** Whether an error says that there is no room left on the disk. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && codes.has(error.code)

/** What people are told of a full disk; who knows more of what waits says so instead. */
export const diskFullProblem: Problem = {
  code: 'DISK_FULL',
  what: 'The disk of this machine is full.',
  effect: 'What was kept before is whole.',
  next: 'Free some space. What waits goes on by itself; repeat what you just did.',
  status: null,
  requestId: null,
  retryAfterMs: null,
}
