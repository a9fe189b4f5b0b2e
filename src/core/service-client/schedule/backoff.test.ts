import fc from 'fast-check'
import { expect, test } from 'vitest'
import { systemRandomness } from '../../randomness.ts'
import { backoff } from './backoff.ts'

test('waits up to 30 seconds, varies each wait, and never waits less than asked', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      fc.option(fc.nat(120_000)),
      (failures, fraction, asked) => {
        const wait = backoff(failures, { ...systemRandomness, fraction: () => fraction }, asked)
        const full = Math.min(30_000, 500 * 2 ** (failures - 1))
        expect(wait).toBeGreaterThanOrEqual(Math.max(asked ?? 0, full / 2 - 1))
        expect(wait).toBeLessThanOrEqual(Math.max(asked ?? 0, full))
      },
    ),
  )
})
