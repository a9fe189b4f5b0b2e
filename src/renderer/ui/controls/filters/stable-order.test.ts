import { expect, test } from 'vitest'
import { stableOrder } from './stable-order.ts'

const choices = (counts: Record<string, number>) =>
  Object.entries(counts).map(([value, count]) => ({ value, count }))

test('keeps the order of choices while counts change, with missing ones at zero and new ones last', () => {
  const before = choices({ Steam: 90, Xbox: 40, Nintendo: 7 })
  expect(stableOrder(before, choices({ Origin: 60, Xbox: 50, Steam: 2 }))).toEqual(
    choices({ Steam: 2, Xbox: 50, Nintendo: 0, Origin: 60 }),
  )
})

test('returns the current order when there is no earlier one', () => {
  const now = choices({ Xbox: 50, Steam: 2 })
  expect(stableOrder([], now)).toEqual(now)
})
