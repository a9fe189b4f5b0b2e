import type { Database } from 'better-sqlite3'
import type { SafetyCopy } from '../context.ts'
import type { FeatureSchema } from '../mirror/schema.ts'
import { costSchema, unstoredCost } from './keys/passphrase.ts'
import type { ScryptCost, WrappedKey } from './keys/passphrase.ts'

export const vaultSchema: FeatureSchema = {
  feature: 'vault',
  steps: [
    `
    CREATE TABLE vault_key (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      kept TEXT NOT NULL CHECK (kept IN ('keychain', 'passphrase')),
      salt BLOB,
      wrapped BLOB,
      -- HMAC of a fixed text under the data key, which identifies the data key of this vault.
      proof BLOB NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT;
  `,
    `
    -- Name of the keychain entry that stores the data key.
    ALTER TABLE vault_key ADD COLUMN entry TEXT;
    UPDATE vault_key SET entry = 'vault' WHERE kept = 'keychain';
    -- The fingerprint key, encrypted with the data key. It survives a rekeying, so that uploaded
    -- keys are recognized.
    ALTER TABLE vault_key ADD COLUMN fingerprint BLOB;
    -- The previous sealing key, encrypted with the data key, until every value is encrypted again.
    ALTER TABLE vault_key ADD COLUMN previous BLOB;
    -- A keychain entry that is no longer needed and not deleted yet.
    ALTER TABLE vault_key ADD COLUMN retired TEXT;
  `,
    `
    -- The cost at which a passphrase wraps the data key, as JSON; null from before it was stored.
    ALTER TABLE vault_key ADD COLUMN kdf TEXT;
    -- Wrong passphrases since the last right one. Counted before a passphrase is checked.
    CREATE TABLE passphrase_attempts (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      wrong INTEGER NOT NULL
    ) STRICT;
  `,
    `
    -- The security passphrase, recognized by its verifier: an HMAC under the key derived from it.
    CREATE TABLE security_passphrase (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      salt BLOB NOT NULL,
      kdf TEXT NOT NULL,
      verifier BLOB NOT NULL,
      set_at INTEGER NOT NULL
    ) STRICT;
  `,
  ],
}

export type StoredKey = {
  kept: 'keychain' | 'passphrase'
  /** The keychain entry of the data key; null when a passphrase wraps it. */
  entry: string | null
  wrapped: WrappedKey | null
  proof: Buffer
  fingerprint: Buffer | null
  previous: Buffer | null
  retired: string | null
}

type Row = Omit<StoredKey, 'wrapped'> & {
  salt: Buffer | null
  wrapped: Buffer | null
  kdf: string | null
}

const costText = (cost: ScryptCost): string => JSON.stringify({ name: 'scrypt', ...cost })
const storedCost = (kdf: string | null): ScryptCost => {
  if (kdf === null) return unstoredCost
  const { N, r, p } = costSchema.parse(JSON.parse(kdf))
  return { N, r, p }
}

/**
 * The single row that describes how the data key is stored.
 *
 * @param safetyCopy the copy of the row outside the database, if there is one
 */
export function createVaultStore(database: Database, safetyCopy: SafetyCopy | null = null) {
  const columns = 'kept, entry, salt, wrapped, kdf, proof, fingerprint, previous, retired'
  const read = database.prepare<[], Row>(`SELECT ${columns} FROM vault_key`)
  const insert = database.prepare<Row & { at: number }>(
    `INSERT INTO vault_key (id, ${columns}, created_at)
      VALUES (1, :kept, :entry, :salt, :wrapped, :kdf, :proof, :fingerprint, :previous, :retired, :at)`,
  )
  const update = database.prepare<Row>(
    `UPDATE vault_key SET kept = :kept, entry = :entry, salt = :salt, wrapped = :wrapped,
      kdf = :kdf, proof = :proof, fingerprint = :fingerprint, previous = :previous, retired = :retired`,
  )
  const rowOf = ({ wrapped, ...kept }: StoredKey): Row => ({
    ...kept,
    salt: wrapped?.salt ?? null,
    wrapped: wrapped?.wrapped ?? null,
    kdf: wrapped === null ? null : costText(wrapped.cost),
  })
  return {
    read(): StoredKey | null {
      const row = read.get()
      if (row === undefined) return null
      const { salt, wrapped, kdf, ...kept } = row
      return {
        ...kept,
        wrapped:
          salt === null || wrapped === null ? null : { salt, wrapped, cost: storedCost(kdf) },
      }
    },
    /**
     * Throws when a row exists: a data key is only replaced by {@link replace}, which preserves the
     * keys that open existing values.
     */
    write(kept: StoredKey, at: number): void {
      insert.run({ ...rowOf(kept), at })
      safetyCopy?.update()
    },
    replace(kept: StoredKey): void {
      update.run(rowOf(kept))
      safetyCopy?.update()
    },
    /** Removes earlier versions of the row from the write-ahead log. */
    forget: (): void => void database.pragma('wal_checkpoint(TRUNCATE)'),
  }
}

/** How many wrong passphrases were entered since the last right one. */
export function createAttemptStore(database: Database) {
  const read = database.prepare<[], { wrong: number }>('SELECT wrong FROM passphrase_attempts')
  const write = database.prepare<{ wrong: number }>(
    `INSERT INTO passphrase_attempts (id, wrong) VALUES (1, :wrong)
      ON CONFLICT (id) DO UPDATE SET wrong = excluded.wrong`,
  )
  return {
    read: (): number => read.get()?.wrong ?? 0,
    write: (wrong: number): void => void write.run({ wrong }),
  }
}
/** Whether a database of any version stores a vault's key. */
export const hasStoredKey = (database: Database): boolean =>
  database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'vault_key'").get() !== undefined &&
  database.prepare('SELECT proof FROM vault_key').get() !== undefined

type SecurityPassphraseRow = { salt: Buffer; kdf: string; verifier: Buffer; setAt: number }

/** The stored part of the security passphrase. */
export function createSecurityPassphraseStore(database: Database) {
  const read = database.prepare<[], SecurityPassphraseRow>(
    'SELECT salt, kdf, verifier, set_at AS setAt FROM security_passphrase',
  )
  const write = database.prepare<SecurityPassphraseRow>(
    `INSERT INTO security_passphrase (id, salt, kdf, verifier, set_at)
      VALUES (1, :salt, :kdf, :verifier, :setAt)
      ON CONFLICT (id) DO UPDATE SET salt = excluded.salt, kdf = excluded.kdf,
        verifier = excluded.verifier, set_at = excluded.set_at`,
  )
  const remove = database.prepare('DELETE FROM security_passphrase')
  return {
    read(): (Omit<SecurityPassphraseRow, 'kdf'> & { cost: ScryptCost }) | null {
      const row = read.get()
      if (row === undefined) return null
      const { kdf, ...stored } = row
      return { ...stored, cost: storedCost(kdf) }
    },
    write: ({ cost, ...stored }: Omit<SecurityPassphraseRow, 'kdf'> & { cost: ScryptCost }): void =>
      void write.run({ ...stored, kdf: costText(cost) }),
    /** Returns whether there was one. */
    remove: (): boolean => remove.run().changes > 0,
  }
}
