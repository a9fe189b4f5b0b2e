import { expect, it } from 'vitest'
import { createVersionedCache } from './versioned-cache.ts'

function cache(size: number, fromSecond: boolean) {
  let version = 0
  const worked: string[] = []
  const cached = createVersionedCache<string>(() => version, size, { fromSecond })
  return {
    ask: (key: string) =>
      cached(key, () => {
        worked.push(key)
        return key.toUpperCase()
      }),
    change: () => {
      version += 1
    },
    worked,
  }
}

it('computes a value once, until the version changes or newer ones need its place', () => {
  const { ask, change, worked } = cache(2, false)
  expect([ask('a'), ask('a'), ask('b'), ask('c'), ask('a')]).toEqual(['A', 'A', 'B', 'C', 'A'])
  expect(worked).toEqual(['a', 'b', 'c', 'a'])
  change()
  ask('a')
  expect(worked).toEqual(['a', 'b', 'c', 'a', 'a'])
})

it('caches values that are requested again; values requested once evict none of them', () => {
  const { ask, change, worked } = cache(2, true)
  for (const key of ['a', 'a', 'a', ...'bcdefghij', 'a']) ask(key)
  expect(worked.filter((key) => key === 'a')).toHaveLength(2)
  expect(ask('a')).toBe('A')
  change()
  ask('a')
  ask('a')
  ask('a')
  expect(worked.filter((key) => key === 'a')).toHaveLength(4)
})

it('caches a value from its first request unless told otherwise, and keeps as many as its size', () => {
  const worked: string[] = []
  const cached = createVersionedCache<string>(() => 0, 2)
  for (const key of ['a', 'b', 'a', 'b'])
    cached(key, () => {
      worked.push(key)
      return key
    })
  expect(worked).toEqual(['a', 'b'])
})

it.each([
  [7, 2],
  [8, 3],
])(
  'remembers eight requests for each value it can cache: %i others in between',
  (others, times) => {
    const { ask, worked } = cache(1, true)
    for (const key of ['a', ...'bcdefghi'.slice(0, others), 'a', 'a']) ask(key)
    expect(worked.filter((key) => key === 'a')).toHaveLength(times)
  },
)

it('forgets earlier requests when the version changes', () => {
  const { ask, change, worked } = cache(2, true)
  ask('a')
  change()
  for (let i = 0; i < 4; i += 1) ask('a')
  expect(worked).toEqual(['a', 'a', 'a'])
})
