import { expect, test } from 'vitest'
import { parseProblem, problemSchema, shownCode } from './base.ts'

const problem = {
  what: 'Not ordered: the price went up.',
  effect: 'Nothing was charged.',
  next: 'Raise the limit or leave it.',
  status: 409,
  requestId: 'req_1',
  retryAfterMs: null,
}

test('accepts the codes of the service and of Keydesk, and no other', () => {
  expect(problemSchema.safeParse({ ...problem, code: 'PRICE_CHANGED' }).success).toBe(true)
  expect(problemSchema.safeParse({ ...problem, code: 'VAULT_LOCKED' }).success).toBe(true)
  expect(problemSchema.safeParse({ ...problem, code: 'VAULT_LOKCED' }).success).toBe(false)
})

test('keeps a known code as it is', () => {
  const known = { ...problem, code: 'PRICE_CHANGED', details: { currentPrice: 5.2 } }
  expect(parseProblem(known)).toEqual(known)
})

test.each(['A_CODE_OF_NEXT_YEAR', '', 'constructor', '__proto__'])(
  'reads a problem with the unknown code “%s” and shows that code',
  (code) => {
    const read = parseProblem({ ...problem, code })
    expect(read).toEqual({ ...problem, code: 'UNKNOWN_CODE', originalCode: code })
    expect(read === null ? null : shownCode(read)).toBe(code)
    // What was read can be stored and read again.
    expect(parseProblem(read)).toEqual(read)
  },
)

test.each([null, undefined, 'text', 7, [], {}, { ...problem }, { ...problem, code: 7 }])(
  'returns null for %o, which isn’t a problem',
  (value) => {
    expect(parseProblem(value)).toBeNull()
  },
)
