import BetterSqlite3 from 'better-sqlite3'
import { expect, test } from 'vitest'
import { importsSchemas } from '../schema.ts'
import { createUploadReadStore } from '../upload/store/upload-read-store.ts'
import { leftOf, paceOf } from './import-view.ts'

/** Requests of 1,000 keys, settled one after another since `from`. */
const settled = (count: number, each: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({ keys: 1000, at: from + index * each }))

test('derives the time left from the rate of keys', () => {
  expect(leftOf({ keys: 10_000, requests: 10 }, settled(11, 200), 2000, true)).toBe(2000)
  expect(leftOf({ keys: 10_000, requests: 10 }, [], 0, true)).toBeNull()
  expect(leftOf({ keys: 936_000, requests: 936 }, settled(64, 80), 5120, false)).toBe(74_880)
})

test('adds a minute per 300 uploads to a job that the service limits', () => {
  // 500 requests of 80 ms: 300 in the first 24 s, the others from the second minute on.
  const ends = 60_000 + 200 * 80
  for (const done of [15, 150, 299]) {
    const now = done * 80
    const left = leftOf(
      { keys: (500 - done) * 1000, requests: 500 - done },
      settled(done, 80),
      now,
      true,
    )
    expect(Math.abs((left ?? 0) - (ends - now))).toBeLessThan(1000)
  }
  // 900 requests: the third burst starts after two minutes.
  expect(leftOf({ keys: 873_000, requests: 873 }, settled(27, 80), 2160, true)).toBe(
    60_000 - 2160 + 60_000 + 300 * 80,
  )
  // A slow service is its own limit.
  expect(leftOf({ keys: 400_000, requests: 400 }, settled(10, 1000), 10_000, true)).toBe(400_000)
})

test('divides the pace into steps of the real database', () => {
  const db = new BetterSqlite3(':memory:')
  for (const { steps, place } of importsSchemas)
    if (place === 'journal') steps.forEach((sql) => db.exec(sql))
  const from = 1_700_000_000_123
  db.exec(`INSERT INTO imports (number, import_id, state, created_at, sums, problems)
    VALUES (1, 'a', 'uploading', 0, '{}', '[]')`)
  for (const [position, at] of [100, 900, 1100, 2500].entries())
    db.exec(`INSERT INTO import_requests (import_number, position, offer, keys, frame, frame_offset,
      frame_length, idempotency_key, state, settled_at)
      VALUES (1, ${position}, 0, 1000, 0, 0, 0, 'k${position}', 'settled', ${from + at})`)
  const store = createUploadReadStore(db)
  const pace = paceOf(from, from + 3000, (start, stepMs) => store.settledIn(1, start, stepMs))
  expect(pace?.keysPerSecond).toEqual([2000, 1000, 1000])
  db.close()
})

test('reports the pace from the start in completed steps, at most sixty', () => {
  const steps = [
    { step: 0, keys: 3000 },
    { step: 2, keys: 500 },
    { step: 3, keys: 900 },
  ]
  expect(paceOf(1_000_000, 1_003_400, () => steps)).toEqual({
    from: 1_000_000,
    stepMs: 1000,
    keysPerSecond: [3000, 0, 500],
  })
  expect(paceOf(0, 600_000, (_from, stepMs) => [{ step: 59, keys: stepMs }])).toMatchObject({
    stepMs: 10_000,
    keysPerSecond: { length: 60, 59: 1000 },
  })
  expect(paceOf(0, 500, () => steps)).toEqual({ from: 0, stepMs: 1000, keysPerSecond: [] })
  expect(paceOf(null, 500, () => steps)).toBeNull()
})
