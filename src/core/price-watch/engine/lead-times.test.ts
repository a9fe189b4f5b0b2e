import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { leadTimes, totalLeadTimes, shareOf } from './lead-times.ts'
import { priceWatchSchema } from '../schema.ts'
import { watchStore } from '../store.ts'

const hour = 3_600_000

test('sums lead time over offers and periods from the known states', async () => {
  const db = new Database(':memory:')
  for (const step of priceWatchSchema.steps) db.exec(step)
  const store = watchStore(db)
  store.putLead('a', 0, 'leading')
  store.putLead('a', 3 * hour, 'behind')
  store.putLead('a', 4 * hour, 'leading')
  store.putLead('b', 2 * hour, 'behind')
  store.putLead('b', 5 * hour, 'none')
  expect(await totalLeadTimes(db, [hour, 3 * hour, 6 * hour], ['a', 'b'])).toEqual([
    { leadingMs: 2 * hour, behindMs: hour },
    { leadingMs: 2 * hour, behindMs: 3 * hour },
  ])
  expect(leadTimes(db, [hour, 6 * hour], 'a')).toEqual([{ leadingMs: 4 * hour, behindMs: hour }])
  expect(shareOf({ leadingMs: 4, behindMs: 1 })).toBe(0.8)
  expect(shareOf({ leadingMs: 0, behindMs: 0 })).toBeNull()
  db.close()
})
