import type { Database } from 'better-sqlite3'
import type { Cents } from '../../../server/api/money.ts'
import { perDatabase } from '../mirror/mirror.ts'

/** In cents; null if the service doesn't report it. `at` is in the service's time. */
export type Reading = { at: number; pendingCents: Cents | null; availableCents: Cents | null }
export type Release = { date: string; cents: Cents; sales: number | null }

const dayMs = 24 * 3_600_000
/** Every change of this period is stored; for older days, only the last one. */
const KEPT_COMPLETE_MS = 40 * dayMs
const SELECT =
  'SELECT at, pending_cents AS pendingCents, available_cents AS availableCents FROM balance_readings'

/** The balance of one mirror; its readings are in the journal. */
export const balanceStore = perDatabase(createBalanceStore)
export type BalanceStore = ReturnType<typeof createBalanceStore>

function createBalanceStore(db: Database) {
  const latest = db.prepare<[], Reading>(`${SELECT} ORDER BY at DESC LIMIT 1`)
  const before = db.prepare<{ at: number }, Reading>(
    `${SELECT} WHERE at < :at ORDER BY at DESC LIMIT 1`,
  )
  const between = db.prepare<{ from: number; to: number }, Reading>(
    `${SELECT} WHERE at >= :from AND at < :to ORDER BY at`,
  )
  const add = db.prepare(
    `INSERT OR REPLACE INTO balance_readings (at, pending_cents, available_cents) VALUES (:at,
      :pendingCents, :availableCents)`,
  )
  const releases = db.prepare<[], Release>(
    'SELECT date, cents, sales FROM balance_releases ORDER BY date',
  )
  const addRelease = db.prepare(
    'INSERT OR REPLACE INTO balance_releases (date, cents, sales) VALUES (:date, :cents, :sales)',
  )
  const setState = db.prepare('UPDATE balance_state SET read_at = :at, currency = :currency')
  const state = db.prepare<[], { read_at: number | null; currency: string | null }>(
    'SELECT read_at, currency FROM balance_state',
  )
  const since = db.prepare<[], number | null>('SELECT min(at) FROM balance_readings').pluck()
  const thin = db.prepare(`DELETE FROM balance_readings WHERE at < :until
    AND at NOT IN (SELECT max(at) FROM balance_readings WHERE at < :until GROUP BY at / ${dayMs})
      AND at <> (SELECT min(at) FROM balance_readings)`)

  return {
    /**
     * Writes a balance reported by the service; returns whether anything but the time changed. A
     * reading is always the latest one, also after the service's clock was set back.
     *
     * @param readAt When it was read, by this computer's clock.
     */
    put(
      reading: Reading,
      currency: string | null,
      upcoming: readonly Release[],
      readAt = reading.at,
    ): boolean {
      return db.transaction(() => {
        const was = latest.get()
        const moved =
          was?.pendingCents !== reading.pendingCents ||
          was.availableCents !== reading.availableCents
        if (moved) {
          const at = Math.max(reading.at, (was?.at ?? 0) + 1)
          add.run({ ...reading, at })
          thin.run({ until: at - KEPT_COMPLETE_MS })
        }
        const other = JSON.stringify(releases.all()) !== JSON.stringify(upcoming)
        if (other) {
          db.exec('DELETE FROM balance_releases')
          for (const release of upcoming) addRelease.run(release)
        }
        setState.run({ at: readAt, currency })
        return moved || other
      })()
    },
    now(): { reading: Reading | null; currency: string | null; upcoming: Release[] } {
      const { read_at: at, currency } = state.get() ?? { read_at: null, currency: null }
      const reading = latest.get()
      return {
        reading: reading === undefined ? null : { ...reading, at: at ?? reading.at },
        currency,
        upcoming: releases.all(),
      }
    },
    readAt: (): number | null => state.get()?.read_at ?? null,
    history(from: number, to: number): { readings: Reading[]; keptSince: number | null } {
      const first = before.get({ at: from })
      return {
        readings: [
          ...(first === undefined ? [] : [{ ...first, at: from }]),
          ...between.all({ from, to }),
        ],
        keptSince: since.get() ?? null,
      }
    },
  }
}
