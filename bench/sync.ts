import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient } from '../server/api/client.ts'
import type { AnswerBody } from '../server/api/handlers.ts'
import { fetchTransport } from '../server/testing/fetch-transport.ts'
import { countProducts } from '../src/core/catalogue/facets.ts'
import { syncPartnerCatalogue } from '../src/core/catalogue/partner-sync.ts'
import { catalogueSchema } from '../src/core/catalogue/schema.ts'
import type { ServiceLine } from '../src/core/context.ts'
import { systemClock } from '../src/core/clock.ts'
import { openDatabase } from '../src/core/mirror/open-database.ts'
import { systemRandomness } from '../src/core/randomness.ts'
import { createServiceClient } from '../src/core/service-client/service-client.ts'
import { startService } from './backend/service.ts'
import { msSince } from './support/mirror.ts'

type Measured = { products: number; perSecond: number; perCpuSecond: number }

/**
 * A first full listing over loopback from the real service without rates, into an indexed mirror, beside the same pages only fetched and parsed.
 * `perCpuSecond` is of this process alone: the service works in another.
 */
export default async function benchSync({ log, products = 100_000 }: { log: (text: string) => void; products?: number }): Promise<{ figures: Record<string, Measured> }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'keydesk-bench-'))
  const figures: Record<string, Measured> = {}
  const service = await startService(path.join(folder, 'service'), '--no-limits', '--products', String(products))
  const key = service.ready.demo?.partnerLiveKey ?? ''
  const { baseUrl } = service.ready

  async function measure(name: string, read: () => Promise<number>): Promise<void> {
    const [wall, cpu] = [performance.now(), process.cpuUsage()]
    const count = await read()
    const [ms, cpuMs] = [performance.now() - wall, msSince(cpu)]
    figures[name] = { products: count, perSecond: Math.round(count / (ms / 1000)), perCpuSecond: Math.round(count / (cpuMs / 1000)) }
    log(`${name}: ${count.toLocaleString('en')} products, ${figures[name].perSecond.toLocaleString('en')} a second, ${figures[name].perCpuSecond.toLocaleString('en')} per second of this process's processor`)
  }
  try {
    await measure('fetched and parsed', async () => {
      const client = createClient<AbortSignal>({ baseUrl, key, send: fetchTransport })
      let count = 0
      for (let cursor: string | null = null; ;) {
        const { body }: { body: AnswerBody<'listProducts'> } = await client.listProducts({ query: { limit: 100, includeRemoved: true, ...(cursor === null ? {} : { cursor }) } })
        count += body.results.length
        if (!body.hasMore || body.nextCursor === null) return count
        cursor = body.nextCursor
      }
    })
    const db = openDatabase(path.join(folder, 'mirror.db'), [catalogueSchema])
    const line = consoleLine(baseUrl, key)
    db.pragma('synchronous = NORMAL')
    await measure('mirrored', async () => {
      await syncPartnerCatalogue({ db, line, now: () => systemClock.now(), signal: new AbortController().signal, page: () => {} })
      return countProducts(db)
    })
    db.close()
    return { figures }
  } finally {
    await service.running.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The console's own line to the service, without rates. */
function consoleLine(baseUrl: string, key: string): ServiceLine {
  const client = createServiceClient({ clock: systemClock, random: systemRandomness, activity: { add: () => {} }, rates: null })
  return client.line({
    accountId: 'bench', baseUrl: () => baseUrl, credentials: () => ({ key, baseUrl }), takesIdempotencyKeys: () => true, refusal: () => null,
    refused: () => {}, accepted: () => {}, changed: () => {}, probe: async (line) => void await line.call('ping', {}),
  })
}
