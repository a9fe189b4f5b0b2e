import { isDefinedError } from '@orpc/client'
import { parseProblem } from '../../../contract/base.ts'
import type { Problem } from '../../../contract/base.ts'

/** The problem behind a rejected call, as text for people. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Error && isDefinedError(error)) {
    const problem = parseProblem((error as { data?: unknown }).data)
    if (problem !== null) return problem
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
