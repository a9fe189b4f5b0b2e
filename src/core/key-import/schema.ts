import type { FeatureSchema, SealedColumn } from '../mirror/schema.ts'
import { keysJournal } from './key-schema.ts'
import { profilesJournal } from './profiles/profile-schema.ts'

/** The associated data that seals a file's results and the user's choices for it. */
export const importFileRecord = (fileId: string, what: 'result' | 'choices'): string =>
  `import-file:${fileId}:${what}`

const sealedFacts = (['result', 'choices'] as const).map((column): SealedColumn => ({
  kind: 'import-facts',
  table: 'import_files',
  column,
  key: ['file_id'],
  recordId: (row) => importFileRecord(String(row['file_id']), column),
}))

/** Columns of tables that got more columns after they moved out of the mirror. */
const firstColumns = {
  import_requests:
    'import_number, position, offer, keys, frame, frame_offset, frame_length, idempotency_key, ' +
    'state, attempts, sent_at, settled_at, stock_before, added, duplicates, stock, left_out',
  import_offers: 'import_number, position, offer_id, product, name, platform, region, problem',
  import_uploaded_keys: 'fingerprint, product_id, import_number, file, line',
}

/**
 * Imports of an account, their files, and the journal of their uploads. Results of reading a file
 * (column names, values of the offer column) and the user's choices are sealed in `result` and
 * `choices`, because a wrong guess can put keys into the column names. Keys themselves are only in
 * the sealed files of the spool. `import_uploaded_keys` outlives the import and holds fingerprints
 * of the keys on the service, never keys.
 */
const importsJournal: FeatureSchema = {
  feature: 'imports',
  place: 'journal',
  steps: [
    `
    CREATE TABLE imports (
      number INTEGER PRIMARY KEY,
      import_id TEXT NOT NULL UNIQUE,
      state TEXT NOT NULL CHECK (state IN ('draft', 'uploading', 'paused', 'waiting', 'stopped', 'done', 'cancelled')),
      created_at INTEGER NOT NULL,
      started_at INTEGER,
      ended_at INTEGER,
      sums TEXT NOT NULL,
      problems TEXT NOT NULL,
      problem TEXT
    ) STRICT;
    CREATE TABLE import_files (
      file_id TEXT PRIMARY KEY,
      import_number INTEGER NOT NULL REFERENCES imports (number) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      name TEXT NOT NULL,
      size INTEGER NOT NULL,
      received INTEGER NOT NULL DEFAULT 0,
      state TEXT NOT NULL CHECK (state IN ('receiving', 'checking', 'checked', 'failed')),
      problem TEXT,
      offer_id TEXT,
      revision INTEGER NOT NULL DEFAULT 0,
      lines INTEGER NOT NULL DEFAULT 0,
      choices BLOB,
      result BLOB,
      UNIQUE (import_number, position)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE import_offers (
      import_number INTEGER NOT NULL REFERENCES imports (number) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      offer_id TEXT NOT NULL,
      product TEXT NOT NULL,
      name TEXT NOT NULL,
      platform TEXT NOT NULL,
      region TEXT NOT NULL,
      problem TEXT,
      PRIMARY KEY (import_number, position)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE import_requests (
      import_number INTEGER NOT NULL REFERENCES imports (number) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      offer INTEGER NOT NULL,
      keys INTEGER NOT NULL,
      frame INTEGER NOT NULL,
      frame_offset INTEGER NOT NULL,
      frame_length INTEGER NOT NULL,
      idempotency_key TEXT NOT NULL UNIQUE,
      state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'settled', 'refused')),
      attempts INTEGER NOT NULL DEFAULT 0,
      sent_at INTEGER,
      settled_at INTEGER,
      stock_before INTEGER,
      added INTEGER NOT NULL DEFAULT 0,
      duplicates INTEGER NOT NULL DEFAULT 0,
      stock INTEGER,
      left_out TEXT NOT NULL DEFAULT '[]',
      PRIMARY KEY (import_number, position)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX import_requests_by_state ON import_requests (import_number, state, position);
    CREATE TABLE import_journal (
      import_number INTEGER NOT NULL REFERENCES imports (number) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      at INTEGER NOT NULL,
      what TEXT NOT NULL,
      detail TEXT NOT NULL,
      PRIMARY KEY (import_number, position)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE import_uploaded_keys (
      fingerprint BLOB NOT NULL,
      product_id TEXT NOT NULL,
      import_number INTEGER NOT NULL,
      file INTEGER NOT NULL,
      line INTEGER NOT NULL,
      PRIMARY KEY (fingerprint, product_id)
    ) STRICT, WITHOUT ROWID;
    `,
    // Empty for imports of an older version.
    "ALTER TABLE import_offers ADD COLUMN delivery_type TEXT NOT NULL DEFAULT ''",
  ],
  sealed: sealedFacts,
  importFromMirror: {
    table: 'import_uploaded_keys',
    sql: [
      ...['imports', 'import_files', 'import_journal'].map(
        (table) => `INSERT OR IGNORE INTO ${table} SELECT * FROM old.${table};`,
      ),
      ...Object.entries(firstColumns).map(
        ([table, columns]) =>
          `INSERT OR IGNORE INTO ${table} (${columns}) SELECT ${columns} FROM old.${table};`,
      ),
    ].join(''),
  },
}

/** Imports used to be stored in the mirror. */
const importsMoved: FeatureSchema = {
  feature: 'imports',
  steps: [
    '',
    [
      'import_journal',
      'import_requests',
      'import_offers',
      'import_files',
      'imports',
      'import_uploaded_keys',
    ]
      .map((table) => `DROP TABLE IF EXISTS ${table};`)
      .join(''),
  ],
}

export const importsSchemas = [importsJournal, importsMoved, keysJournal, profilesJournal]
