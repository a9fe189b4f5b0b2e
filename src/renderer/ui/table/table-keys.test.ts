import { expect, test } from 'vitest'
import { nextRow, pastHeads, tableAction } from './table-keys.ts'

const press = (
  key: string,
  more: { ctrlKey?: boolean; altKey?: boolean; shiftKey?: boolean } = {},
) => tableAction({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more })

test('j, k and the arrows move, and stop at the ends', () => {
  const down = press('j')
  const up = press('ArrowUp')
  if (down === null || up === null) throw new Error('no action')
  expect(nextRow(down, -1, 10, 5)).toBe(0)
  expect(nextRow(down, 0, 10, 5)).toBe(1)
  expect(nextRow(down, 9, 10, 5)).toBe(9)
  expect(nextRow(up, 0, 10, 5)).toBe(0)
  expect(nextRow(down, 0, 0, 5)).toBe(0)
})

test('heads of groups are passed over in the direction of the move, and back at the ends', () => {
  const heads = new Set([0, 3, 4, 9])
  const land = (index: number, from: number): number =>
    pastHeads(index, from, 10, (at) => heads.has(at))
  expect(land(2, 1)).toBe(2)
  expect(land(3, 2)).toBe(5)
  expect(land(4, 5)).toBe(2)
  expect(land(0, 1)).toBe(1)
  expect(land(9, 8)).toBe(8)
  expect(land(0, -1)).toBe(1)
  expect(pastHeads(0, -1, 1, () => true)).toBe(-1)
})

test('a page is what is seen, less one line', () => {
  const page = press('PageDown')
  if (page === null) throw new Error('no action')
  expect(nextRow(page, 3, 100, 20)).toBe(22)
  expect(nextRow(page, 95, 100, 20)).toBe(99)
})

test('a digit starts an edit with what was typed, other letters belong to the page', () => {
  expect(press('7')).toEqual({ kind: 'edit', typed: '7' })
  expect(press('n')).toBeNull()
  expect(press('c', { ctrlKey: true })).toBeNull()
  expect(press('x', { shiftKey: true })).toEqual({ kind: 'check', range: true })
})
