import { expect, test } from 'vitest'
import benchTable from './table.ts'

test('the benchmark of the table opens the offers and scrolls them', async () => {
  const { opensMs, frames } = await benchTable({ log: () => {}, offers: 300, scrollMs: 200 })
  expect(opensMs).toHaveLength(5)
  expect(Object.keys(frames)).toHaveLength(4)
  for (const { frames: painted } of Object.values(frames)) expect(painted).toBeGreaterThan(0)
}, 120_000)
