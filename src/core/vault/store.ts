import type { Database } from 'better-sqlite3'
import type { FeatureSchema } from '../mirror/schema.ts'
import type { WrappedKey } from './passphrase.ts'

export const vaultSchema: FeatureSchema = {
  feature: 'vault',
  steps: [`
    CREATE TABLE vault_key (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      kept TEXT NOT NULL CHECK (kept IN ('keychain', 'passphrase')),
      salt BLOB,
      wrapped BLOB,
      -- HMAC of a fixed text under the data key: tells a data key that is not the one this desk's values were sealed with.
      proof BLOB NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT;
  `],
}

export type KeptKey = { kept: 'keychain' | 'passphrase'; wrapped: WrappedKey | null; proof: Buffer }

type Row = { kept: 'keychain' | 'passphrase'; salt: Buffer | null; wrapped: Buffer | null; proof: Buffer }

export function createVaultStore(database: Database) {
  const read = database.prepare<[], Row>('SELECT kept, salt, wrapped, proof FROM vault_key')
  const insert = database.prepare<Row & { createdAt: number }>('INSERT INTO vault_key (id, kept, salt, wrapped, proof, created_at) VALUES (1, :kept, :salt, :wrapped, :proof, :createdAt)')
  return {
    read(): KeptKey | null {
      const row = read.get()
      if (row === undefined) return null
      const { kept, salt, wrapped, proof } = row
      return { kept, wrapped: salt === null || wrapped === null ? null : { salt, wrapped }, proof }
    },
    /** Throws when one is there already: a data key is never replaced, or all it sealed would be lost. */
    write({ kept, wrapped, proof }: KeptKey, createdAt: number): void {
      insert.run({ kept, salt: wrapped?.salt ?? null, wrapped: wrapped?.wrapped ?? null, proof, createdAt })
    },
  }
}
