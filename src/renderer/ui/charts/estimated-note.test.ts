import { expect, test } from 'vitest'
import { estimatedNote } from './estimated-note.ts'

const at = (hour: number): number => new Date(2026, 10, 28, hour).getTime()
const points = [
  { at: at(8), isEstimated: true },
  { at: at(10), isEstimated: false },
  { at: at(12), isEstimated: false },
]

test('says which customer prices of a chart are calculated', () => {
  expect(estimatedNote(points, at(7))).toBe(
    'Customer prices before 28 Nov 2026, 10:00 weren’t recorded. ' +
      'They’re calculated with the present commission.',
  )
})

test('says nothing about recorded prices', () => {
  expect(estimatedNote(points, at(10))).toBeNull()
  expect(estimatedNote(points.slice(1), at(7))).toBeNull()
  expect(estimatedNote([], at(7))).toBeNull()
})

test('says that all customer prices of a chart are calculated', () => {
  expect(estimatedNote(points.slice(0, 1), at(11))).toBe(
    'These customer prices are calculated with the present commission.',
  )
})
