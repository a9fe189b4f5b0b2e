import { parseProblem } from '../contract/base.ts'
import type { Problem } from '../contract/base.ts'

const unreadable: Problem = {
  code: 'UNKNOWN_CODE',
  what: 'The details of this problem can’t be read.',
  effect: null,
  next: 'Sync and check again.',
  status: null,
  requestId: null,
  retryAfterMs: null,
}

/**
 * Reads a problem that a data folder stores as JSON. Never throws: an older or newer version of
 * Keydesk may have written it.
 */
export function readProblem(json: string): Problem
export function readProblem(json: string | null): Problem | null
export function readProblem(json: string | null): Problem | null {
  if (json === null) return null
  try {
    return parseProblem(JSON.parse(json)) ?? unreadable
  } catch {
    return unreadable
  }
}
