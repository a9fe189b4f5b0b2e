import { expect, test } from 'vitest'
import benchStart from './start.ts'

test('the benchmark of the start reaches each ready line', async () => {
  const { figures } = await benchStart({
    log: () => {},
    sizes: [20],
    ledgerEntries: 300,
    rounds: 1,
    build: false,
  })
  expect(Object.keys(figures)).toHaveLength(7)
  for (const { medianMs } of Object.values(figures)) expect(medianMs).toBeGreaterThan(0)
}, 180_000)
