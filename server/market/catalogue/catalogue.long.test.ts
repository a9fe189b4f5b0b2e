import { expect, test } from 'vitest'
import { demoCatalogue } from './catalogue.ts'
import { reserved } from './data.ts'

test('no two of 101,000 products share name, platform and region, and none uses an existing title', () => {
  const seen = new Set<string>()
  const ids = new Set<string>()
  const taken = new Set(reserved)
  const again: string[] = []
  for (const { seed } of demoCatalogue(100_000, Date.parse('2026-11-21T06:00:00.000Z'))) {
    seen.add(`${seed.name}\n${seed.platform}\n${seed.region}`)
    ids.add(seed.id)
    if (taken.has(seed.name)) again.push(seed.name)
  }
  expect(again).toEqual([])
  expect(seen.size).toBe(101_000)
  expect(ids.size).toBe(101_000)
})
