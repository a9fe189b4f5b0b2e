import type { Database } from 'better-sqlite3'
import type { Mode, Role } from '../../contract/app/accounts.ts'
import type { SafetyCopy } from '../context.ts'

/** An account as stored: everything except its key. */
export type AccountRecord = {
  id: string
  name: string
  role: Role
  mode: Mode
  baseUrl: string
  maskedKey: string
  kept: 'keychain' | 'session'
  serviceAccountId: string | null
  idempotency: boolean
  demo: 'seller' | 'partner' | null
  createdAt: number
  /** The service's clock minus this computer's, in milliseconds. */
  clockOffsetMs: number
}

type Row = {
  id: string
  name: string
  role: Role
  mode: Mode
  base_url: string
  masked_key: string
  kept: 'keychain' | 'session'
  service_account_id: string | null
  idempotency: number
  demo: 'seller' | 'partner' | null
  created_at: number
  clock_offset_ms: number
}

/** @param safetyCopy the copy of the accounts outside the database, if there is one */
export function createAccountStore(database: Database, safetyCopy: SafetyCopy | null = null) {
  const all = database.prepare<[], Row>('SELECT * FROM account ORDER BY created_at, rowid')
  const put = database.prepare<Omit<AccountRecord, 'idempotency'> & { idempotency: number }>(`
    INSERT INTO account (
      id, name, role, mode, base_url, masked_key, kept, service_account_id, idempotency, demo, created_at,
      clock_offset_ms
    ) VALUES (
      :id, :name, :role, :mode, :baseUrl, :maskedKey, :kept, :serviceAccountId, :idempotency, :demo, :createdAt,
      :clockOffsetMs
    )
    ON CONFLICT (id) DO UPDATE SET
      name = excluded.name, mode = excluded.mode, base_url = excluded.base_url,
      masked_key = excluded.masked_key, kept = excluded.kept,
      service_account_id = excluded.service_account_id,
      idempotency = excluded.idempotency, demo = excluded.demo,
      clock_offset_ms = excluded.clock_offset_ms
  `)
  const remove = database.prepare<{ id: string }>('DELETE FROM account WHERE id = :id')
  return {
    all: (): AccountRecord[] =>
      all.all().map((row) => ({
        id: row.id,
        name: row.name,
        role: row.role,
        mode: row.mode,
        baseUrl: row.base_url,
        maskedKey: row.masked_key,
        kept: row.kept,
        serviceAccountId: row.service_account_id,
        idempotency: row.idempotency === 1,
        demo: row.demo,
        createdAt: row.created_at,
        clockOffsetMs: row.clock_offset_ms,
      })),
    put(record: AccountRecord): void {
      put.run({ ...record, idempotency: record.idempotency ? 1 : 0 })
      safetyCopy?.update()
    },
    remove(id: string): void {
      safetyCopy?.leaveOut(id)
      remove.run({ id })
    },
  }
}

/** The accounts in a database of any version; null if it has no such table. */
export function storedAccountIds(database: Database): string[] | null {
  if (!database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'account'").get()) return null
  return database.prepare<[], string>('SELECT id FROM account').pluck().all()
}
