import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, expect, it } from 'vitest'
import { DAY_MS } from '../api/time.ts'
import { createTestClock, createTestService, dashboard } from '../domain/testing/fixture.ts'
import type { TestService } from '../domain/testing/fixture.ts'
import { seedDemoData } from './seed-demo-data.ts'

/** The smallest catalogue of which a copy is kept. */
const PRODUCTS = 5000
const start = Date.UTC(2026, 2, 28, 21)

const open: TestService[] = []
afterEach(async () => {
  for (const test of open.splice(0)) await test.close()
})

function startAt(at: number, products = PRODUCTS): TestService {
  const clock = createTestClock(at)
  const world = { seed: 'demo', products } as const
  const test = createTestService({ seedWorld: seedDemoData, clock, world, durable: false })
  open.push(test)
  return test
}

const compared = `SELECT name FROM sqlite_schema WHERE type = 'table'
  AND name NOT IN ('api_keys', 'settings', 'ledger_checkpoints')`

/** The schema and the sorted rows, except random values (sealed ones) and rows written at a start. */
function rowsOf({ folder }: TestService): Record<string, unknown[]> {
  const database = new Database(join(folder, 'keydesk.sqlite'), { readonly: true })
  const tables = database.prepare(compared).pluck().all() as string[]
  const rows = tables.map((table) => {
    const all = database.prepare(`SELECT * FROM "${table}"`).all() as Record<string, unknown>[]
    return [table, all.map(({ value: _sealed, ...row }) => JSON.stringify(row)).toSorted()] as const
  })
  const schema = database.prepare('SELECT type, name, sql FROM sqlite_schema').all()
  database.close()
  return {
    ...Object.fromEntries(rows),
    schema: schema.map((part) => JSON.stringify(part)).toSorted(),
  }
}
const reset = (test: TestService) => test.run('reset', dashboard, { body: {} })
const keptIn = ({ folder }: TestService): string => join(folder, 'snapshots', '.kept')
const fileIn = (test: TestService): string => join(keptIn(test), 'state')
const productsOf = (test: TestService): number =>
  test.store.catalogue.count({ includeRemoved: false })

it.each([
  ['on the same day', 90 * 60_000],
  ['on another day', 3 * DAY_MS + 4 * 3_600_000],
  ['at an earlier time', -2 * DAY_MS],
])('a reset %s restores what a start at that time seeds', async (_when, later) => {
  const fresh = rowsOf(startAt(start + later))
  const test = startAt(start)
  test.clock.move(later)
  for (const _time of [1, 2]) {
    await test.run('createPartner', dashboard, { body: { name: 'Another' } })
    await reset(test)
    expect(rowsOf(test)).toEqual(fresh)
  }
  expect(fresh['products']).toHaveLength(5050)
  expect(test.store.settings.get('seeded')).toBe('demo')
})

it('keeps one copy of a large catalogue, which a reset to another size replaces', async () => {
  const test = startAt(start)
  const first = statSync(fileIn(test)).ino
  await reset(test)
  expect(statSync(fileIn(test)).ino).toBe(first)
  await test.run('reset', dashboard, { body: { products: PRODUCTS + 1 } })
  expect(statSync(fileIn(test)).ino).not.toBe(first)
  expect(productsOf(test)).toBe(PRODUCTS + 1)
  await test.run('reset', dashboard, { body: { seed: 'empty' } })
  expect(productsOf(test)).toBe(0)
  expect(readdirSync(join(test.folder, 'snapshots'))).toEqual(['.kept'])
  expect((await test.run('listSnapshots', dashboard)).body.results).toEqual([])
})

it.each([
  ['a damaged note', 'note', 'not JSON'],
  ['the note of another program', 'note', '{"program":"another"}'],
  ['a damaged state', 'state', 'not a database'],
])('seeds the catalogue again instead of using %s', async (_what, name, text) => {
  const test = startAt(start)
  const first = statSync(fileIn(test)).ino
  writeFileSync(join(keptIn(test), name), text)
  await reset(test)
  expect(productsOf(test)).toBe(PRODUCTS)
  expect(statSync(fileIn(test)).ino).not.toBe(first)
})

it('keeps no copy of a small one', async () => {
  const test = startAt(start, PRODUCTS - 1)
  await reset(test)
  expect(existsSync(keptIn(test))).toBe(false)
})
