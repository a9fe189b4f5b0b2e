import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import type { Database } from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Account } from '../../../contract/app/accounts.ts'
import type { Mirrors } from '../../context.ts'
import type { FeatureSchema, SealedKind } from '../../mirror/schema.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { createSealedValueStore } from './sealed-value-store.ts'

const columnOf = (kind: SealedKind, table: string) => ({
  kind,
  table,
  column: 'sealed',
  key: ['id'],
  recordId: (row: Readonly<Record<string, unknown>>) => `${table}:${String(row['id'])}`,
  exported: ['id'],
})
const schemas: FeatureSchema[] = [
  {
    feature: 'test',
    steps: [],
    sealed: [
      columnOf('delivered-key', 'delivered'),
      columnOf('withdrawn-key', 'withdrawn'),
      columnOf('draft', 'drafts'),
    ],
  },
]

let folder: ReturnType<typeof temporaryFolder>
let databases: Map<string, Database>
let restarted: string[]
beforeEach(() => {
  folder = temporaryFolder()
  restarted = []
  databases = new Map(['one', 'two'].map((id) => [id, new SqliteDatabase(':memory:')]))
  for (const [id, database] of databases) {
    for (const table of ['delivered', 'withdrawn', 'drafts'])
      database.exec(`CREATE TABLE ${table} (id TEXT, sealed BLOB)`)
    database.exec(`
      INSERT INTO delivered VALUES ('${id}1', x'01'), ('${id}2', x'02');
      INSERT INTO withdrawn VALUES ('${id}3', x'03');
      INSERT INTO drafts VALUES ('${id}4', x'04'), ('${id}5', x'05');
    `)
  }
})
afterEach(() => {
  for (const database of databases.values()) database.close()
  folder.remove()
})

/** The values of two accounts; `files` are those that a feature keeps in a file of its own. */
const open = (files = { values: 10, unreadable: 2 }) =>
  createSealedValueStore({
    dataDir: folder.path,
    mirrors: {
      database: (id: string) => databases.get(id),
      glance: (id: string, read: (database: unknown) => unknown) => read(databases.get(id)),
    } as unknown as Mirrors,
    schemas,
    reencryptFiles: [
      (dataDir, accountId) => {
        restarted.push(`files of ${accountId}${dataDir === folder.path ? '' : ' elsewhere'}`)
        return files
      },
    ],
    removeUpdateBackups: () => void restarted.push('removed backups'),
    accounts: {
      list: () => [...databases.keys()].map((id) => ({ id }) as Account),
      summary: (_name, _empty, read) => read,
      async restart(accountId, between) {
        restarted.push(`stop ${accountId}`)
        between()
        restarted.push(`start ${accountId}`)
      },
    },
  })

test('counts the delivered and withdrawn keys of all accounts, but no other values', () => {
  const values = open()
  expect(values.accounts()).toEqual(['one', 'two'])
  expect(values.count()).toBe(6)
  expect(values.keysOf('one')).toBe(3)
  expect(Object.fromEntries(values.counts('one'))).toEqual({
    'delivered-key': 2,
    'withdrawn-key': 1,
    draft: 2,
  })
})

test('exports the values of one account', () => {
  const exported = [...open().exported('two')]
  expect(exported.map(({ recordId }) => recordId)).toEqual([
    'delivered:two1',
    'delivered:two2',
    'withdrawn:two3',
    'drafts:two4',
    'drafts:two5',
  ])
})

test('encrypts an account’s database and files again while its work is stopped', async () => {
  const reseal = (accountId: string) => Buffer.from(accountId)
  expect(await open().reencrypt('two', reseal)).toEqual({ values: 15, unreadable: 2 })
  expect(restarted).toEqual(['stop two', 'files of two', 'start two'])
  const first = (id: string) =>
    databases.get(id)?.prepare('SELECT sealed FROM delivered').pluck().get()
  expect(first('two')).toEqual(Buffer.from('two'))
  expect(first('one')).toEqual(Buffer.from([1]))
})

test('removes copies of databases, and only those', () => {
  const copies = [
    'keydesk.db.before-update',
    'keydesk.db.damaged',
    'mirrors/a.db.damaged-2026-01-05T09-00-00Z',
    'mirrors/a.db.damaged-2026-01-05T09-00-00Z-wal',
    'catalogues/a.db.before-update',
    'journals/a.db.damaged-wal',
    'journals/a.db.damaged.copy',
    'journals/a.db.damaged-2026-01-05.copy-wal',
    'journals/a.db.damaged.copy-shm',
  ]
  const others = [
    'keydesk.db',
    'keydesk.db-wal',
    'mirrors/a.db',
    'journals/a.before-update.db',
    'journals/a.db.damaged.txt',
    'backups/a.db.before-update',
  ]
  for (const path of [...copies, ...others]) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true })
    writeFileSync(join(folder.path, path), 'x')
  }
  open().removeCopies()
  const left = [...copies, ...others].filter((path) => existsSync(join(folder.path, path)))
  expect(left).toEqual(others)
  expect(restarted).toEqual(['removed backups'])
})

test('removes nothing from a data folder without accounts', () => {
  expect(() => open().removeCopies()).not.toThrow()
})
