import type { Database } from 'better-sqlite3'
import type { IdempotencyRepository, StoredCall } from '../../domain/ports/ordering/idempotency.ts'

type Row = Omit<StoredCall, 'holdsKeys'> & { holdsKeys: 0 | 1 }

export function createIdempotencyRepository(database: Database): IdempotencyRepository {
  const find = database.prepare<{ scope: string; key: string }, Row>(`
    SELECT scope, key, digest, status, CASE WHEN holds_keys = 1 THEN unseal(body) ELSE body END AS body,
      order_id AS orderId, holds_keys AS holdsKeys, expires_at AS expiresAt
    FROM idempotency WHERE scope = @scope AND key = @key`)
  const put = database.prepare<Row>(`
    INSERT OR REPLACE INTO idempotency (scope, key, digest, status, body, order_id, holds_keys, expires_at)
    VALUES (@scope, @key, @digest, @status, CASE WHEN @holdsKeys = 1 THEN seal(@body) ELSE @body END,
      @orderId, @holdsKeys, @expiresAt)`)
  const answer = database.prepare<{ scope: string; key: string; status: number; body: string }>(
    'UPDATE idempotency SET status = @status, body = @body WHERE scope = @scope AND key = @key',
  )
  const purge = database.prepare<{ at: number }>('DELETE FROM idempotency WHERE expires_at <= @at')
  const nextExpiry = database
    .prepare<[], number | null>('SELECT min(expires_at) FROM idempotency')
    .pluck()

  return {
    find(scope, key) {
      const row = find.get({ scope, key })
      return row && { ...row, holdsKeys: row.holdsKeys === 1 }
    },
    put: (call) => void put.run({ ...call, holdsKeys: call.holdsKeys ? 1 : 0 }),
    answer: (scope, key, status, body) => void answer.run({ scope, key, status, body }),
    purge: (at) => purge.run({ at }).changes,
    nextExpiry: () => nextExpiry.get() ?? null,
  }
}
