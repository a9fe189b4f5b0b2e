import { expect, test } from 'vitest'
import { noneMissing } from './none-missing.ts'

const counts = { waiting: 0, open: 0, placed: 3, refused: 0, left: 0 }

test('calls the lines placed only once every order has its result', () => {
  expect(noneMissing(counts)).toBe('Every line was placed.')
  expect(noneMissing({ ...counts, waiting: 1 })).toBe(
    'No line was rejected so far. 1 order has no result yet.',
  )
  expect(noneMissing({ ...counts, waiting: 1, open: 1 })).toBe(
    'No line was rejected so far. 2 orders have no result yet.',
  )
})
