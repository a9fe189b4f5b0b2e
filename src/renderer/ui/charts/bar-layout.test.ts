import { expect, test } from 'vitest'
import { barAt, namedBars, outlineOf, placeOf } from './bar-layout.ts'

test('separates bars by a part of their width, and narrow ones by a pixel', () => {
  expect(placeOf(2, 50)).toEqual({ left: 109, width: 32 })
  expect(placeOf(3, 3)).toEqual({ left: 9, width: 2 })
  expect(placeOf(0, 1.2)).toEqual({ left: 0, width: 0.5 })
})

test.each([
  [0, 0],
  [99.9, 0],
  [100, 1],
  [699, 6],
  [700, null],
  [-1, null],
])('finds the bar at %f pixels', (x, at) => {
  expect(barAt(x, 700, 7)).toBe(at)
})

test('names the last bar, and others at a distance that leaves a gap between names', () => {
  expect(namedBars(7, 100, 40, 60)).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(namedBars(7, 99, 40, 60)).toEqual([0, 2, 4, 6])
  expect(namedBars(30, 10, 40, 60)).toEqual([9, 19, 29])
})

test('names no bar whose name would begin left of the chart', () => {
  expect(namedBars(2, 30, 40, 0)).toEqual([1])
})

test('draws a part of all bars as one outline on top of the parts below', () => {
  expect(outlineOf([0, 10, 5], [20, 0, 30], 50, 100)).toBe('M9 80h32v20H9zM109 65h32v30H109z')
})
