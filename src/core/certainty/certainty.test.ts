import { describe, expect, test } from 'vitest'
import type { ProblemCode } from '../../contract/problem-codes.ts'
import { failure } from '../failure.ts'
import { type Certainty, outlookOf, type Retry } from './certainty.ts'

type Row = [
  code: ProblemCode,
  status: number | null,
  change: `${Certainty} ${Retry}`,
  read: `${Certainty} ${Retry}`,
]

/** Every code that a call can fail with, and its meaning for a change and for a read. */
const table: Row[] = [
  ['OFFLINE', null, 'not-done wait', 'not-done wait'],
  ['KEY_MISSING', null, 'not-done wait', 'not-done wait'],
  ['KEYCHAIN_MISSING', null, 'not-done wait', 'not-done wait'],
  ['VAULT_LOCKED', null, 'not-done wait', 'not-done wait'],
  ['VAULT_UNSET', null, 'not-done wait', 'not-done wait'],
  ['RATE_LIMITED', 429, 'not-done wait', 'not-done wait'],
  ['RATE_LIMITED', null, 'not-done wait', 'not-done wait'],
  ['SERVICE_UNAVAILABLE', 503, 'not-done wait', 'not-done wait'],
  ['UNAUTHORIZED', 401, 'not-done wait', 'not-done wait'],
  ['ACCOUNT_NOT_ACTIVE', 403, 'not-done wait', 'not-done wait'],
  ['IP_NOT_ALLOWED', 403, 'not-done wait', 'not-done wait'],
  ['INSUFFICIENT_SCOPE', 403, 'not-done never', 'not-done never'],
  ['ANSWER_LOST', null, 'unknown ask', 'not-done wait'],
  ['BAD_ANSWER', 200, 'unknown ask', 'not-done wait'],
  ['BAD_ANSWER', 429, 'unknown ask', 'not-done wait'],
  ['BAD_ANSWER', null, 'unknown ask', 'not-done wait'],
  ['CANCELLED', null, 'unknown ask', 'not-done wait'],
  ['INTERNAL_ERROR', 500, 'unknown ask', 'not-done wait'],
  ['IDEMPOTENCY_IN_PROGRESS', 409, 'unknown ask', 'not-done wait'],
  ['UNKNOWN_CODE', 500, 'unknown ask', 'not-done wait'],
  ['UNKNOWN_CODE', 503, 'unknown ask', 'not-done wait'],
  ['UNKNOWN_CODE', 302, 'unknown ask', 'not-done wait'],
  ['UNKNOWN_CODE', 400, 'rejected never', 'rejected never'],
  ['UNKNOWN_CODE', 499, 'rejected never', 'rejected never'],
  ['VALIDATION_ERROR', 400, 'rejected never', 'rejected never'],
  ['INSUFFICIENT_BALANCE', 402, 'rejected never', 'rejected never'],
  ['NOT_FOUND', 404, 'rejected never', 'rejected never'],
  ['PRICE_CHANGED', 409, 'rejected never', 'rejected never'],
  ['DUPLICATE_EXTERNAL_ID', 409, 'rejected never', 'rejected never'],
  ['IDEMPOTENCY_CONFLICT', 409, 'rejected never', 'rejected never'],
  ['ORDER_LIMIT_EXCEEDED', 422, 'rejected never', 'rejected never'],
  ['CHANGED_MEANWHILE', null, 'not-done never', 'not-done never'],
  ['INVALID_INPUT', null, 'not-done never', 'not-done never'],
]

const words = ({ certainty, retry }: ReturnType<typeof outlookOf>): string =>
  `${certainty} ${retry}`

describe('outlookOf', () => {
  test.each(table)('%s with status %s means %s for a change and %s for a read', (...row) => {
    const [code, status, change, read] = row
    expect(words(outlookOf(code, status, 'change'))).toBe(change)
    expect(words(outlookOf(code, status, 'read'))).toBe(read)
  })

  test('a read never leaves an unknown outcome', () => {
    for (const [code, status] of table)
      expect(outlookOf(code, status, 'read').certainty).not.toBe('unknown')
  })

  test('asks for a lookup exactly when the outcome is unknown', () => {
    for (const [code, status] of table)
      for (const kind of ['read', 'change'] as const) {
        const { certainty, retry } = outlookOf(code, status, kind)
        expect(retry === 'ask', `${code} ${status} ${kind}`).toBe(certainty === 'unknown')
      }
  })
})

test('a failure of Keydesk’s own carries the outlook of its code', () => {
  expect(failure('VAULT_LOCKED', 'The vault is locked.', 'Unlock it.')).toMatchObject({
    certainty: 'not-done',
    retry: 'wait',
  })
  expect(failure('ANSWER_LOST', 'The answer was lost.', 'Wait.')).toMatchObject({
    certainty: 'unknown',
    retry: 'ask',
  })
})
