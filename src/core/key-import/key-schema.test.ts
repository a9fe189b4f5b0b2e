import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { migrate } from '../mirror/database/migrate.ts'
import { keyRecords } from './key-records.ts'
import { importsSchemas } from './schema.ts'

/** Steps of the keys' tables before a key could be excluded. */
const STEPS_BEFORE = 5

test('keeps the history of keys when an update adds excluded keys', () => {
  const db = new Database(':memory:')
  const journals = importsSchemas.filter(({ place }) => place === 'journal')
  migrate(
    db,
    journals.map((each) =>
      each.feature === 'import-keys' ? { ...each, steps: each.steps.slice(0, STEPS_BEFORE) } : each,
    ),
  )
  const insert = db.prepare(`
    INSERT INTO import_key_history (fingerprint, product_id, import_number, offer, request, file, line,
      fate, at, gone_at) VALUES (?, 'prd_1', 3, 0, 0, 1, ?, ?, 5, ?)`)
  const key = Buffer.alloc(16, 7)
  insert.run(key, 1, 'refused', null)
  insert.run(key, 2, 'added', 9)
  const history = () => db.prepare('SELECT * FROM import_key_history ORDER BY number').all()
  const indexes = () =>
    db
      .prepare(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND name GLOB 'import_key_history*' ORDER BY name",
      )
      .all()
  const before = [history(), indexes()]
  migrate(db, journals)
  expect([history(), indexes()]).toEqual(before)
  const place = { importNumber: 3, offer: 0, request: 0, file: 1, line: 3, at: 6 }
  keyRecords(db).settle({ ...place, fingerprint: key, product: 'prd_1', fate: 'excluded' })
  expect(history()).toMatchObject([
    { line: 1, fate: 'refused' },
    { line: 2, fate: 'added', gone_at: 9 },
    { line: 3, fate: 'excluded', gone_at: null },
  ])
  expect(() => insert.run(key, 4, 'lost', null)).toThrow('CHECK')
  db.close()
})
