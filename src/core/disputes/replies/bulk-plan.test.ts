import { expect, it } from 'vitest'
import { toCents } from '../../../../server/api/money.ts'
import type { DisputeRow } from '../../../contract/disputes/dispute-records.ts'
import { assertTyped, isRetryable, retryOf, totalsOf } from './bulk-plan.ts'

const refunds = [{ refundCents: toCents(34.54) }, { refundCents: toCents(5.5) }]
const others = [{ refundCents: null }, { refundCents: null }]

it('asks in LIVE for the total of the refunds or the number of keys, and for nothing else', () => {
  expect(totalsOf(refunds, 'refund', true)).toMatchObject({ typed: 'refund 40.04', keys: 0 })
  expect(totalsOf(others, 'replace-stock', true)).toMatchObject({ typed: 'send 2', keys: 2 })
  expect(totalsOf(others, null, true).typed).toBeNull()
  expect(totalsOf(refunds, 'refund', false).typed).toBeNull()
})

it('asks again in LIVE before lines are repeated, for them alone', () => {
  const line = {
    replyId: 'reply',
    refundCents: toCents(5.5),
    seen: { status: 'open', messages: 2 },
  } as const
  const retry = retryOf([line], 'refund', true)
  expect(retry).toMatchObject({ count: 1, refundCents: 550, keys: 0, typed: 'refund 5.50' })
  expect(retryOf([line], 'replace-stock', true)).toMatchObject({ count: 1, typed: 'send 1' })
  expect(retryOf([line], 'refund', false).typed).toBeNull()
  const others = [
    retryOf([line], 'close', true),
    retryOf([{ ...line, replyId: 'another' }], 'refund', true),
    retryOf([{ ...line, refundCents: toCents(5.51) }], 'refund', true),
    retryOf([{ ...line, seen: { ...line.seen, messages: 3 } }], 'refund', true),
  ]
  for (const { planId } of others) expect(planId).not.toBe(retry.planId)
})

it('accepts only the words it asks for', () => {
  expect(() => assertTyped('refund 5.50', undefined)).toThrow('doesn’t match')
  expect(() => assertTyped('refund 5.50', 'refund 34.54')).toThrow('doesn’t match')
  expect(() => assertTyped('refund 5.50', ' refund 5.50 ')).not.toThrow()
  expect(() => assertTyped(null, undefined)).not.toThrow()
})

it('leaves out of a retry each line that was settled otherwise, and refunds of no known amount', () => {
  const open = {
    status: 'open',
    waits: false,
    pendingReply: 'failed',
    pendingAnswer: null,
    pendingAction: 'refused',
  } as DisputeRow
  const failed = { state: 'failed', dismissed: false, outcome: 'refund' } as const
  const cents = toCents(5.5)
  expect(isRetryable(failed, open, cents)).toBe(true)
  expect(isRetryable({ ...failed, outcome: 'close' }, open, null)).toBe(true)
  expect(isRetryable({ ...failed, state: 'done' }, open, cents)).toBe(false)
  expect(isRetryable({ ...failed, dismissed: true }, open, cents)).toBe(false)
  expect(isRetryable(failed, open, null)).toBe(false)
  const settled: Partial<DisputeRow>[] = [
    { status: 'resolved' },
    { waits: true },
    { pendingReply: 'held' },
    { pendingAnswer: 'unknown' },
    { pendingAction: 'sending' },
  ]
  for (const each of settled) expect(isRetryable(failed, { ...open, ...each }, cents)).toBe(false)
})
