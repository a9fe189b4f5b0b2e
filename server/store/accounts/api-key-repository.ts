import type { Database } from 'better-sqlite3'
import type { Scope } from '../../api/schemas/enums.ts'
import type { AccountRepository, ApiKeyRecord } from '../../domain/ports/accounts.ts'

type KeyRepository = Pick<
  AccountRepository,
  'insertKey' | 'keyByHash' | 'key' | 'keysOf' | 'revokeKey' | 'revokeKeysFrom' | 'setLastUsed'
>
type Row = Omit<ApiKeyRecord, 'scopes'> & { scopes: string }

const columns = `id, owner, account_id AS accountId, mode, hash, prefix, last_four AS lastFour, scopes, origin,
  created_at AS createdAt, last_used_at AS lastUsedAt, expires_at AS expiresAt, revoked_at AS revokedAt`

/** API keys, stored only as hashes. */
export function createApiKeyRepository(database: Database): KeyRepository {
  const insert = database.prepare<Row>(`
    INSERT INTO api_keys (id, owner, account_id, mode, hash, prefix, last_four, scopes, origin, created_at,
      last_used_at, expires_at, revoked_at)
    VALUES (@id, @owner, @accountId, @mode, @hash, @prefix, @lastFour, @scopes, @origin, @createdAt,
      @lastUsedAt, @expiresAt, @revokedAt)`)
  const byHash = database.prepare<{ hash: Uint8Array }, Row>(
    `SELECT ${columns} FROM api_keys WHERE hash = @hash`,
  )
  const byId = database.prepare<{ id: string }, Row>(
    `SELECT ${columns} FROM api_keys WHERE id = @id`,
  )
  const ofAccount = database.prepare<{ accountId: string }, Row>(
    `SELECT ${columns} FROM api_keys WHERE account_id = @accountId ORDER BY created_at DESC, id`,
  )
  const revoke = database.prepare<{ id: string; at: number }>(
    'UPDATE api_keys SET revoked_at = @at WHERE id = @id AND revoked_at IS NULL',
  )
  const revokeFrom = database.prepare<{ origin: string; at: number }>(
    'UPDATE api_keys SET revoked_at = @at WHERE origin = @origin AND revoked_at IS NULL',
  )
  const used = database.prepare<{ id: string; at: number }>(
    'UPDATE api_keys SET last_used_at = @at WHERE id = @id',
  )

  function record(row: Row): ApiKeyRecord {
    return { ...row, scopes: JSON.parse(row.scopes) as Scope[] }
  }
  function optional(row: Row | undefined): ApiKeyRecord | undefined {
    return row && record(row)
  }

  return {
    insertKey: (key) => void insert.run({ ...key, scopes: JSON.stringify(key.scopes) }),
    keyByHash: (hash) => optional(byHash.get({ hash })),
    key: (id) => optional(byId.get({ id })),
    keysOf: (accountId) => ofAccount.all({ accountId }).map(record),
    revokeKey: (id, at) => void revoke.run({ id, at }),
    revokeKeysFrom: (origin, at) => void revokeFrom.run({ origin, at }),
    setLastUsed: (id, at) => void used.run({ id, at }),
  }
}
