import DatabaseConstructor from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_POINTS, keptPoints, thinDaily, thinHistories } from './history.ts'
import type { Point } from './history.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = 2000 * DAY + 5 * HOUR

const histories = fc
  .uniqueArray(
    fc.record({
      at: fc.integer({ min: NOW - 500 * DAY, max: NOW }).map((at) => at - (at % HOUR)),
      value: fc.option(fc.integer({ min: 1, max: 30 })),
    }),
    {
      maxLength: 300,
      selector: ({ at }) => at,
    },
  )
  .map((points) => points.toSorted((a, b) => a.at - b.at))

test('keeps every point of 30 days, and the turning points of each day or week before that', () => {
  fc.assert(
    fc.property(histories, (points) => {
      const kept = keptPoints(points, NOW)
      expect(points).toEqual(expect.arrayContaining(kept))
      expect(kept.map(({ at }) => at)).toEqual(kept.map(({ at }) => at).toSorted((a, b) => a - b))
      const recent = (all: readonly Point[]): Point[] =>
        all.filter(({ at }) => at >= NOW - 30 * DAY)
      expect(recent(kept)).toEqual(recent(points))
      for (const [length, from, to] of [
        [DAY, NOW - 350 * DAY, NOW - 32 * DAY],
        [7 * DAY, 0, NOW - 380 * DAY],
      ] as const) {
        const periods = (all: readonly Point[]): Map<number, Point[]> =>
          Map.groupBy(
            all.filter(({ at }) => at >= from && at < to),
            ({ at }) => Math.floor(at / length),
          )
        const [before, after] = [periods(points), periods(kept)]
        for (const [period, all] of before) {
          const left = after.get(period) ?? []
          const values = (some: readonly Point[]): number[] =>
            some.flatMap(({ value }) => value ?? [])
          // The test cuts a period at the seams, so the period's real ends are unknown there.
          if (period * length < from || (period + 1) * length > to) continue
          expect([left[0], left.at(-1)]).toEqual([all[0], all.at(-1)])
          expect([Math.min(...values(left)), Math.max(...values(left))]).toEqual([
            Math.min(...values(all)),
            Math.max(...values(all)),
          ])
          expect(left.find(({ value }) => value === null)).toEqual(
            all.find(({ value }) => value === null),
          )
          expect(left.length).toBeLessThanOrEqual(5)
        }
      }
    }),
    { numRuns: 200 },
  )
})

test('how often a history is thinned makes no difference', () => {
  fc.assert(
    fc.property(
      histories,
      fc.array(fc.integer({ min: 0, max: 600 * DAY }), { maxLength: 4 }),
      (points, later) => {
        const times = [NOW, ...later.toSorted((a, b) => a - b).map((ms) => NOW + ms)]
        const step = times.reduce<readonly Point[]>((left, now) => keptPoints(left, now), points)
        expect(step).toEqual(keptPoints(points, times.at(-1) ?? NOW))
      },
    ),
    { numRuns: 200 },
  )
})

test('thins a table of histories record by record and bounds each of them', async () => {
  const db = new DatabaseConstructor(':memory:')
  db.exec(
    `CREATE TABLE some_history (rid INTEGER NOT NULL, at INTEGER NOT NULL, cents INTEGER, PRIMARY KEY (rid, at))
    STRICT, WITHOUT ROWID`,
  )
  const put = db.prepare('INSERT INTO some_history VALUES (?, ?, ?)')
  const pointsOf = (rid: number): Point[] =>
    db
      .prepare<[number], Point>(
        'SELECT at, cents AS value FROM some_history WHERE rid = ? ORDER BY at',
      )
      .all(rid)
  db.transaction(() => {
    for (let hour = 0; hour < 24 * 60; hour += 1)
      put.run(1, NOW - 60 * DAY + hour * HOUR, 100 + ((hour * 7919) % 977))
    for (let i = 0; i < MAX_POINTS + 100; i += 1) put.run(2500, NOW - i, i)
    put.run(7000, NOW - 400 * DAY, 5)
  })()
  const [first, second] = [pointsOf(1), pointsOf(2500)]
  const table = { table: 'some_history', value: 'cents' }
  const aborted = new AbortController()
  aborted.abort()
  expect(await thinHistories(db, table, NOW, aborted.signal)).toBe(0)
  const gone = await thinHistories(db, table, NOW, new AbortController().signal)
  expect(pointsOf(1)).toEqual(keptPoints(first, NOW))
  expect(pointsOf(2500)).toEqual(second.slice(-MAX_POINTS))
  expect(pointsOf(7000)).toEqual([{ at: NOW - 400 * DAY, value: 5 }])
  expect(gone).toBe(first.length + second.length - pointsOf(1).length - pointsOf(2500).length)
  expect(gone).toBeGreaterThan(600)
  expect(await thinHistories(db, table, NOW, new AbortController().signal)).toBe(0)

  // Thinning once a day is enough.
  const left = pointsOf(1).length
  await thinDaily(db, table, NOW, new AbortController().signal)
  await thinDaily(db, table, NOW + DAY - 1, new AbortController().signal)
  expect(pointsOf(1)).toHaveLength(left)
  await thinDaily(db, table, NOW + DAY, new AbortController().signal)
  expect(pointsOf(1).length).toBeLessThan(left)
})
