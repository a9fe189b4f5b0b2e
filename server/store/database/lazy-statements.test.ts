import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { withLazyStatements } from './lazy-statements.ts'

test('compiles a statement when it is first used, in the shape that was chosen', () => {
  const database = new Database(':memory:')
  const lazy = withLazyStatements(database)
  const names = lazy.prepare('SELECT name FROM things ORDER BY name').pluck()
  const rows = lazy.prepare('SELECT name, count FROM things').raw()
  database.exec('CREATE TABLE things (name TEXT, count INTEGER)')
  const add = lazy.prepare('INSERT INTO things VALUES (@name, @count)')
  expect(add.run({ name: 'b', count: 2 }).changes).toBe(1)
  expect(rows.get()).toEqual(['b', 2])
  add.run({ name: 'a', count: 1 })
  expect(names.all()).toEqual(['a', 'b'])
  expect([...lazy.prepare('SELECT count FROM things WHERE name = ?').iterate('a')]).toEqual([
    { count: 1 },
  ])
  expect(() => lazy.prepare('SELECT none FROM things').get()).toThrow('no such column')
  expect(lazy.transaction(() => lazy.inTransaction)()).toBe(true)
  database.close()
})
