import { expect, test } from 'vitest'
import benchWatch from './watch.ts'

test('a watch over many offers proposes sooner and sends fewer requests than looking up every offer', async () => {
  const figures = await benchWatch({ log: () => {}, offers: 200, hours: 1 })
  expect(figures.lost).toBeGreaterThan(5)
  expect(figures.proposed).toBe(figures.lost)
  expect(figures.requests).toBeLessThan(figures.naiveRequests / 4)
}, 120_000)
