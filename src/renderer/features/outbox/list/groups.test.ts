import { expect, test } from 'vitest'
import { groupsOf } from './groups.ts'

const lines = (verdicts: Parameters<typeof groupsOf>[0]): string[] => {
  const groups = groupsOf(verdicts)
  return Array.from({ length: groups.total }, (_, index) => {
    const place = groups.at(index)
    return place === null
      ? 'none'
      : 'head' in place
        ? `${place.head.title} ${place.head.detail}`
        : String(place.row)
  })
}

test('puts a heading before each group, and keeps the entries in list order', () => {
  expect(lines({ decide: 1, gone: 1, uncompared: 0, ready: 2, already: 1 })).toEqual([
    'Needs your decision 2',
    '0',
    '1',
    'Ready to send 2, unchanged on the service since you edited them',
    '2',
    '3',
    'Nothing to send 1, already as you wanted',
    '4',
  ])
})

test('omits the heading of an empty group, and returns no rows for an empty outbox', () => {
  expect(lines({ decide: 0, gone: 0, uncompared: 1, ready: 0, already: 0 })).toEqual([
    'Not compared yet 1',
    '0',
  ])
  expect(lines({ decide: 0, gone: 0, uncompared: 0, ready: 0, already: 0 })).toEqual([])
  expect(groupsOf({ decide: 0, gone: 0, uncompared: 1, ready: 0, already: 0 }).at(2)).toBeNull()
})
