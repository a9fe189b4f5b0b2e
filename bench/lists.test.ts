import { expect, test } from 'vitest'
import benchActivity from './activity.ts'
import benchDisputes from './disputes.ts'
import benchSales from './sales.ts'

const log = (): void => {}

test('the benchmarks of long lists run on the tables of the product', async () => {
  const sales = await benchSales({ log, sales: 300, runs: 2 })
  expect(sales.figures.open.p50).toBeGreaterThanOrEqual(0)
  const activity = await benchActivity({ log, entries: 300, runs: 2 })
  expect(activity.figures.open.p50).toBeGreaterThanOrEqual(0)
  const disputes = await benchDisputes({ log, disputes: 60, messages: 2, runs: 2 })
  expect(disputes.disputes).toBe(60)
}, 60_000)
