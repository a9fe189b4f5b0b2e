import type { Database } from 'better-sqlite3'
import type { Cents } from '../../../server/api/money.ts'

/** One account's balance readings and its warning. */
export function createSpendingStore(db: Database) {
  const latest = db
    .prepare<[], number>('SELECT cents FROM partner_balances ORDER BY at DESC LIMIT 1')
    .pluck()
  const keep = db.prepare(
    `INSERT INTO partner_balances (at, cents) VALUES (:at, :cents) ON CONFLICT (at) DO UPDATE
      SET cents = excluded.cents`,
  )
  const readings = db.prepare<{ limit: number }, { at: number; cents: Cents }>(
    'SELECT at, cents FROM partner_balances ORDER BY at DESC LIMIT :limit',
  )
  const warning = db.prepare<[], { low_cents: Cents | null; warned: number }>(
    'SELECT low_cents, warned FROM balance_warning',
  )
  const setLow = db.prepare('UPDATE balance_warning SET low_cents = :lowCents')
  const setWarned = db.prepare('UPDATE balance_warning SET warned = :warned')
  return {
    /** Stores changes only. */
    keep: (at: number, cents: Cents): void => {
      if (latest.get() !== cents) keep.run({ at, cents })
    },
    /** The latest readings, oldest first. */
    readings: (limit: number) => readings.all({ limit }).toReversed(),
    warning: () => ({
      lowCents: warning.get()?.low_cents ?? null,
      warned: warning.get()?.warned === 1,
    }),
    setLow: (lowCents: Cents | null): void => void setLow.run({ lowCents }),
    setWarned: (warned: boolean): void => void setWarned.run({ warned: warned ? 1 : 0 }),
  }
}
export type SpendingStore = ReturnType<typeof createSpendingStore>
