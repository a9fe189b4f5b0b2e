import { expect, test } from 'vitest'
import { saysWords, viewOf } from './outcome.ts'

const entry = { id: '1', at: 0, accountId: null, what: 'POST /orders', detail: 'Ironwharf 3', outcome: 'failed', code: 'PRICE_CHANGED', status: 409, requestId: 'req_7Hc2Lw', durationMs: 12 } as const

test('an entry is found by its words, its code, its status and its request id, together', () => {
  expect(saysWords(entry, '')).toBe(true)
  expect(saysWords(entry, 'iron price')).toBe(true)
  expect(saysWords(entry, '409 req_7hc')).toBe(true)
  expect(saysWords(entry, 'iron refund')).toBe(false)
})

test('what failed and what has no answer yet stand in views of their own', () => {
  expect([viewOf(entry), viewOf({ ...entry, outcome: 'unknown' }), viewOf({ ...entry, outcome: 'ok' })]).toEqual(['failed', 'unknown', 'all'])
})
