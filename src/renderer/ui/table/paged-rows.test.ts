import { expect, test } from 'vitest'
import { keep, windowsOf } from './paged-rows.ts'

test('the windows in view cover every visible row, and no other window', () => {
  expect(windowsOf(0, 0, 100)).toEqual([{ offset: 0, limit: 100 }])
  expect(windowsOf(95, 130, 100)).toEqual([{ offset: 0, limit: 100 }, { offset: 100, limit: 100 }])
  expect(windowsOf(99_950, 99_999, 100)).toEqual([{ offset: 99_900, limit: 100 }])
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
