import { isDefinedError } from '@orpc/client'
import { problemSchema } from '../../../contract/base.ts'
import type { Problem } from '../../../contract/base.ts'

/** The problem behind a rejected call, as text for people. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Error && isDefinedError(error)) {
    const parsed = problemSchema.safeParse((error as { data?: unknown }).data)
    if (parsed.success) return parsed.data
  }
  return {
    code: 'NO_ANSWER',
    what: 'Keydesk’s background process didn’t respond.',
    effect: 'The action may or may not have completed.',
    next: 'Keydesk reconnects automatically. Check the page again in a moment.',
    status: null,
    requestId: null,
    retryAfterMs: null,
  }
}
