import { expect, test } from 'vitest'
import { seededRandom } from '../../random.ts'
import { reserved, series } from '../data.ts'
import { brandSource, titleSource, onlineGameSource } from './titles.ts'

test('200,000 titles are all different, and none exists already', () => {
  const next = titleSource(seededRandom('titles'))
  const titles = new Set(Array.from({ length: 200_000 }, next))
  expect(titles.size).toBe(200_000)
  for (const name of [...reserved, ...series.map(({ title }) => title)])
    expect(titles.has(name)).toBe(false)
})

test('a source of brands gives each name once and then returns undefined', () => {
  const next = brandSource(seededRandom('brands'), ['', ' Store'])
  const names = new Set<string>()
  for (let name = next(); name !== undefined; name = next()) {
    expect(names.has(name)).toBe(false)
    names.add(name)
  }
  expect(names.size).toBeGreaterThan(3000)
  expect(next()).toBeUndefined()
})

test('online games start with the known ones', () => {
  expect(onlineGameSource(seededRandom('worlds'))()).toBe('Farspire Online')
})
