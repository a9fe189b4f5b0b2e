import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { leadsLost, leadTimes, totalLeadTimes, shareOf } from './lead-times.ts'
import { priceWatchSchema } from '../schema.ts'
import { watchStore } from '../store.ts'
import { HOUR_MS } from '../../../../server/api/time.ts'

test('sums lead time over offers and periods from the known states', async () => {
  const db = new Database(':memory:')
  for (const step of priceWatchSchema.steps) db.exec(step)
  const store = watchStore(db)
  store.putLead('a', 0, 'leading')
  store.putLead('a', 3 * HOUR_MS, 'behind')
  store.putLead('a', 4 * HOUR_MS, 'leading')
  store.putLead('b', 2 * HOUR_MS, 'behind')
  store.putLead('b', 5 * HOUR_MS, 'none')
  expect(await totalLeadTimes(db, [HOUR_MS, 3 * HOUR_MS, 6 * HOUR_MS], ['a', 'b'])).toEqual([
    { leadingMs: 2 * HOUR_MS, behindMs: HOUR_MS },
    { leadingMs: 2 * HOUR_MS, behindMs: 3 * HOUR_MS },
  ])
  expect(leadTimes(db, [HOUR_MS, 6 * HOUR_MS], 'a')).toEqual([
    { leadingMs: 4 * HOUR_MS, behindMs: HOUR_MS },
  ])
  expect(shareOf({ leadingMs: 4, behindMs: 1 })).toBe(0.8)
  expect(shareOf({ leadingMs: 0, behindMs: 0 })).toBeNull()
  db.close()
})

test('counts every lost lead, also of offers that lead again, and no offer first seen behind', () => {
  const db = new Database(':memory:')
  for (const step of priceWatchSchema.steps) db.exec(step)
  const store = watchStore(db)
  store.putLead('a', 1, 'leading')
  store.putLead('a', 10, 'behind')
  store.putLead('a', 11, 'leading')
  store.putLead('a', 12, 'behind')
  store.putLead('a', 13, 'leading')
  store.putLead('b', 10, 'behind')
  store.putLead('c', 10, 'leading')
  store.putLead('c', 11, 'unknown')
  store.putLead('c', 12, 'behind')
  store.putLead('d', 1, 'leading')
  store.putLead('d', 5, 'behind')
  expect(leadsLost(db, 5)).toBe(3)
  expect(leadsLost(db, 20)).toBe(0)
  db.close()
})
