import { expect, test } from 'vitest'
import { fittingTabs } from './fitting-tabs.ts'

const widths = [60, 80, 100, 70]

test('shows every tab if all of them fit', () => {
  expect(fittingTabs(widths, 0, 316)).toEqual([0, 1, 2, 3])
})

test('leaves out the last tabs to fit the button of the others', () => {
  expect(fittingTabs(widths, 0, 315)).toEqual([0, 1, 2])
  expect(fittingTabs(widths, 1, 311)).toEqual([0, 1])
})

test('keeps the chosen tab in the place of the last that fits', () => {
  expect(fittingTabs(widths, 3, 300)).toEqual([0, 1, 3])
  expect(fittingTabs(widths, 2, 240)).toEqual([0, 2])
})

test('shows only the chosen tab in the narrowest row', () => {
  expect(fittingTabs(widths, 2, 20)).toEqual([2])
})
