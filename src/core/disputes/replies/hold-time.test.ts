import { expect, test } from 'vitest'
import { REPLY_HOLD_MS } from '../../../contract/disputes/disputes.ts'
import { monotonicAt } from '../../clock.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import { dueNow, holdFromNow, msUntilSent } from './hold-time.ts'

test.each([-8 * 3_600_000, 8 * 3_600_000, -365 * 86_400_000])(
  'holds a reply for the same time when this computer’s clock is set by %i ms',
  (jump) => {
    const clock = manualClock()
    const dueAt = holdFromNow(clock)
    clock.advance(4000)
    clock.setBy(jump)
    expect(msUntilSent(clock, dueAt)).toBe(REPLY_HOLD_MS - 4000)
    clock.advance(6000)
    expect(msUntilSent(clock, dueAt)).toBe(0)
    expect(msUntilSent(clock, dueNow(clock))).toBe(0)
  },
)

test('leaves no more than the full time for a reading of an earlier run', () => {
  const clock = manualClock()
  expect(msUntilSent(clock, monotonicAt(clock.monotonic() + 86_400_000))).toBe(REPLY_HOLD_MS)
})
