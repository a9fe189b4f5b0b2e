import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { constants, getPriority, tmpdir } from 'node:os'
import path from 'node:path'
import type { Database } from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../../mirror/database/open-database.ts'
import { testWorker } from '../../testing/workers.ts'
import { createCatalogueReader } from './reader.ts'
import type { CatalogueReader } from './reader.ts'
import { catalogueSchema } from '../schema.ts'
import { filterOf, generatedProducts, productFacts, putProducts } from '../testing/products.ts'

let folder: string
let db: Database
let reader: CatalogueReader
const reports: unknown[] = []
const file = (): string => path.join(folder, 'a.db')
const open = (worker: () => string): CatalogueReader =>
  createCatalogueReader({
    worker,
    database: () => db,
    path: file,
    report: (_where, error) => void reports.push(error),
  })

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'keydesk-reader-'))
  db = openDatabase(file(), [catalogueSchema])
  putProducts(db, generatedProducts(300))
  reader = open(() => testWorker('catalogue-reader'))
  reports.length = 0
})
afterEach(async () => {
  await reader.close()
  db.close()
  rmSync(folder, { recursive: true, force: true })
})

const search = (query: string, signal?: AbortSignal, from = reader) =>
  from.read<'search'>(
    'a',
    { what: 'search', filter: filterOf({ query }), sort: null, window: { offset: 0, limit: 50 } },
    signal,
  )
const counts = (query: string, from = reader, signal?: AbortSignal) =>
  from.read<'counts'>('a', { what: 'counts', filter: filterOf({ query }) }, signal)

/** A worker that answers with the request's text. New counts run until they are canceled. */
function endlessCounts(): string {
  const script = path.join(folder, 'endless.mjs')
  writeFileSync(
    script,
    `
    import { parentPort, workerData } from 'node:worker_threads'
    const seen = new Set()
    parentPort.postMessage({ loaded: true })
    parentPort.on('message', ({ id, request: { number, reading } }) => {
      const { what, filter } = reading
      const isNew = what === 'counts' && !seen.has(filter.query)
      seen.add(filter.query)
      while (isNew && Atomics.load(workerData.wanted, 0) === number);
      parentPort.postMessage({ id, result: isNew ? { stopped: true } : { read: filter.query } })
    })`,
  )
  return script
}

test("the worker gives the core's result, and sees later writes", async () => {
  const here = open(() => {
    throw new Error('no workers')
  })
  for (const query of ['', 'hollow', 'amebr circuit', 'prd_20011']) {
    expect(await search(query)).toEqual(await search(query, undefined, here))
    expect(await counts(query)).toEqual(await counts(query, here))
  }
  expect((await search('zanzibar')).total).toBe(0)
  expect((await counts('zanzibar')).inStock).toBe(0)
  putProducts(db, [productFacts({ productId: 'prd_1', name: 'Zanzibar' })])
  expect((await search('zanzibar')).total).toBe(1)
  expect((await counts('zanzibar')).inStock).toBe(1)
  expect(reports).toEqual([])
  await here.close()
})

test('while the user types, only the last search runs', async () => {
  const typing = ['h', 'ho', 'hol', 'holl', 'hollo'].map((query) => {
    const abort = new AbortController()
    return { abort, answer: search(query, abort.signal) }
  })
  for (const { abort } of typing.slice(0, -1)) abort.abort()
  const outcomes = await Promise.allSettled(typing.map(({ answer }) => answer))
  // The first was in flight already.
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
    'rejected',
    'fulfilled',
  ])
  expect(outcomes[1]).toMatchObject({ reason: { problem: { code: 'CANCELLED' } } })
})

test('counts in flight give way to a search, and finish after it', async () => {
  const stub = open(endlessCounts)
  const order: unknown[] = []
  const counted = counts('wide', stub).then((read) => order.push(['counts', read]))
  const found = ['w', 'wi'].map((query) =>
    search(query, undefined, stub).then((read) => order.push(['search', read])),
  )
  await Promise.all([counted, ...found])
  expect(order).toEqual([
    ['search', 'w'],
    ['search', 'wi'],
    ['counts', 'wide'],
  ])
  await stub.close()
})

test('counts in flight stop when they are canceled', async () => {
  const stub = open(endlessCounts)
  const abort = new AbortController()
  const gone = counts('wide', stub, abort.signal)
  abort.abort()
  await expect(gone).rejects.toMatchObject({ problem: { code: 'CANCELLED' } })
  expect(await counts('wide', stub)).toBe('wide')
  await stub.close()
})

test.runIf(process.platform === 'linux')(
  'only the thread that counts lowers its priority',
  async () => {
    const behind = (): number => {
      const nices = readdirSync('/proc/self/task').map((thread) =>
        Number(
          readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ')[1]?.split(' ')[16],
        ),
      )
      return nices.filter((nice) => nice >= constants.priority.PRIORITY_BELOW_NORMAL).length
    }
    const before = behind()
    await search('hollow')
    expect(behind()).toBe(before)
    await counts('hollow')
    expect(behind()).toBe(before + 1)
    expect(getPriority()).toBeLessThan(constants.priority.PRIORITY_BELOW_NORMAL)
  },
)

test('reads a replaced mirror, not the old one', async () => {
  expect((await search('')).all).toBe(300)
  await reader.release('a')
  db.close()
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file()}.old${suffix}`, { force: true })
  renameSync(file(), `${file()}.old`)
  db = openDatabase(file(), [catalogueSchema])
  putProducts(db, generatedProducts(7))
  expect((await search('')).all).toBe(7)
})

test('replaces a worker that dies and still answers its request; stops starting one that always dies', async () => {
  const dying = open(() => path.join(folder, 'no-such-worker.js'))
  for (let i = 0; i < 5; i += 1)
    expect((await search('hollow', undefined, dying)).total).toBeGreaterThan(0)
  expect(reports).toHaveLength(3)
  await dying.close()
})

test('a damaged mirror fails the search that found it, and no other', async () => {
  await expect(search('')).resolves.toMatchObject({ all: 300 })
  const broken = createCatalogueReader({
    worker: () => testWorker('catalogue-reader'),
    database: () => db,
    path: () => path.join(folder, 'missing.db'),
    report: () => {},
  })
  await expect(search('', undefined, broken)).rejects.toThrow(/ENOENT/)
  await expect(search('')).resolves.toMatchObject({ all: 300 })
  await broken.close()
})
