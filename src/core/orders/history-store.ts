import type { Database } from 'better-sqlite3'
import type { Cents } from '../../../server/api/money.ts'

/** How far the list of orders was read, and the balance that was read last. */
export function createHistoryStore(db: Database) {
  const history = db.prepare<
    [],
    {
      next_page: number
      complete: number
      read_at: number | null
      balance_cents: Cents | null
      balance_at: number | null
    }
  >('SELECT * FROM order_history')
  const setHistory = db.prepare(
    `UPDATE order_history SET next_page = :nextPage, complete = :complete,
      read_at = coalesce(:readAt, read_at)`,
  )
  const setBalance = db.prepare('UPDATE order_history SET balance_cents = :cents, balance_at = :at')

  return {
    history() {
      const row = history.get()
      return {
        nextPage: row?.next_page ?? 1,
        complete: row?.complete === 1,
        readAt: row?.read_at ?? null,
        balance:
          row?.balance_cents == null || row.balance_at === null
            ? null
            : { cents: row.balance_cents, at: row.balance_at },
      }
    },
    /** `readAt`: when the list was read to its end; null: not yet. */
    setHistory: (nextPage: number, complete: boolean, readAt: number | null): void =>
      void setHistory.run({ nextPage, complete: complete ? 1 : 0, readAt }),
    setBalance: (cents: Cents, at: number): void => void setBalance.run({ cents, at }),
  }
}
