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
