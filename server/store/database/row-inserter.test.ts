import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { createRowInserter } from './row-inserter.ts'

it.each([0, 1, 19, 20, 21, 60, 99])('inserts %i rows in their order', (count) => {
  const database = new Database(':memory:')
  database.exec('CREATE TABLE rows (no INTEGER PRIMARY KEY, a, b)')
  const rows = Array.from({ length: count }, (_, index) => [index, `row ${index}`])
  createRowInserter(database, 'INSERT INTO rows (a, b)', '(?, upper(?))')(rows)
  const stored = database.prepare('SELECT a, b FROM rows ORDER BY no').raw().all()
  expect(stored).toEqual(rows.map(([a, b]) => [a, String(b).toUpperCase()]))
  database.close()
})
