/**
 * How long other requests wait while the dashboard sends a large one: a probe requests the
 * service's health all the time.
 */
import path from 'node:path'
import { fillLedger } from '../start/fill-ledger.ts'
import { openConnection } from './connection.ts'
import { startService, wire } from './service.ts'

export type BlockSizes = { readonly products: number; readonly ledgerEntries: number }
type Block = { readonly tookMs: number; readonly longestWaitMs: number }

const DAY = 86_400_000

/** Measures each large request; `folder` is for its files. */
export async function benchBlocks(
  folder: string,
  { products, ledgerEntries }: BlockSizes,
  log: (text: string) => void,
): Promise<Record<string, Block>> {
  const data = path.join(folder, 'blocks')
  await (await startService(data, '--products', String(products))).running.stop()
  fillLedger(data, ledgerEntries)
  const service = await startService(data)
  const { dashboard, port } = service
  const figures: Record<string, Block> = {}

  async function watch(name: string, work: () => Promise<unknown>): Promise<void> {
    const line = openConnection(port)
    const health = wire('GET', '/healthz', 'none')
    await line.ask(health)
    let longest = 0
    let over = false
    const probe = (async () => {
      while (!over) {
        const asked = performance.now()
        await line.ask(health)
        longest = Math.max(longest, performance.now() - asked)
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
    })()
    const began = performance.now()
    await work()
    const tookMs = Math.round(performance.now() - began)
    over = true
    await probe
    line.close()
    figures[name] = { tookMs, longestWaitMs: Math.round(longest) }
    log(
      `${name}: ${tookMs.toLocaleString('en')} ms, another request waited ` +
        `${Math.round(longest).toLocaleString('en')} ms at most`,
    )
  }

  await watch('nothing', () => new Promise((resolve) => setTimeout(resolve, 500)))
  await watch(`GET /ledger/verify, ${ledgerEntries.toLocaleString('en')} entries`, () =>
    dashboard.verifyLedger({}),
  )
  await watch(`POST /clock/advance by 30 days, ${products.toLocaleString('en')} products`, () =>
    dashboard.advanceClock({ body: { ms: 30 * DAY } }),
  )
  await watch(`POST /snapshots, ${products.toLocaleString('en')} products`, () =>
    dashboard.createSnapshot({ body: { name: 'bench' } }),
  )
  await watch(`POST /snapshots/{name}/restore, ${products.toLocaleString('en')} products`, () =>
    dashboard.restoreSnapshot({ params: { name: 'bench' } }),
  )
  await watch(`POST /reset, ${products.toLocaleString('en')} products`, () =>
    dashboard.reset({ body: { products } }),
  )
  await service.running.stop()
  return figures
}
