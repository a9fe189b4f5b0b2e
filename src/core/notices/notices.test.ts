import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { formatMessage, localized } from '../../contract/localization/localized.ts'
import { createChanges } from '../changes.ts'
import { manualClock } from '../testing/manual-clock.ts'
import { createNotices, noticesSchema } from './notices.ts'

const notice = (accountId: string, offer: string) => ({
  accountId,
  kind: 'empty' as const,
  title: localized('offers.empty', { offer }),
  text: localized('offers.empty-effect'),
  path: '/offers',
})

test('keeps the newest hundred notices across restarts, and deletes those of a removed account', () => {
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
    first.notify(notice(count % 2 === 0 ? 'a' : 'b', `${count}`))
  first.markSeen()
  first.notify(notice('a', 'last'))
  const again = open()
  expect(again.list()).toEqual(first.list())
  expect(
    again
      .list()
      .map(({ title, seen }) => [formatMessage(title), seen])
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

test('shows a notice that an older version stored, and formats new ones for the desktop', () => {
  const database = new Database(':memory:')
  for (const step of noticesSchema.steps) database.exec(step)
  database.exec(`INSERT INTO notices (notice_id, at, account_id, kind, title, text, path, seen)
    VALUES ('old', 1, 'a', 'low-stock', 'Low stock: Ironwharf', '3 keys are left.', '/offers/o', 1)`)
  const shown: unknown[] = []
  const notices = createNotices({
    database,
    clock: manualClock(),
    random: { id: () => 'new', bytes: () => Buffer.alloc(0), fraction: () => 0 },
    changes: createChanges(),
    system: {
      show: ({ title, text }) => void shown.push([title, text]),
      unseen: () => {},
    },
    accountName: () => 'Shop',
  })
  notices.notify(notice('a', 'Ironwharf'))
  expect(shown).toEqual([['Empty: Ironwharf', 'It can’t sell until you add keys.']])
  expect(
    notices.list().map(({ title, text }) => [formatMessage(title), formatMessage(text)]),
  ).toEqual([
    ['Empty: Ironwharf', 'It can’t sell until you add keys.'],
    ['Low stock: Ironwharf', '3 keys are left.'],
  ])
  database.close()
})

test('keeps stored notices when the table changes, and shows one that belongs to no account', () => {
  const database = new Database(':memory:')
  const [first = '', ...later] = noticesSchema.steps
  database.exec(first)
  database.exec(`INSERT INTO notices (notice_id, at, account_id, kind, title, text, path, seen)
    VALUES ('old', 1, 'a', 'empty', 'Empty: X', 'Buyers can’t see it.', '/offers', 0)`)
  for (const step of later) database.exec(step)
  const shown: [string, string | null][] = []
  const notices = createNotices({
    database,
    clock: manualClock(),
    random: { id: () => 'new', bytes: () => Buffer.alloc(0), fraction: () => 0 },
    changes: createChanges(),
    system: {
      show: ({ account, accountId }) => void shown.push([account, accountId]),
      unseen: () => {},
    },
    accountName: () => 'Shop',
  })
  notices.notify({ ...notice('a', ''), accountId: null, kind: 'security' })
  notices.removeAccount('b')
  expect(notices.list().map(({ noticeId, accountId }) => [noticeId, accountId])).toEqual([
    ['new', null],
    ['old', 'a'],
  ])
  expect(shown).toEqual([['Keydesk', null]])
  database.close()
})
