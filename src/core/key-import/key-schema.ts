import type { FeatureSchema } from '../mirror/schema.ts'

/** The associated data that seals the hints of one request's keys. */
export const hintsRecord = (importNumber: number, request: number): string =>
  `import-key-hints:${importNumber}:${request}`

/**
 * The outcome of each key. `import_uploaded_keys` holds the keys on the service, each with the line
 * it came from. `import_key_history` holds keys that were withdrawn, and repeated uploads of the
 * same key. `fate`: `added` or `duplicate` if the service's response is certain for this key,
 * `unsure` if one response counted both among several keys, or if the import was canceled before
 * the response, `refused` if the service rejected the key, `excluded` if the user excluded it after
 * its response was lost (older imports: `refused`). `import_key_hints`: masks and last four
 * characters of a request's keys, sealed together, to recognize a sold key that is no longer stored.
 */
export const keysJournal: FeatureSchema = {
  feature: 'import-keys',
  place: 'journal',
  steps: [
    `
    ALTER TABLE import_uploaded_keys ADD COLUMN offer INTEGER;
    ALTER TABLE import_uploaded_keys ADD COLUMN request INTEGER;
    ALTER TABLE import_uploaded_keys ADD COLUMN fate TEXT NOT NULL DEFAULT 'added';
    ALTER TABLE import_uploaded_keys ADD COLUMN at INTEGER;
    CREATE INDEX import_uploaded_keys_by_line ON import_uploaded_keys (import_number, file, line);
    CREATE TABLE import_key_history (
      number INTEGER PRIMARY KEY,
      fingerprint BLOB NOT NULL,
      product_id TEXT NOT NULL,
      import_number INTEGER NOT NULL,
      offer INTEGER,
      request INTEGER,
      file INTEGER NOT NULL,
      line INTEGER NOT NULL,
      fate TEXT NOT NULL CHECK (fate IN ('added', 'duplicate', 'unsure', 'refused')),
      at INTEGER,
      gone_at INTEGER
    ) STRICT;
    CREATE INDEX import_key_history_by_key ON import_key_history (fingerprint);
    CREATE INDEX import_key_history_by_line ON import_key_history (import_number, file, line);
    CREATE TABLE import_undos (
      import_number INTEGER NOT NULL,
      offer INTEGER NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('pausing', 'withdrawing', 'planning', 'returning',
        'restoring', 'stopped', 'done')),
      stopped_in TEXT,
      status_before TEXT,
      withdrawal_id TEXT NOT NULL,
      return_id TEXT NOT NULL,
      started_at INTEGER NOT NULL,
      ended_at INTEGER,
      taken_back INTEGER NOT NULL DEFAULT 0,
      to_return INTEGER NOT NULL DEFAULT 0,
      problem TEXT,
      PRIMARY KEY (import_number, offer)
    ) STRICT, WITHOUT ROWID;
    -- Uploads of keys that an undo puts back on their offer; they are no batches of their own.
    CREATE TABLE import_returns (import_number INTEGER PRIMARY KEY, undone_number INTEGER NOT NULL,
      offer INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `,
    `
    -- What the offer had sold when a request was sent: with its stock this tells whether the request arrived.
    ALTER TABLE import_requests ADD COLUMN sold_before INTEGER;
    -- Sent again although it may have arrived: what the service then has already came with the lost answer.
    ALTER TABLE import_requests ADD COLUMN in_doubt INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE import_file_reports (
      import_number INTEGER NOT NULL, position INTEGER NOT NULL, refused INTEGER NOT NULL,
        cleaned INTEGER NOT NULL, refused_lines TEXT NOT NULL,
      PRIMARY KEY (import_number, position)
    ) STRICT, WITHOUT ROWID;
  `,
    `
    -- Most lines were added: what fared otherwise is few, and found without looking at the rest.
    CREATE INDEX import_uploaded_keys_odd ON import_uploaded_keys (import_number, fate, file, line)
      WHERE fate <> 'added';
    CREATE INDEX import_key_history_by_fate ON import_key_history (import_number, fate, file, line);
  `,
    `CREATE TABLE import_key_hints (import_number INTEGER NOT NULL, request INTEGER NOT NULL,
      sealed BLOB NOT NULL, PRIMARY KEY (import_number, request)) STRICT`,
    `
    -- The lines of a file by outcome and reason, as JSON; earlier reports have only the other columns.
    ALTER TABLE import_file_reports ADD COLUMN tally TEXT;
    -- Costs and suppliers of an import's keys by offer, as JSON.
    CREATE TABLE import_purchases (import_number INTEGER PRIMARY KEY, purchases TEXT NOT NULL) STRICT;
    -- The import that continues with the lines of another one that had no offer or were set aside.
    CREATE TABLE import_continuations (import_number INTEGER PRIMARY KEY, import_id TEXT NOT NULL) STRICT;
    `,
    `
    -- The keys of a request that the user excluded.
    ALTER TABLE import_requests ADD COLUMN excluded INTEGER NOT NULL DEFAULT 0;
    -- The same table, except that its fates include excluded.
    ALTER TABLE import_key_history RENAME TO last_import_key_history;
    CREATE TABLE import_key_history (
      number INTEGER PRIMARY KEY,
      fingerprint BLOB NOT NULL,
      product_id TEXT NOT NULL,
      import_number INTEGER NOT NULL,
      offer INTEGER,
      request INTEGER,
      file INTEGER NOT NULL,
      line INTEGER NOT NULL,
      fate TEXT NOT NULL CHECK (fate IN ('added', 'duplicate', 'unsure', 'refused', 'excluded')),
      at INTEGER,
      gone_at INTEGER
    ) STRICT;
    INSERT INTO import_key_history SELECT * FROM last_import_key_history;
    DROP TABLE last_import_key_history;
    CREATE INDEX import_key_history_by_key ON import_key_history (fingerprint);
    CREATE INDEX import_key_history_by_line ON import_key_history (import_number, file, line);
    CREATE INDEX import_key_history_by_fate ON import_key_history (import_number, fate, file, line);
    `,
  ],
  sealed: [
    {
      kind: 'key-hint',
      table: 'import_key_hints',
      column: 'sealed',
      key: ['import_number', 'request'],
      recordId: (row) => hintsRecord(Number(row['import_number']), Number(row['request'])),
    },
  ],
}
