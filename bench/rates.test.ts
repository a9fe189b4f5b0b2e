import { expect, test } from 'vitest'
import benchRates from './rates.ts'

test('the benchmark of the rates sends no request that the service rejects', async () => {
  const { sent, persons, refused } = await benchRates({ log: () => {}, seconds: 1, fillMs: 100 })
  expect(sent).toBeGreaterThan(0)
  expect([persons, refused]).toEqual([1, 0])
}, 60_000)
