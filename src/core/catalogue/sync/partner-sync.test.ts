import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Database } from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import { failure } from '../../failure.ts'
import { openDatabase } from '../../mirror/database/open-database.ts'
import { syncPartnerCatalogue } from './partner-sync.ts'
import { findProduct, readHistory } from '../store.ts'
import { readSyncState } from './sync-state.ts'
import { searchProducts } from '../search/search.ts'
import type { Execute } from '../records/commands.ts'
import type { PageSource } from './page-source.ts'
import { localWork } from '../testing/local-work.ts'
import { filterOf, openMirror } from '../testing/products.ts'
import { createCatalogueService, servedProduct } from '../testing/service.ts'
import type { CatalogueService } from '../testing/service.ts'
import { catalogueSchema } from '../schema.ts'

let at = 1_000_000
const pass = (db: Database, service: CatalogueService, signal = new AbortController().signal) =>
  syncPartnerCatalogue({
    ...localWork(db, service.line),
    now: () => (at += 1000),
    signal,
    page: () => {},
  })

/** The data visible to the user in both mirrors. */
const mirrored = (db: Database) =>
  db
    .prepare(
      'SELECT product_id, name, price_cents, in_stock, qty, removed FROM products ORDER BY product_id',
    )
    .all() as Record<string, unknown>[]
const served = (service: CatalogueService) =>
  service
    .list()
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map((each) => ({
      product_id: each.id,
      name: each.name,
      price_cents: each.price,
      in_stock: Number(each.inStock),
      qty: each.qty,
      removed: Number(each.removed),
    }))

const filled = (count: number): CatalogueService => {
  const service = createCatalogueService()
  for (let i = 0; i < count; i += 1) service.put(servedProduct(`prd_${String(i).padStart(5, '0')}`))
  return service
}

test('a full sync reads every page once and saves the cursor for the next', async () => {
  const [db, service] = [openMirror(), filled(1050)]
  await pass(db, service)
  expect(mirrored(db)).toEqual(served(service))
  expect(service.calls.map(({ query }) => query['limit'])).toEqual(
    Array.from({ length: 11 }, () => 100),
  )
  expect(service.calls.every(({ query }) => query['includeRemoved'] === true)).toBe(true)
  expect(readSyncState(db)).toMatchObject({ complete: true, done: 1050, total: 1050 })

  service.put(servedProduct('prd_00007', { price: cents(777) }))
  service.put(servedProduct('prd_00008', { removed: true }))
  service.put(servedProduct('prd_99999'))
  await pass(db, service)
  expect(service.calls).toHaveLength(12)
  expect(mirrored(db)).toEqual(served(service))
  expect(searchProducts(db, filterOf(), null, { offset: 0, limit: 1 }).all).toBe(1050)
})

test("writes pages that arrive during a write together; a failing page doesn't affect the others", async () => {
  const [db, service] = [openMirror(), filled(1250)]
  const here = localWork(db, service.line)
  const written: number[] = []
  /** Writing resumes only after every page that can be read ahead has been requested. */
  const slow: Execute = async (deed, signal) => {
    if (deed.do === 'partner')
      for (
        let before = -1;
        before < service.calls.length;
        await new Promise((resolve) => setTimeout(resolve, 5))
      )
        before = service.calls.length
    return here.execute(deed, signal)
  }
  const slowly = () =>
    syncPartnerCatalogue({
      pages: here.pages,
      execute: slow,
      now: () => at,
      signal: new AbortController().signal,
      page: ({ done }) => void written.push(done),
    })
  service.intercept(() => {
    if (service.calls.length === 9) throw new Error('cut')
  })
  await expect(slowly()).rejects.toThrow('cut')
  expect([written, readSyncState(db).done]).toEqual([[100, 800], 800])
  service.intercept(() => {})
  await slowly()
  expect(written).toEqual([100, 800, 900, 1250])
  expect(service.calls).toHaveLength(14)
  expect(mirrored(db)).toEqual(served(service))
  expect(readSyncState(db)).toMatchObject({ complete: true, total: 1250 })
})

/** Pages that report their next cursor early, each when `tell` is called for it. */
function toldAhead(
  from: PageSource,
  tell: (nextCursor: string | null) => string | null,
): { pages: PageSource; most: () => number } {
  let [open, most] = [0, 0]
  const partner: PageSource['partner'] = async (cursor, signal, ahead) => {
    most = Math.max(most, (open += 1))
    try {
      const page = await from.partner(cursor, signal)
      const told = tell(page.nextCursor)
      if (told !== null && page.hasMore) ahead?.(told)
      for (let i = 0; i < 3; i += 1) await new Promise((resolve) => setImmediate(resolve))
      signal.throwIfAborted()
      return page
    } finally {
      open -= 1
    }
  }
  return { pages: { ...from, partner }, most: () => most }
}

test('requests a page once, as soon as its cursor is reported, and keeps the order', async () => {
  const [db, service] = [openMirror(), filled(1250)]
  const { pages, most } = toldAhead(localWork(db, service.line).pages, (next) => next)
  await syncPartnerCatalogue({
    ...localWork(db, service.line),
    pages,
    now: () => at,
    signal: new AbortController().signal,
    page: () => {},
  })
  expect(most()).toBe(2)
  expect(service.calls).toHaveLength(13)
  expect(mirrored(db)).toEqual(served(service))
  expect(readSyncState(db)).toMatchObject({ complete: true, done: 1250 })
})

test('ignores an early cursor that turns out to be wrong; a page that fails early fails at its turn', async () => {
  const [db, service] = [openMirror(), filled(650)]
  const here = localWork(db, service.line)
  const sync = (tell: (nextCursor: string | null) => string | null) =>
    syncPartnerCatalogue({
      ...here,
      pages: toldAhead(here.pages, tell).pages,
      now: () => at,
      signal: new AbortController().signal,
      page: () => {},
    })
  let told = 0
  await sync((next) => ((told += 1) % 2 === 0 ? next : 'elsewhere'))
  expect([mirrored(db), readSyncState(db).complete, readSyncState(db).round]).toEqual([
    served(service),
    true,
    1,
  ])

  for (let i = 0; i < 650; i += 1)
    service.put(servedProduct(`prd_${String(i).padStart(5, '0')}`, { price: cents(3000 + i) }))
  const first = service.calls.length
  service.intercept(() => {
    if (service.calls.length === first + 3) throw new Error('cut')
  })
  await expect(sync((next) => next)).rejects.toThrow('cut')
  // The pages before it are in the mirror, the pages behind it aren't.
  expect(mirrored(db).filter(({ price_cents }) => Number(price_cents) >= 3000)).toHaveLength(200)
  service.intercept(() => {})
  await sync((next) => next)
  expect(mirrored(db)).toEqual(served(service))
})

test('reads only a few pages ahead', async () => {
  const [db, service] = [openMirror(), filled(4000)]
  const here = localWork(db, service.line)
  let most = 0
  await syncPartnerCatalogue({
    pages: here.pages,
    now: () => at,
    signal: new AbortController().signal,
    page: ({ done }) => {
      most = Math.max(most, service.calls.length - done / 100)
    },
    execute: async (deed, signal) => {
      if (deed.do === 'partner')
        for (let i = 0; i < 60; i += 1) await new Promise((resolve) => setImmediate(resolve))
      return here.execute(deed, signal)
    },
  })
  expect(most).toBeGreaterThan(10)
  expect(most).toBeLessThanOrEqual(21)
  expect(mirrored(db)).toHaveLength(4000)
})

test('wherever a sync is interrupted, it resumes at its last page, and both sides match', async () => {
  const step = fc.record({
    pages: fc.integer({ min: 0, max: 4 }),
    changes: fc.array(fc.nat({ max: 399 }), { maxLength: 5 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
      const folder = mkdtempSync(path.join(tmpdir(), 'keydesk-sync-'))
      try {
        const service = filled(400)
        const file = path.join(folder, 'mirror.db')
        let db = openDatabase(file, [catalogueSchema])
        for (const { pages, changes } of steps) {
          let left = pages
          service.intercept(() => {
            if ((left -= 1) < 0) throw new Error('killed')
          })
          await pass(db, service).catch((error: Error) => expect(error.message).toBe('killed'))
          db.close()
          for (const i of changes) {
            service.put(
              servedProduct(`prd_${String(i).padStart(5, '0')}`, {
                price: cents(1 + i),
                qty: i % 90,
                inStock: i % 90 > 0,
                removed: i % 7 === 0,
              }),
            )
          }
          db = openDatabase(file, [catalogueSchema])
        }
        const cursor = readSyncState(db).cursor
        service.intercept(() => {})
        const first = service.calls.length
        await pass(db, service)
        expect(service.calls[first]?.query['cursor']).toBe(cursor ?? undefined)
        expect(mirrored(db)).toEqual(served(service))
        db.close()
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    }),
    { numRuns: 12 },
  )
})

test("a page whose cursor couldn't be written isn't in the mirror either", async () => {
  const [db, service] = [openMirror(), filled(300)]
  await pass(db, service)
  service.put(servedProduct('prd_00001', { price: cents(5) }))
  db.exec(
    "CREATE TRIGGER full BEFORE UPDATE ON catalogue_sync BEGIN SELECT RAISE(ABORT, 'disk full'); END",
  )
  await expect(pass(db, service)).rejects.toThrow('disk full')
  expect(findProduct(db, 'prd_00001')?.price_cents).toBe(1000)
  db.exec('DROP TRIGGER full')
  await pass(db, service)
  expect(findProduct(db, 'prd_00001')?.price_cents).toBe(5)
})

test('a rejected cursor starts a new listing: history stays, missing products are marked as removed', async () => {
  const [db, service] = [openMirror(), filled(250)]
  await pass(db, service)
  service.reset()
  for (let i = 0; i < 200; i += 1)
    service.put(servedProduct(`prd_${String(i).padStart(5, '0')}`, { price: cents(2000) }))
  let refusals = 0
  service.intercept(() => {
    refusals += 1
    if (refusals === 2) throw failure('OFFLINE', 'No connection.', 'Try again.')
  })
  await expect(pass(db, service)).rejects.toThrow('OFFLINE')
  expect(readSyncState(db).complete).toBe(false)
  expect(searchProducts(db, filterOf(), null, { offset: 0, limit: 1 }).total).toBe(250)
  await pass(db, service)
  expect(searchProducts(db, filterOf(), null, { offset: 0, limit: 1 }).total).toBe(200)
  expect(findProduct(db, 'prd_00249')?.removed).toBe(1)
  const history = readHistory(db, findProduct(db, 'prd_00010')?.rid ?? 0)
  expect(history.map((each) => each.price_cents)).toEqual([1000, 2000])
})

test('any other rejection stops the pass and changes nothing', async () => {
  const [db, service] = [openMirror(), filled(10)]
  await pass(db, service)
  const before = readSyncState(db)
  service.intercept(() => {
    throw failure('INSUFFICIENT_SCOPE', 'The key may not.', 'Use another key.')
  })
  await expect(pass(db, service)).rejects.toThrow('INSUFFICIENT_SCOPE')
  expect(readSyncState(db)).toEqual(before)
})

test('stores price and stock only when they change; without stock, or once removed, there is no price', async () => {
  const [db, service] = [openMirror(), createCatalogueService()]
  for (const change of [
    {},
    { description: 'another text' },
    { price: cents(900) },
    { qty: 0, inStock: false },
    { price: cents(800), qty: 0, inStock: false },
    { price: cents(850) },
    { removed: true },
  ]) {
    service.put(servedProduct('prd_1', change))
    await pass(db, service)
  }
  const history = readHistory(db, findProduct(db, 'prd_1')?.rid ?? 0)
  expect(history.map((each) => [each.price_cents, each.in_stock])).toEqual([
    [1000, 1],
    [900, 1],
    [null, 0],
    [850, 1],
    [null, 0],
  ])
  expect(history.map((each) => each.at)).toEqual(
    history.map((each) => each.at).toSorted((a, b) => a - b),
  )
})

test('an aborted pass commits nothing else', async () => {
  const [db, service] = [openMirror(), filled(500)]
  const stop = new AbortController()
  // The third page arrives after the second was written.
  service.intercept(() => {
    if (service.calls.length === 3) stop.abort()
  })
  await expect(pass(db, service, stop.signal)).rejects.toThrow(/abort/i)
  expect(mirrored(db)).toHaveLength(200)
})

test('an empty catalogue counts as complete, and fills later', async () => {
  const [db, service] = [openMirror(), createCatalogueService()]
  await pass(db, service)
  expect(readSyncState(db)).toMatchObject({ complete: true, done: 0, total: 0 })
  service.put(servedProduct('prd_1'))
  await pass(db, service)
  expect(mirrored(db)).toEqual(served(service))
})
