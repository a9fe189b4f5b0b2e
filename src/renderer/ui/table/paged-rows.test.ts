import { expect, test } from 'vitest'
import { keep, windowsOf } from './paged-rows.ts'

test('the windows in view cover every visible row, and no other window', () => {
  expect(windowsOf(0, 0, 100)).toEqual([{ offset: 0, limit: 100 }])
  expect(windowsOf(95, 130, 100)).toEqual([
    { offset: 0, limit: 100 },
    { offset: 100, limit: 100 },
  ])
  expect(windowsOf(99_950, 99_999, 100)).toEqual([{ offset: 99_900, limit: 100 }])
})

test('the window that comes next as the list is scrolled is read before it is seen, as far as the list goes', () => {
  const offsets = (...asked: Parameters<typeof windowsOf>) =>
    windowsOf(...asked).map(({ offset }) => offset)
  expect(offsets(110, 140, 100, 'down', 1000)).toEqual([100, 200])
  expect(offsets(110, 140, 100, 'up', 1000)).toEqual([0, 100])
  expect(offsets(10, 40, 100, 'up', 1000)).toEqual([0])
  expect(offsets(950, 999, 100, 'down', 1000)).toEqual([900])
  expect(offsets(950, 980, 100, 'down', 30)).toEqual([900])
})

test('windows seen long ago leave, those in view stay', () => {
  const pages = new Map<number, string>()
  for (let number = 0; number < 100; number += 1) {
    keep(pages, 0, 'first')
    keep(pages, (number + 1) * 100, 'later')
  }
  expect(pages.size).toBe(40)
  expect(pages.get(0)).toBe('first')
  expect(pages.has(100)).toBe(false)
  expect(pages.has(10_000)).toBe(true)
})
