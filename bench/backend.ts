import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { benchBlocks, type BlockSizes } from './backend/blocks.ts'
import { benchOrders, type OrderSizes } from './backend/orders.ts'
import { benchReads, type ReadSizes } from './backend/reads.ts'

const usual: { reads: ReadSizes; orders: OrderSizes; blocks: BlockSizes } = {
  // 400 pages of 50: more than the 256 that the service caches as text.
  reads: { products: 20_000, ms: 5000, keysPerConnection: 100, peers: true },
  orders: { orders: 6000, products: 20, partners: 16, atRate: { perSecond: 300, orders: 6000 } },
  blocks: { products: 20_000, ledgerEntries: 200_000 },
}

/**
 * The backend from outside: reads compared with plain node:http, Prism and json-server; durable
 * orders compared with the same transactions in SQLite alone; and how long other requests wait
 * during a large one. Every server and every load generator is a separate process.
 */
export default async function benchBackend({
  log,
  sizes = usual,
}: {
  log: (text: string) => void
  sizes?: Partial<typeof usual>
}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'keydesk-bench-'))
  const { reads, orders, blocks } = sizes
  try {
    return {
      ...(reads && { reads: await benchReads(folder, reads, log) }),
      ...(orders && { orders: await benchOrders(folder, orders, log) }),
      ...(blocks && { blocks: await benchBlocks(folder, blocks, log) }),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
