import { expect, test } from 'vitest'
import benchBackend from './backend.ts'

const log = (): void => {}

test('the benchmark of the backend measures reads, orders until delivery, and large requests', async () => {
  const { reads, orders, blocks } = await benchBackend({
    log,
    sizes: {
      // Enough keys that even a fast machine stays below each key's rate.
      reads: { products: 120, ms: 100, keysPerConnection: 64, peers: false },
      orders: { orders: 20, products: 2, partners: 2, atRate: { perSecond: 200, orders: 10 } },
      blocks: { products: 40, ledgerEntries: 300 },
    },
  })
  expect(Object.keys(reads ?? {})).toHaveLength(9)
  for (const { bytes } of Object.values(reads ?? {})) expect(bytes).toBeGreaterThan(0)
  expect(orders).toMatchObject({
    bareAlone: { perSecond: expect.any(Number) },
    connections16: { ofBareAlone: expect.any(Number) },
    offered200: { p99Ms: expect.any(Number) },
  })
  expect(Object.values(blocks ?? {}).every(({ tookMs }) => tookMs >= 0)).toBe(true)
}, 180_000)
