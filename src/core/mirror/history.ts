import type { Database } from 'better-sqlite3'
import { DAY_MS } from '../../../server/api/time.ts'

const WEEK_MS = 7 * DAY_MS
/**
 * Every point is kept for this long; then the turning points of each day, and after a year those of
 * each week.
 */
const ALL_MS = 30 * DAY_MS
const DAILY_MS = 365 * DAY_MS
/** Maximum number of points per record. The oldest are deleted first. */
export const MAX_POINTS = 5000
/** Number of records examined at a time. */
const BATCH = 2000

/** A value from `at` until the next point. Null means that there was none. */
export type Point = { at: number; value: number | null }

/**
 * Chooses the points of a history (oldest first) to keep: all of the last 30 days; from each
 * earlier day, and from each week after a year, the first and last, the lowest, the highest and the
 * first without a value. A point kept by a later run was also kept by every earlier run, so it
 * doesn't matter how often this runs.
 */
export function keptPoints(points: readonly Point[], now: number): Point[] {
  const kept = [...Map.groupBy(points, ({ at }) => periodOf(at, now))].flatMap(([period, among]) =>
    period === 'all' ? among : turnsOf(among),
  )
  return kept.sort((a, b) => a.at - b.at).slice(-MAX_POINTS)
}

/** Full UTC days and weeks, so that no period is thinned before all of it is old enough. */
function periodOf(at: number, now: number): string {
  const week = Math.floor(at / WEEK_MS)
  if ((week + 1) * WEEK_MS <= now - DAILY_MS) return `week ${week}`
  const day = Math.floor(at / DAY_MS)
  return (day + 1) * DAY_MS <= now - ALL_MS ? `day ${day}` : 'all'
}

function turnsOf(points: readonly Point[]): Point[] {
  const kept = new Set<Point | undefined>([
    points[0],
    points.at(-1),
    points.find(({ value }) => value === null),
  ])
  const known = points.filter((point): point is Point & { value: number } => point.value !== null)
  if (known.length > 0) {
    kept.add(known.reduce((low, point) => (point.value < low.value ? point : low)))
    kept.add(known.reduce((high, point) => (point.value > high.value ? point : high)))
  }
  return [...kept].filter((point) => point !== undefined)
}

/**
 * A table of histories: one row per record (`rid`) and instant (`at`), and the column with the
 * value.
 */
export type HistoryTable = { table: string; value: string }

const thinned = new WeakMap<Database, Map<string, number>>()

/**
 * Thins a table's histories ({@link thinHistories}) on the first call after it was opened, then
 * once a day. Call it when Keydesk is idle.
 */
export async function thinDaily(
  db: Database,
  history: HistoryTable,
  now: number,
  signal: AbortSignal,
): Promise<void> {
  const times = thinned.get(db) ?? new Map<string, number>()
  thinned.set(db, times)
  if (now - (times.get(history.table) ?? -Infinity) < DAY_MS) return
  await thinHistories(db, history, now, signal)
  if (!signal.aborted) times.set(history.table, now)
}

/**
 * Thins the histories of a table by {@link keptPoints}, a few records at a time so that other work
 * can run in between. Returns the number of points deleted. Stops early when `signal` aborts.
 */
export async function thinHistories(
  db: Database,
  { table, value }: HistoryTable,
  now: number,
  signal: AbortSignal,
): Promise<number> {
  const old = db
    .prepare<{ from: number; to: number; old: number; most: number }, number>(
      `
    SELECT rid FROM ${table} WHERE rid >= :from AND rid < :to GROUP BY rid
    HAVING count(*) > :most OR count(CASE WHEN at < :old THEN 1 END) > 2`,
    )
    .pluck()
  const read = db.prepare<{ rid: number }, Point>(
    `SELECT at, ${value} AS value FROM ${table} WHERE rid = :rid ORDER BY at`,
  )
  const drop = db.prepare<{ rid: number; ats: string }>(
    `DELETE FROM ${table} WHERE rid = :rid AND at IN (SELECT value FROM json_each(:ats))`,
  )
  const last = db.prepare<[], number | null>(`SELECT max(rid) FROM ${table}`).pluck().get() ?? 0

  const thin = db.transaction((rids: readonly number[]): number =>
    rids.reduce((gone, rid) => {
      const points = read.all({ rid })
      const kept = new Set(keptPoints(points, now).map(({ at }) => at))
      const ats = points.flatMap(({ at }) => (kept.has(at) ? [] : [at]))
      return ats.length === 0 ? gone : gone + drop.run({ rid, ats: JSON.stringify(ats) }).changes
    }, 0),
  )

  let gone = 0
  for (let from = 0; from <= last; from += BATCH) {
    if (signal.aborted) break
    const rids = old.all({ from, to: from + BATCH, old: now - ALL_MS, most: MAX_POINTS })
    if (rids.length > 0) gone += thin(rids)
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
  return gone
}
