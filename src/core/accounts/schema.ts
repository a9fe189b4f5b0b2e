import type { FeatureSchema } from '../mirror/schema.ts'

export const accountsSchema: FeatureSchema = {
  feature: 'accounts',
  steps: [
    `
    CREATE TABLE account (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      role TEXT NOT NULL CHECK (role IN ('partner', 'seller')),
      mode TEXT NOT NULL CHECK (mode IN ('live', 'test', 'sandbox')),
      base_url TEXT NOT NULL,
      masked_key TEXT NOT NULL,
      kept TEXT NOT NULL CHECK (kept IN ('keychain', 'session')),
      service_account_id TEXT,
      idempotency INTEGER NOT NULL,
      -- Which demo account of the bundled sandbox it is; null for all others.
      demo TEXT CHECK (demo IN ('seller', 'partner')),
      created_at INTEGER NOT NULL
    ) STRICT;
  `,
    // The service's clock minus this computer's, in milliseconds, as its last response showed it.
    'ALTER TABLE account ADD COLUMN clock_offset_ms INTEGER NOT NULL DEFAULT 0',
    // Values of an account whose files are closed, as JSON. Deleted while they are open.
    'CREATE TABLE account_summary (account_id TEXT PRIMARY KEY, summary TEXT NOT NULL) STRICT',
  ],
}
