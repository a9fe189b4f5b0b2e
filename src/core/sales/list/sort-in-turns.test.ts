import { expect, test } from 'vitest'
import { sortInTurns } from './sort-in-turns.ts'

const SIZE = 16
const items = Array.from({ length: 1000 }, (_, at) => ({ at, value: (at * 7919) % 101 }))
const byValue = (a: { value: number }, b: { value: number }): number => a.value - b.value

test.each([0, 1, SIZE, SIZE + 1, 1000])(
  'sorts %i items and keeps the order of equal ones',
  async (count) => {
    const some = items.slice(0, count)
    expect(await sortInTurns(some, byValue, SIZE)).toEqual(some.toSorted(byValue))
  },
)

test('compares few items in one turn', async () => {
  let compared = 0
  let most = 0
  let isSorting = true
  const endTurn = (): void => {
    most = Math.max(most, compared)
    compared = 0
    if (isSorting) setImmediate(endTurn)
  }
  setImmediate(endTurn)
  await sortInTurns(
    items,
    (a, b) => {
      compared += 1
      return byValue(a, b)
    },
    SIZE,
  )
  isSorting = false
  endTurn()
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThanOrEqual(SIZE * Math.log2(SIZE) * 2)
})
