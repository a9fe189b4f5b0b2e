import DatabaseConstructor from 'better-sqlite3'
import { expect, test } from 'vitest'
import { cents } from '../../../server/api/money.ts'
import { formatMessage } from '../../contract/localization/localized.ts'
import { createChanges } from '../changes.ts'
import { migrate } from '../mirror/database/migrate.ts'
import { manualClock } from '../testing/manual-clock.ts'
import { startFeature } from '../testing/start-feature.ts'
import { spendingFeature } from './spending.ts'

const accountId = 'partner'
const settled = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

/** The feature over a database in memory, and an account whose balance a test sets. */
function setUp() {
  const db = new DatabaseConstructor(':memory:')
  migrate(db, spendingFeature.schemas)
  const clock = manualClock()
  const changes = createChanges()
  const reported: unknown[] = []
  const notices: string[] = []
  let balance = cents(10_000)
  const state = { isFull: false }
  const account = { id: accountId, role: 'partner' }
  const context = {
    clock,
    changes,
    report: (_where: string, error: unknown) => void reported.push(error),
    accounts: {
      list: () => [account],
      get: () => account,
      serviceNow: () => clock.now(),
      onReady: () => {},
      onRelease: () => {},
    },
    mirrors: { database: () => db },
    activity: { add: () => {} },
    notices: {
      notify({ title }: { title: never }) {
        if (state.isFull) throw new Error('database or disk is full')
        notices.push(formatMessage(title))
      },
    },
    attention: { markViewed: () => {} },
  }
  const orders = {
    balance: () => ({ cents: balance, at: clock.now() }),
    linesBetween: () => [],
  }
  const spending = startFeature(
    spendingFeature,
    context as never,
    { orders: { access: orders }, dashboard: { serves: () => false } } as never,
  )
  return {
    db,
    state,
    spending,
    reported,
    notices,
    async read(amount: number): Promise<void> {
      balance = cents(amount)
      changes.notify('balance', accountId)
      await settled()
    },
    readings: () => spending.balance({ accountId }).readings.map((reading) => reading.cents),
  }
}

test('records the balance again, and its warning, after a reading that could not be stored', async () => {
  const { db, spending, reported, notices, read, readings } = setUp()
  await settled()
  spending.setLow({ accountId, lowCents: cents(5000) })
  await read(9000)
  db.pragma('query_only = ON')
  await read(8000)
  expect(reported).toHaveLength(1)
  db.pragma('query_only = OFF')
  await read(4000)
  expect(readings()).toEqual([10_000, 9000, 4000])
  expect(notices).toEqual(['Balance is low: EUR 40.00'])
  await spending.close()
  db.close()
})

test('warns of a low balance at the next reading if the notice could not be stored', async () => {
  const { db, state, spending, notices, read } = setUp()
  await settled()
  spending.setLow({ accountId, lowCents: cents(5000) })
  state.isFull = true
  await read(4000)
  state.isFull = false
  await read(3900)
  await read(3800)
  expect(notices).toEqual(['Balance is low: EUR 39.00'])
  await spending.close()
  db.close()
})
