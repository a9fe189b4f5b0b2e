import { describe, expect, test } from 'vitest'
import type { PendingDelivery } from '../ports/ordering/webhooks.ts'
import { afterAttempt } from './webhook-sending.ts'

const at = 1_000_000
/** The result of the attempt after `attempts` earlier ones. */
const after = (
  attempts: number,
  status: number | null,
  durationMs = 200,
  attemptsBeforeResend = 0,
) =>
  afterAttempt(
    { attempts, attemptsBeforeResend } as PendingDelivery,
    { status, durationMs, error: null } as Parameters<typeof afterAttempt>[1],
    at,
  )

describe('a webhook delivery after an attempt (Partner API, "Events", rule 2)', () => {
  test.each([200, 201, 204, 299])('is delivered by %i', (status) => {
    expect(after(0, status)).toEqual({ status: 'delivered', nextAt: null })
    expect(after(11, status)).toEqual({ status: 'delivered', nextAt: null })
  })

  test.each([null, 100, 199, 300, 302, 400, 410, 500])('is retried after %s', (status) => {
    expect(after(0, status)).toEqual({ status: 'pending', nextAt: at + 10_000 })
  })

  test.each([
    [1, 10],
    [2, 30],
    [3, 60],
    [4, 300],
    [5, 900],
    [6, 1800],
    [7, 3600],
    [8, 7200],
    [9, 14_400],
    [10, 21_600],
    [11, 43_200],
  ])('waits after failure %i for %i seconds', (failures, seconds) => {
    expect(after(failures - 1, 500)).toEqual({ status: 'pending', nextAt: at + seconds * 1000 })
  })

  test('has all attempts ahead of it after a resend', () => {
    expect(after(12, 500, 200, 12)).toEqual({ status: 'pending', nextAt: at + 10_000 })
    expect(after(22, 500, 200, 12)).toEqual({ status: 'pending', nextAt: at + 43_200_000 })
    expect(after(23, 500, 200, 12)).toEqual({ status: 'failed', nextAt: null })
  })

  test('has failed after the twelfth failure', () => {
    expect(after(11, 500)).toEqual({ status: 'failed', nextAt: null })
    expect(after(12, null)).toEqual({ status: 'failed', nextAt: null })
  })

  test('waits from the attempt if it failed within a second, otherwise from its end', () => {
    expect(after(0, 500, 999).nextAt).toBe(at + 10_000)
    expect(after(0, 500, 1000).nextAt).toBe(at + 11_000)
    expect(after(0, null, 10_000).nextAt).toBe(at + 20_000)
  })
})
