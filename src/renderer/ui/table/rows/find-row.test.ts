import { expect, it } from 'vitest'
import { findRow } from './find-row.ts'

const find = (rows: readonly (string | undefined)[], key: string, near: number): number =>
  findRow(near, rows.length, (index) => rows[index] === key)

it('finds a row that new rows above it moved down', () => {
  expect(find(['new', 'a', 'b', 'c'], 'a', 0)).toBe(1)
  expect(find(['new', 'newer', 'a', 'b'], 'b', 1)).toBe(3)
})

it('finds a row that moved up, also past the end of a shorter list', () => {
  expect(find(['b', 'c'], 'b', 1)).toBe(0)
  expect(find(['a', 'b'], 'a', 9)).toBe(0)
})

it('finds a row at its place', () => {
  expect(find(['a', 'b', 'c'], 'b', 1)).toBe(1)
})

it('finds no row that isn’t loaded or was never clicked', () => {
  expect(find(['a', undefined, 'c'], 'b', 1)).toBe(-1)
  expect(find(['a', 'b'], '', -1)).toBe(-1)
  expect(find([], 'a', 0)).toBe(-1)
})
