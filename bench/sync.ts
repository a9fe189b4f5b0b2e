import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient } from '../server/api/client/client.ts'
import type { ResponseBody } from '../server/api/handlers.ts'
import { fetchTransport } from '../server/fetch-transport.ts'
import { syncPartnerCatalogue } from '../src/core/catalogue/sync/partner-sync.ts'
import { catalogueSchema } from '../src/core/catalogue/schema.ts'
import type { ServiceConnection } from '../src/core/context.ts'
import { systemClock } from '../src/core/clock.ts'
import { createWorkerPool } from '../src/core/catalogue/workers/worker-pool.ts'
import { openDatabase } from '../src/core/mirror/database/open-database.ts'
import { systemRandomness } from '../src/core/randomness.ts'
import { workerSource } from '../src/core/testing/workers.ts'
import { createServiceClient } from '../src/core/service-client/service-client.ts'
import { startService } from './backend/service.ts'
import { msSince } from './support/mirror.ts'

type Measured = {
  products: number
  perSecond: number
  perCpuSecond: number
  /** Microseconds of CPU time per product, by thread. */ threads: Record<string, number>
}

/**
 * A first full listing over loopback from the real service without rates, into an indexed mirror,
 * compared with the same pages only fetched and parsed. `perCpuSecond` is of this process alone,
 * because the service runs in another one.
 */
export default async function benchSync({
  log,
  products = 100_000,
}: {
  log: (text: string) => void
  products?: number
}): Promise<{ figures: Record<string, Measured> }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'keydesk-bench-'))
  const figures: Record<string, Measured> = {}
  const service = await startService(
    path.join(folder, 'service'),
    '--no-limits',
    '--products',
    String(products),
  )
  const key = service.ready.demo?.partnerLiveKey ?? ''
  const { baseUrl } = service.ready

  async function measure(name: string, read: () => Promise<number>): Promise<void> {
    const [wall, cpu, before] = [performance.now(), process.cpuUsage(), threadsMs()]
    const count = await read()
    const [ms, cpuMs] = [performance.now() - wall, msSince(cpu)]
    const threads = Object.fromEntries(
      [...threadsMs()]
        .map(
          ([thread, now]) =>
            [thread, Math.round(((now - (before.get(thread) ?? 0)) * 1000) / count)] as const,
        )
        .filter(([, us]) => us > 0),
    )
    figures[name] = {
      products: count,
      perSecond: Math.round(count / (ms / 1000)),
      perCpuSecond: Math.round(count / (cpuMs / 1000)),
      threads,
    }
    log(
      `${name}: ${count.toLocaleString('en')} products, ` +
        `${figures[name].perSecond.toLocaleString('en')} per second, ` +
        `${figures[name].perCpuSecond.toLocaleString('en')} per second of this process's CPU ` +
        `time; µs per product by thread: ${JSON.stringify(threads)}`,
    )
  }
  try {
    await measure('fetched and parsed', async () => {
      const client = createClient<AbortSignal>({ baseUrl, key, send: fetchTransport })
      let count = 0
      for (let cursor: string | null = null; ;) {
        const { body }: { body: ResponseBody<'listProducts'> } = await client.listProducts({
          query: { limit: 100, includeRemoved: true, ...(cursor === null ? {} : { cursor }) },
        })
        count += body.results.length
        if (!body.hasMore || body.nextCursor === null) return count
        cursor = body.nextCursor
      }
    })
    const file = path.join(folder, 'catalogue.db')
    const db = openDatabase(file, [catalogueSchema])
    const line = consoleLine(baseUrl, key)
    const workshop = createWorkerPool({
      host: { workerPath: workerSource },
      database: () => db,
      path: () => file,
      line: () => line,
      report: (where, error) => log(`${where}: ${String(error)}`),
    })
    const pass = workshop.pass('bench')
    const { signal } = new AbortController()
    // The threads are loaded, as they are after the first sync pass of a day.
    await Promise.all([pass.execute({ do: 'start' }, signal), pass.pages.partner(null, signal)])
    await measure('mirrored', async () => {
      await syncPartnerCatalogue({ ...pass, now: () => systemClock.now(), signal, page: () => {} })
      // With those that were removed, as the service lists them.
      return db.prepare('SELECT count(*) FROM products').pluck().get() as number
    })
    await workshop.close()
    db.close()
    return { figures }
  } finally {
    await service.running.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The console's own connection to the service, without rates. */
function consoleLine(baseUrl: string, key: string): ServiceConnection {
  const client = createServiceClient({
    clock: systemClock,
    random: systemRandomness,
    activity: { add: () => {} },
    rates: null,
  })
  return client.connect({
    accountId: 'bench',
    baseUrl: () => baseUrl,
    credentials: () => ({ key, baseUrl }),
    takesIdempotencyKeys: () => true,
    refusal: () => null,
    refused: () => {},
    accepted: () => {},
    dated: () => {},
    changed: () => {},
    probe: async (line) => void (await line.call('ping', {})),
  })
}

/**
 * CPU time of this process's threads by name, in milliseconds; empty where the system doesn't
 * report it.
 */
function threadsMs(): Map<string, number> {
  const sums = new Map<string, number>()
  try {
    for (const id of readdirSync('/proc/self/task')) {
      const [name = '', rest = ''] = readFileSync(`/proc/self/task/${id}/stat`, 'utf8')
        .split(/[()]/)
        .slice(1)
      const [user = 0, system = 0] = rest.trim().split(' ').slice(11, 13).map(Number)
      sums.set(name, (sums.get(name) ?? 0) + (user + system) * TICK_MS)
    }
  } catch {
    // Only Linux reports it.
  }
  return sums
}
const TICK_MS = 10
