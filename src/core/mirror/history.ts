import type { Database } from 'better-sqlite3'

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
/**
 * Everything is kept for so long, then the turns of each day, and from this on those of each week.
 */
const ALL_MS = 30 * DAY_MS
const DAILY_MS = 365 * DAY_MS
/** Points of one record at most: the oldest go first. */
export const MOST_POINTS = 5000
/** Records looked through at a time. */
const BATCH = 2000

/** A value from an instant on, until the next point; null: there was none. */
export type Point = { at: number; value: number | null }

/**
 * Which points of a history (oldest first) are kept: all of the last 30 days; of each earlier day,
 * and of each week when a year is over, the first and the last, the lowest, the highest and the
 * first without a value. What is kept later is kept earlier too: how often this is done changes
 * nothing.
 */
export function keptPoints(points: readonly Point[], now: number): Point[] {
  const kept = [...Map.groupBy(points, ({ at }) => periodOf(at, now))].flatMap(([period, among]) =>
    period === 'all' ? among : turnsOf(among),
  )
  return kept.sort((a, b) => a.at - b.at).slice(-MOST_POINTS)
}

/**
 * Weeks and days of UTC; whole ones, so that no period is thinned before all of it is old enough.
 */
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
 * A table of histories: one row a record (`rid`) and instant (`at`), and the column of the value.
 */
export type HistoryTable = { table: string; value: string }

const thinned = new WeakMap<Database, Map<string, number>>()

/**
 * Thins a table's histories ({@link thinHistories}) at the first call after it was opened, and then
 * once a day. For quiet moments.
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
 * Thins the histories of a table by {@link keptPoints}, some records at a time: other work goes on
 * in between. Gives how many points went; ends early when `signal` aborts.
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
    SELECT rid FROM ${table} WHERE rid >= :from AND rid < :to GROUP BY rid HAVING count(*) > :most OR count(CASE WHEN at < :old THEN 1 END) > 2`,
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
    const rids = old.all({ from, to: from + BATCH, old: now - ALL_MS, most: MOST_POINTS })
    if (rids.length > 0) gone += thin(rids)
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
  return gone
}
