import type { Database } from 'better-sqlite3'
import type { ActivityEntry } from '../../contract/app.ts'

type Row = Omit<ActivityEntry, 'accountId' | 'requestId' | 'durationMs'> & { account_id: string | null; request_id: string | null; duration_ms: number | null }

/** How many entries are kept: the oldest leave first. */
const keptEntries = 50_000

export function createActivityStore(database: Database) {
  const insert = database.prepare<ActivityEntry>(`
    INSERT INTO activity (id, at, account_id, what, detail, outcome, code, status, request_id, duration_ms)
    VALUES (:id, :at, :accountId, :what, :detail, :outcome, :code, :status, :requestId, :durationMs)
  `)
  const trim = database.prepare<{ kept: number }>('DELETE FROM activity WHERE seq <= (SELECT max(seq) FROM activity) - :kept')
  const latest = database.prepare<{ limit: number }, Row>('SELECT * FROM activity ORDER BY seq DESC LIMIT :limit')
  const latestOf = database.prepare<{ limit: number; accountId: string }, Row>('SELECT * FROM activity WHERE account_id = :accountId ORDER BY seq DESC LIMIT :limit')
  const remove = database.prepare<{ accountId: string }>('DELETE FROM activity WHERE account_id = :accountId')
  const add = database.transaction((entries: readonly ActivityEntry[]) => {
    for (const entry of entries) insert.run(entry)
    trim.run({ kept: keptEntries })
  })
  return {
    add: (entries: readonly ActivityEntry[]): void => void add.immediate(entries),
    /** Newest first; of one account, or of all. */
    latest: (accountId: string | null, limit: number): ActivityEntry[] =>
      (accountId === null ? latest.all({ limit }) : latestOf.all({ limit, accountId })).map(entryOf),
    removeAccount: (accountId: string): void => void remove.run({ accountId }),
  }
}

const entryOf = ({ id, at, account_id: accountId, what, detail, outcome, code, status, request_id: requestId, duration_ms: durationMs }: Row): ActivityEntry =>
  ({ id, at, accountId, what, detail, outcome, code, status, requestId, durationMs })
