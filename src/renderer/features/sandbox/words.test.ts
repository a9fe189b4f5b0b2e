import { expect, test } from 'vitest'
import { dueWords, faultWords, statusTone, withUtc } from './words.ts'

test('describes a fault by its matching requests, effect and remaining times', () => {
  expect(
    faultWords({
      match: { method: 'POST', path: '/v1/orders' },
      status: 503,
      code: 'SERVICE_UNAVAILABLE',
      times: 3,
      hits: 3,
    }),
  ).toEqual({
    subject: 'POST /v1/orders',
    does: 'returns 503 SERVICE_UNAVAILABLE',
    times: '3 times',
    hits: 3,
    isUsedUp: true,
  })
  expect(
    faultWords({ match: { path: '/v1/products*' }, latencyMs: 1200, probability: 0.1 }),
  ).toEqual({
    subject: '/v1/products*',
    does: 'is delayed by 1,200 ms',
    times: '10 %',
    hits: 0,
    isUsedUp: false,
  })
  expect(faultWords({ match: {}, latencyMs: 50, dropConnection: true, times: 1 })).toEqual({
    subject: 'any path',
    does: 'is delayed by 50 ms, then drops the connection',
    times: 'once',
    hits: 0,
    isUsedUp: false,
  })
  expect(faultWords({ match: {}, afterCommit: true, status: 503, times: 1 })).toMatchObject({
    does: 'is carried out, then returns 503',
  })
  expect(faultWords({ deliver: { failUnits: 2 }, hits: 1 })).toEqual({
    subject: '',
    does: 'Delivery fails, any product',
    times: '2 units',
    hits: 1,
    isUsedUp: false,
  })
  expect(faultWords({ match: { method: 'GET' } })).toMatchObject({
    does: 'has no effect',
    times: 'always',
  })
  expect(faultWords({ supplierDown: true })).toBeNull()
})

test('describes each due event in one line', () => {
  expect(dueWords({ kind: 'webhook', what: 'order.completed', count: 4 })).toBe(
    'Webhook attempt 4, order.completed',
  )
  expect([1, 6].map((count) => dueWords({ kind: 'release', what: '', count }))).toEqual([
    'Payout of 1 sale',
    'Payout of 6 sales',
  ])
})

test('a cut connection and a server error are red, a rejection amber', () => {
  expect([0, 204, 404, 503].map(statusTone)).toEqual(['bad', 'ok', 'warn', 'bad'])
})

test('writes the instants of a sentence as the console does, and nothing else', () => {
  expect(withUtc('time 2026-11-26T16:49:08.668Z instead of 2026-11-26T15:49:06Z, at 5.50')).toBe(
    'time 2026-11-26 16:49:08 UTC instead of 2026-11-26 15:49:06 UTC, at 5.50',
  )
  expect(withUtc('name “2026-11-26” instead of nothing')).toBe(
    'name “2026-11-26” instead of nothing',
  )
})
