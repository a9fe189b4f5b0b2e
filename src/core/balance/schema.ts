import type { FeatureSchema } from '../mirror/schema.ts'

/** The upcoming releases as last reported, and when the balance was last read. */
const balanceMirror: FeatureSchema = {
  feature: 'balance',
  steps: [
    `
    CREATE TABLE balance_releases (date TEXT PRIMARY KEY, cents INTEGER NOT NULL, sales INTEGER) STRICT, WITHOUT ROWID;
    CREATE TABLE balance_state (id INTEGER PRIMARY KEY CHECK (id = 1), read_at INTEGER, currency TEXT) STRICT;
    INSERT INTO balance_state (id) VALUES (1);
  `,
  ],
}

/** History of the balance: the service reports only the current one. */
const balanceJournal: FeatureSchema = {
  feature: 'balance',
  place: 'journal',
  steps: [
    'CREATE TABLE balance_readings (at INTEGER PRIMARY KEY, pending_cents INTEGER, available_cents INTEGER) STRICT;',
  ],
}

export const balanceSchemas = [balanceMirror, balanceJournal]
