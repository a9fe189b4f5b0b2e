import { expect, test } from 'vitest'
import { windowsOf } from './paged-rows.ts'

test('the windows in view cover every visible row, and no other window', () => {
  expect(windowsOf(0, 0, 100)).toEqual([{ offset: 0, limit: 100 }])
  expect(windowsOf(95, 130, 100)).toEqual([{ offset: 0, limit: 100 }, { offset: 100, limit: 100 }])
  expect(windowsOf(99_950, 99_999, 100)).toEqual([{ offset: 99_900, limit: 100 }])
})
