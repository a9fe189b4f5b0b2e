import SqliteDatabase from 'better-sqlite3'
import { expect, test } from 'vitest'
import { rowWriter } from './many-rows.ts'

test('writes any number of rows in order, together with their shared values', () => {
  const db = new SqliteDatabase(':memory:')
  db.exec('CREATE TABLE things (no INTEGER PRIMARY KEY, name TEXT, at INTEGER)')
  const write = rowWriter(db, 'INSERT INTO things (name, no, at) SELECT *, :at FROM ($rows)', 2)
  for (const count of [0, 1, 49, 50, 51, 137]) {
    db.exec('DELETE FROM things')
    const rows = Array.from(
      { length: count },
      (_, i) => [i % 5 === 0 ? null : `n'${i}`, i] as const,
    )
    write(rows.flat(), { at: count })
    expect(db.prepare('SELECT name, no, at FROM things ORDER BY no').raw().all()).toEqual(
      rows.map((row) => [...row, count]),
    )
  }
  db.close()
})
