import type { Database } from 'better-sqlite3'
import type { Cents } from '../../../server/api/money.ts'

/** One account's balance readings and its warning. */
export function createSpendingStore(db: Database) {
  const latest = db.prepare<[], { at: number; cents: Cents }>(
    'SELECT at, cents FROM partner_balances ORDER BY at DESC LIMIT 1',
  )
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
    /**
     * Stores changes only, in the service's time. A reading is always the latest one, also after
     * the service's clock was set back.
     */
    keep: (at: number, cents: Cents): void => {
      const before = latest.get()
      if (before?.cents !== cents) keep.run({ at: Math.max(at, (before?.at ?? 0) + 1), cents })
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
