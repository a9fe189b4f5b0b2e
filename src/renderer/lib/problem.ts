import { isDefinedError } from '@orpc/client'
import { problemSchema } from '../../contract/base.ts'
import type { Problem } from '../../contract/base.ts'

/** The problem behind whatever a call rejected with, in words a person can read. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Error && isDefinedError(error)) {
    const told = problemSchema.safeParse((error as { data?: unknown }).data)
    if (told.success) return told.data
  }
  return {
    code: 'NO_ANSWER',
    what: 'Keydesk’s own core did not answer.',
    effect: 'It is not known here whether it was done.',
    next: 'Look at the page again in a moment; it reconnects by itself.',
    status: null,
    requestId: null,
    retryAfterMs: null,
  }
}
