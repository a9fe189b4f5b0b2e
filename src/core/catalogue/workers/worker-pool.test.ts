import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from 'better-sqlite3'
import type { Localized } from '../../../contract/localization/localized.ts'
import { startBackend } from '../../mirror/testing/backend.ts'
import type { DemoBackend } from '../../mirror/testing/backend.ts'
import { openDatabase } from '../../mirror/database/open-database.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { startFaultyProxy } from '../../testing/faulty-proxy.ts'
import type { FaultyProxy } from '../../testing/faulty-proxy.ts'
import { testWorker } from '../../testing/workers.ts'
import { systemClock } from '../../clock.ts'
import { systemRandomness } from '../../randomness.ts'
import { createServiceClient } from '../../service-client/service-client.ts'
import type { WorkerName } from '../../../platform/host.ts'
import { syncPartnerCatalogue } from '../sync/partner-sync.ts'
import { catalogueSchema } from '../schema.ts'
import { servedProduct } from '../testing/service.ts'
import { readSyncState, writeSyncState } from '../sync/sync-state.ts'
import { createWorkerPool } from './worker-pool.ts'
import type { CataloguePass, WorkerPool } from './worker-pool.ts'

/** With nine products that have left the catalogue. */
const all = 909
let backend: DemoBackend
let proxy: FaultyProxy
beforeAll(async () => {
  backend = await startBackend(900)
  proxy = await startFaultyProxy(backend.baseUrl)
  workshop = open(testWorker)
})
afterAll(async () => {
  await workshop.close()
  await proxy.close()
  await backend.stop()
})

let folder: ReturnType<typeof temporaryFolder>
let db: Database
let workshop: WorkerPool
const reports: string[] = []
/** Replaces the backend with another service. */
let address: string | null = null
const notes: { what: Localized; outcome: string; code: string | null }[] = []

function open(workerPath: (name: WorkerName) => string): WorkerPool {
  const line = createServiceClient({
    clock: systemClock,
    random: systemRandomness,
    rates: null,
    activity: { add: ({ what, outcome, code }) => void notes.push({ what, outcome, code }) },
  }).connect({
    accountId: 'a',
    baseUrl: () => proxy.baseUrl,
    credentials: () => ({ key: backend.demo.partnerLiveKey, baseUrl: address ?? proxy.baseUrl }),
    takesIdempotencyKeys: () => true,
    refusal: () => null,
    refused: () => {},
    accepted: () => {},
    dated: () => {},
    changed: () => {},
    probe: async () => {},
  })
  return createWorkerPool({
    host: { workerPath },
    database: () => db,
    path: () => db.name,
    line: () => line,
    report: (_where, error) => void reports.push(String(error)),
  })
}
beforeEach(() => {
  folder = temporaryFolder()
  db = openDatabase(`${folder.path}/a.db`, [catalogueSchema])
  reports.length = 0
  notes.length = 0
  proxy.decide = () => 'pass'
})
afterEach(async () => {
  await workshop.release('a')
  db.close()
  folder.remove()
})

async function sync(place: CataloguePass, signal = new AbortController().signal): Promise<void> {
  try {
    await syncPartnerCatalogue({ ...place, now: () => 5, signal, page: () => {} })
  } finally {
    place.end()
  }
}
const products = (): number => db.prepare('SELECT count(*) FROM products').pluck().get() as number

test('reads and writes a catalogue in separate threads, with the retries of any call @long', async () => {
  let asked = 0
  proxy.decide = (_method, path) =>
    path.includes('cursor=') && (asked += 1) === 2
      ? { kind: 'answer', answer: { status: 503, body: '' } }
      : 'pass'
  await sync(workshop.pass('a'))
  expect(products()).toBe(all)
  expect(readSyncState(db)).toMatchObject({ complete: true, done: all, lastAt: 5 })
  expect(notes.filter(({ outcome }) => outcome === 'ok')).toHaveLength(10)
  expect(notes.filter(({ outcome }) => outcome !== 'ok')).toHaveLength(1)

  // A rejected cursor starts a new listing here too.
  writeSyncState(db, { ...readSyncState(db), cursor: 'nonsense' })
  await sync(workshop.pass('a'))
  expect(notes.some(({ code }) => code === 'VALIDATION_ERROR')).toBe(true)
  expect(readSyncState(db)).toMatchObject({ complete: true, done: all, round: 2 })
  expect(reports).toEqual([])
})

test('requests the next page while the current one is still arriving, if its start contains the cursor', async () => {
  const asked: string[] = []
  let finishFirst = (): void => {}
  const service = createServer((request, response) => {
    const cursor = new URL(request.url ?? '', 'http://here').searchParams.get('cursor')
    asked.push(cursor ?? 'none')
    const page = {
      page: null,
      limit: 100,
      total: null,
      totalPages: null,
      nextCursor: cursor === null ? 'two' : 'three',
      hasMore: cursor === null,
      results: [{ ...servedProduct(`prd_${cursor}`), price: 10 }],
    }
    const body = JSON.stringify(page)
    if (cursor !== null) {
      finishFirst()
      return void response.end(body)
    }
    // The rest of the first page arrives only after the second was requested.
    response.write(body.slice(0, body.indexOf('"results"') + 20))
    finishFirst = () => void response.end(body.slice(body.indexOf('"results"') + 20))
  })
  await new Promise<void>((resolve) => {
    service.listen(0, '127.0.0.1', resolve)
  })
  try {
    address = `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`
    await sync(workshop.pass('a'))
    expect(asked).toEqual(['none', 'two'])
    expect(products()).toBe(2)
  } finally {
    address = null
    service.closeAllConnections()
    service.close()
  }
})

test('commits nothing else once canceled; the next pass resumes from there', async () => {
  const stop = new AbortController()
  let asked = 0
  proxy.decide = (_method, path) => {
    if (path.includes('/products') && (asked += 1) === 4) stop.abort()
    return 'pass'
  }
  await expect(sync(workshop.pass('a'), stop.signal)).rejects.toThrow(/CANCELLED|abort/i)
  const before = readSyncState(db)
  expect(before.complete).toBe(false)
  expect(products()).toBe(before.done)
  await sync(workshop.pass('a'))
  expect([products(), readSyncState(db).done]).toEqual([all, all])
})

test('failing threads fail their pass and are replaced; without threads, the core does the work @long', async () => {
  let paths: (name: WorkerName) => string = testWorker
  const shaky = open((name) => paths(name))
  paths = () => `${folder.path}/no-such-worker.js`
  for (let i = 0; i < 3; i += 1)
    await expect(sync(shaky.pass('a'))).rejects.toThrow(/exited|CANCELLED/)
  expect(reports).toHaveLength(3)
  expect(products()).toBe(0)
  await sync(shaky.pass('a'))
  expect(products()).toBe(all)
  await shaky.close()
})

test('closes a file so that another can replace it', async () => {
  await sync(workshop.pass('a'))
  await workshop.release('a')
  db.close()
  folder.remove()
  folder = temporaryFolder()
  db = openDatabase(`${folder.path}/a.db`, [catalogueSchema])
  await sync(workshop.pass('a'))
  expect(products()).toBe(all)
})
