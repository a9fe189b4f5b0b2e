import { expect, test } from 'vitest'
import { nextRow, skipGroupHeaders, tableAction } from './table-keys.ts'

const press = (
  key: string,
  more: { ctrlKey?: boolean; altKey?: boolean; shiftKey?: boolean; repeat?: boolean } = {},
) =>
  tableAction({
    key,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    repeat: false,
    ...more,
  })

test('moves with j, k and arrows and stops at the ends', () => {
  const down = press('j')
  const up = press('ArrowUp')
  if (down === null || up === null) throw new Error('no action')
  expect(nextRow(down, -1, 10, 5)).toBe(0)
  expect(nextRow(down, 0, 10, 5)).toBe(1)
  expect(nextRow(down, 9, 10, 5)).toBe(9)
  expect(nextRow(up, 0, 10, 5)).toBe(0)
  expect(nextRow(down, 0, 0, 5)).toBe(0)
})

test('resumes where the active row left the list', () => {
  const down = press('j')
  const up = press('k')
  if (down === null || up === null) throw new Error('no action')
  expect(nextRow(down, -1, 10, 5, 4)).toBe(4)
  expect(nextRow(up, -1, 10, 5, 4)).toBe(3)
  expect(nextRow(up, -1, 10, 5, 0)).toBe(0)
  expect(nextRow(down, -1, 3, 5, 4)).toBe(2)
})

test('keeps moving while a key is held, and opens or selects a row once', () => {
  expect(press('j', { repeat: true })?.kind).toBe('move')
  for (const key of ['Enter', 'x', 'X']) {
    expect(press(key)).not.toBeNull()
    expect(press(key, { repeat: true })).toBeNull()
  }
})

test('skips group headers in the direction of the move, and backwards at the ends', () => {
  const heads = new Set([0, 3, 4, 9])
  const land = (index: number, from: number): number =>
    skipGroupHeaders(index, from, 10, (at) => heads.has(at))
  expect(land(2, 1)).toBe(2)
  expect(land(3, 2)).toBe(5)
  expect(land(4, 5)).toBe(2)
  expect(land(0, 1)).toBe(1)
  expect(land(9, 8)).toBe(8)
  expect(land(0, -1)).toBe(1)
  expect(skipGroupHeaders(0, -1, 1, () => true)).toBe(-1)
})

test('moves a page by the visible rows minus one', () => {
  const page = press('PageDown')
  if (page === null) throw new Error('no action')
  expect(nextRow(page, 3, 100, 20)).toBe(22)
  expect(nextRow(page, 95, 100, 20)).toBe(99)
})

test('starts an edit with the typed digit and leaves other letters to the page', () => {
  expect(press('7')).toEqual({ kind: 'edit', typed: '7' })
  expect(press('n')).toBeNull()
  expect(press('c', { ctrlKey: true })).toBeNull()
  expect(press('x', { shiftKey: true })).toEqual({ kind: 'check', range: true })
})
