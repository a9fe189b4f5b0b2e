/**
 * Converts schema issues to the service's format: one problem per bad field, with paths such as
 * `items[0].qty` (Decision 9).
 */
import type { z } from 'zod'
import type { FieldProblem } from './errors.ts'

/**
 * `['items', 0, 'qty']` as `items[0].qty`; an issue with the complete body gets the field `body`.
 */
function fieldPath(path: readonly PropertyKey[], whole = 'body'): string {
  if (path.length === 0) return whole
  return path
    .map((part, index) =>
      typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`,
    )
    .join('')
}

const article = (type: string): string => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`)
const typeNames: Readonly<Record<string, string>> = {
  int: 'integer',
  record: 'object',
  tuple: 'array',
}

/** Replaces zod's default message for a bound by ours; null if the schema has its own message. */
function boundOf(issue: z.core.$ZodIssue): string | null {
  if (issue.code === 'too_small' && issue.message.startsWith('Too small')) {
    if (issue.origin === 'number') return `must be at least ${issue.minimum}`
    if (issue.origin === 'string') return `must have at least ${issue.minimum} characters`
  }
  if (issue.code === 'too_big' && issue.message.startsWith('Too big')) {
    if (issue.origin === 'number') return `must be at most ${issue.maximum}`
    if (issue.origin === 'string') return `must have at most ${issue.maximum} characters`
  }
  return null
}

function messageOf(issue: z.core.$ZodIssue): string {
  const bound = boundOf(issue)
  if (bound !== null) return bound
  if (issue.code !== 'invalid_type' || !issue.message.startsWith('Invalid input'))
    return issue.message
  if (issue.message.endsWith('received undefined')) return 'is required'
  return `must be ${article(typeNames[issue.expected] ?? issue.expected)}`
}

/** Never contains a value: messages come from schemas only, so a bad key or secret isn't echoed. */
export function fieldProblems(issues: readonly z.core.$ZodIssue[], whole = 'body'): FieldProblem[] {
  const problems = new Map<string, FieldProblem>()
  const add = (field: string, message: string): void => {
    if (!problems.has(field)) problems.set(field, { field, message })
  }
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys)
        add(
          fieldPath([...issue.path, key]),
          `is not a ${whole === 'query' ? 'parameter' : 'property'} of this request`,
        )
    } else add(fieldPath(issue.path, whole), messageOf(issue))
  }
  return [...problems.values()]
}
