import { expect, test } from 'vitest'
import { roundTop } from './trend.tsx'

test.each([
  [0, 3],
  [1, 1.5],
  [3, 3],
  [3.1, 6],
  [420_000, 600_000],
  [600_000, 600_000],
  [600_001, 750_000],
  [0.8, 1.5],
])('the axis for %d ends at %d', (most, top) => {
  expect(roundTop(most)).toBeCloseTo(top, 10)
})
