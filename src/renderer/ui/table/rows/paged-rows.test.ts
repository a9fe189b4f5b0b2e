import { expect, test } from 'vitest'
import { cacheWindow, newestPage, visibleWindows } from './paged-rows.ts'

test('loads exactly the windows that contain visible rows', () => {
  expect(visibleWindows(0, 0, 100)).toEqual([{ offset: 0, limit: 100 }])
  expect(visibleWindows(95, 130, 100)).toEqual([
    { offset: 0, limit: 100 },
    { offset: 100, limit: 100 },
  ])
  expect(visibleWindows(99_950, 99_999, 100)).toEqual([{ offset: 99_900, limit: 100 }])
})

test('loads the next window before the rows become visible, up to the end of the list', () => {
  const offsets = (...asked: Parameters<typeof visibleWindows>) =>
    visibleWindows(...asked).map(({ offset }) => offset)
  expect(offsets(110, 140, 100, 'down', 1000)).toEqual([100, 200])
  expect(offsets(110, 140, 100, 'up', 1000)).toEqual([0, 100])
  expect(offsets(10, 40, 100, 'up', 1000)).toEqual([0])
  expect(offsets(950, 999, 100, 'down', 1000)).toEqual([900])
  expect(offsets(950, 980, 100, 'down', 30)).toEqual([900])
})

test('drops the least recently visible windows and keeps the visible ones', () => {
  const pages = new Map<number, string>()
  for (let number = 0; number < 100; number += 1) {
    cacheWindow(pages, 0, 'first')
    cacheWindow(pages, (number + 1) * 100, 'later')
  }
  expect(pages.size).toBe(40)
  expect(pages.get(0)).toBe('first')
  expect(pages.has(100)).toBe(false)
  expect(pages.has(10_000)).toBe(true)
})

test('takes the total of a growing list from the most recently fetched page', () => {
  const old = { page: { total: 1000 }, fetchedAt: 1 }
  const recent = { page: { total: 2000 }, fetchedAt: 2 }
  expect(newestPage([old, recent], null)).toBe(recent)
  expect(newestPage([recent, old], null)).toBe(recent)
  // A window that was visible before is visible again, and no page of the new windows is loaded.
  expect(newestPage([old], recent)).toBe(recent)
  expect(newestPage([], recent)).toBe(recent)
  expect(newestPage([], null)).toBe(null)
  // A page that was changed without a fetch keeps its time.
  const changed = { page: { total: 1999 }, fetchedAt: 2 }
  expect(newestPage([changed], recent)).toBe(changed)
})
