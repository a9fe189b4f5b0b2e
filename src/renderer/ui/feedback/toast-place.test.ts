import { expect, it } from 'vitest'
import { floorFor, placeFor } from './toast-place.ts'

const toasts = { left: 220, right: 606, top: 780, bottom: 870 }
const row = (top: number, left = 220, right = 1430) => ({ left, right, top, bottom: top + 36 })

it.each([
  ['nothing is active', null, 'bottom'],
  ['the active row is far above', row(300), 'bottom'],
  ['the active row is 8 pixels above', row(780 - 36 - 8), 'bottom'],
  ['the active row is closer than 8 pixels', row(780 - 36 - 7), 'top'],
  ['the active row lies under them', row(800), 'top'],
  ['the active field is beside them', row(800, 614, 900), 'bottom'],
  ['the active field is closer than 8 pixels beside them', row(800, 613, 900), 'top'],
] as const)('toasts are kept clear when %s', (_when, active, place) => {
  expect(placeFor(toasts, active)).toBe(place)
})

it('toasts stay above a footer or floating bar that they would cover, and ignore others', () => {
  const page = { top: 54, bottom: 870 }
  const bar = { left: 600, right: 1000, top: 810, bottom: 850 }
  const footer = { left: 200, right: 1440, top: 813, bottom: 870 }
  expect(floorFor(toasts, page, [bar])).toBe(810)
  expect(floorFor(toasts, page, [footer])).toBe(813)
  expect(floorFor(toasts, page, [{ ...bar, left: 614 }])).toBe(870)
  expect(floorFor(toasts, page, [{ ...footer, top: 300, bottom: 340 }])).toBe(870)
  expect(floorFor(toasts, page, [])).toBe(870)
})
