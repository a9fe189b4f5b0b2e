import { describe, expect, it } from 'vitest'
import { deliverableFrom, deliveryDeadline } from './release-date.ts'

describe('a release date', () => {
  const day = Date.parse('2026-05-05')
  it('delays delivery until 00:00 UTC of that day, with a deadline 24 hours later', () => {
    expect(deliverableFrom('2026-05-05', day - 1)).toBe(day)
    expect(deliverableFrom('2026-05-05', day)).toBe(day)
    expect(deliverableFrom('2026-05-04', day)).toBe(day)
    expect(deliverableFrom(null, day)).toBe(day)
    expect(deliveryDeadline(day, day - 1)).toBe(day + 86_400_000)
    expect(deliveryDeadline(day, day)).toBe(day)
  })
})
