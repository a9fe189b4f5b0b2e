import type { FeatureSchema } from '../mirror/schema.ts'

/** Record name under which an entry's text is encrypted. */
export const outboxTextRecord = (entryId: string): string => `outbox:${entryId}`

/**
 * Entries of the outbox and their events. An answer's text is encrypted, because people paste keys
 * into answers.
 */
export const outboxSchema: FeatureSchema = {
  feature: 'outbox',
  place: 'journal',
  steps: [
    `
    CREATE TABLE outbox (
      entry_id TEXT PRIMARY KEY,
      kind TEXT NOT NULL,
      subject_id TEXT NOT NULL,
      title TEXT NOT NULL,
      subtitle TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('waiting', 'sending', 'unknown', 'sent', 'dropped')),
      verdict TEXT NOT NULL,
      reason TEXT,
      seen TEXT NOT NULL,
      seen_at INTEGER NOT NULL,
      present TEXT,
      present_at INTEGER,
      wanted TEXT NOT NULL,
      text_sealed BLOB,
      problem TEXT,
      written_at INTEGER NOT NULL,
      settled_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX outbox_by_state ON outbox (state, written_at);
    CREATE UNIQUE INDEX outbox_one_waits ON outbox (kind, subject_id)
      WHERE state IN ('waiting', 'sending', 'unknown') AND kind <> 'dispute-answer';
    CREATE TABLE outbox_events (
      entry_id TEXT NOT NULL REFERENCES outbox ON DELETE CASCADE,
      position INTEGER NOT NULL,
      at INTEGER NOT NULL,
      what TEXT NOT NULL,
      detail TEXT NOT NULL,
      PRIMARY KEY (entry_id, position)
    ) STRICT, WITHOUT ROWID;
  `,
  ],
  sealed: [
    {
      kind: 'outbox-text',
      table: 'outbox',
      column: 'text_sealed',
      key: ['entry_id'],
      recordId: (row) => outboxTextRecord(String(row['entry_id'])),
    },
  ],
}
