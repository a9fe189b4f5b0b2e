import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { createChanges } from '../changes.ts'
import { manualClock } from '../testing/manual-clock.ts'
import { createNotices, noticesSchema } from './notices.ts'

const notice = (accountId: string, title: string) => ({
  accountId,
  kind: 'empty' as const,
  title,
  text: 'It sells nothing until it has keys.',
  path: '/offers',
})

test('keeps the newest hundred notices with their seen state across restarts, and deletes those of a removed account', () => {
  const database = new Database(':memory:')
  for (const step of noticesSchema.steps) database.exec(step)
  let ids = 0
  const random = { id: () => `n${(ids += 1)}`, bytes: () => Buffer.alloc(0), fraction: () => 0 }
  const open = () =>
    createNotices({
      database,
      clock: manualClock(),
      random,
      changes: createChanges(),
      system: undefined,
      accountName: () => 'Shop',
    })
  const first = open()
  for (let count = 1; count <= 103; count += 1)
    first.notify(notice(count % 2 === 0 ? 'a' : 'b', `Empty: ${count}`))
  first.markSeen()
  first.notify(notice('a', 'Empty: last'))
  const again = open()
  expect(again.list()).toEqual(first.list())
  expect(
    again
      .list()
      .map(({ title, seen }) => [title, seen])
      .slice(0, 2),
  ).toEqual([
    ['Empty: last', false],
    ['Empty: 103', true],
  ])
  expect(again.list()).toHaveLength(100)
  expect(database.prepare('SELECT count(*) FROM notices').pluck().get()).toBe(100)
  again.removeAccount('a')
  expect(
    open()
      .list()
      .map(({ accountId }) => accountId),
  ).toEqual(Array.from({ length: 50 }, () => 'b'))
  database.close()
})
