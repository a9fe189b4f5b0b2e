import { expect, test } from 'vitest'
import benchGrowth from './growth.ts'
import { drawCurves, fittedExponent } from './growth/curves.ts'
import { operations } from './growth/operations.ts'

test.each([0, 0.5, 1, 2])('finds the exponent %d of a cost', (exponent) => {
  const points = [10_000, 100_000, 1_000_000].map((records) => ({
    records,
    cpuMs: 3 * records ** exponent,
  }))
  expect(fittedExponent(points)).toBe(exponent)
})

test('draws a curve for each operation', () => {
  const points = [1000, 10_000].map((records) => ({ records, cpuMs: records / 7 }))
  const svg = drawCurves([
    { name: 'a', points },
    { name: 'b', points },
  ])
  expect(svg.match(/<circle/g)).toHaveLength(4)
  expect(svg).toContain('a (1)')
})

test('the benchmark of growth measures every operation', async () => {
  const { figures } = await benchGrowth({ log: () => {}, sizes: [300], picture: null })
  expect(Object.keys(figures)).toEqual(Object.keys(operations))
  for (const { points } of Object.values(figures)) expect(points).toHaveLength(1)
}, 120_000)
