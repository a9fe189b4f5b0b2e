import { ownOffersSchema } from '../catalogue/catalogue.ts'
import { wordIndexTables } from '../mirror/mirror.ts'
import type { HistoryTable } from '../mirror/mirror.ts'
import type { FeatureSchema } from '../mirror/schema.ts'

/** Name of the word index of offers. */
export const OFFER_WORDS = 'offer'
/** The seller's prices over time. */
export const OFFER_HISTORY: HistoryTable = { table: 'offer_history', value: 'price_cents' }

/**
 * A seller's offers as last read. `lead_cents`: how far the price is below the lowest customer
 * price: 0 while leading, negative while behind, NULL while paused, empty or unknown.
 */
const offersMirror: FeatureSchema = {
  feature: 'offers',
  steps: [
    `
    CREATE TABLE offers (
      rid INTEGER PRIMARY KEY,
      offer_id TEXT NOT NULL UNIQUE,
      product_id TEXT,
      name TEXT NOT NULL,
      name_key TEXT NOT NULL,
      platform TEXT NOT NULL,
      region TEXT NOT NULL,
      product_type TEXT NOT NULL,
      delivery_type TEXT NOT NULL,
      price_cents INTEGER NOT NULL,
      customer_cents INTEGER NOT NULL,
      commission_class TEXT,
      commission_percent REAL,
      status TEXT NOT NULL,
      stock INTEGER NOT NULL,
      sold INTEGER,
      is_cheapest INTEGER,
      lowest_customer_cents INTEGER,
      lead_cents INTEGER,
      updated_at INTEGER,
      seen_at INTEGER NOT NULL,
      round INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX offers_by_name ON offers (name_key, rid);
    CREATE INDEX offers_by_price ON offers (price_cents, name_key);
    CREATE INDEX offers_by_customer ON offers (customer_cents, name_key);
    CREATE INDEX offers_by_lead ON offers (lead_cents, name_key);
    CREATE INDEX offers_by_stock ON offers (stock, name_key);
    CREATE INDEX offers_by_sold ON offers (sold, name_key);
    CREATE INDEX offers_by_seen ON offers (seen_at, name_key);
    CREATE INDEX offers_by_product ON offers (product_id);
    CREATE INDEX offers_views ON offers (status, stock, is_cheapest, platform, region);
    CREATE INDEX offers_by_platform ON offers (platform);
    CREATE INDEX offers_by_region ON offers (region);
    CREATE INDEX offers_by_round ON offers (round);
    CREATE TABLE offer_history (
      rid INTEGER NOT NULL, at INTEGER NOT NULL, price_cents INTEGER NOT NULL,
        lowest_customer_cents INTEGER, is_cheapest INTEGER, stock INTEGER NOT NULL,
      PRIMARY KEY (rid, at)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE offer_changes (
      offer_id TEXT PRIMARY KEY,
      state TEXT NOT NULL CHECK (state IN ('saving', 'refused')),
      price_cents INTEGER,
      status TEXT,
      problem TEXT,
      written_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE offers_sync (id INTEGER PRIMARY KEY CHECK (id = 1), round INTEGER NOT NULL DEFAULT
      0, pages INTEGER NOT NULL DEFAULT 0, last_at INTEGER) STRICT;
    INSERT INTO offers_sync (id) VALUES (1);
    ${wordIndexTables(OFFER_WORDS)}
    `,
    'DROP TABLE offer_changes',
    // Copies of the journal's offer_terms for views and sorting; `put` restores them in a rebuilt
    // mirror.
    `
    ALTER TABLE offers ADD COLUMN cost_cents INTEGER;
    ALTER TABLE offers ADD COLUMN low_at INTEGER;
    DROP INDEX offers_views;
    CREATE INDEX offers_views ON offers (status, stock, is_cheapest, low_at, platform, region);
    CREATE INDEX offers_by_profit ON offers (price_cents - cost_cents, name_key);
    `,
    // Each reading of each offer updated this index, and a sync pass used it only once.
    'DROP INDEX offers_by_round',
    `
    ALTER TABLE offers ADD COLUMN floor_cents INTEGER;
    ALTER TABLE offers ADD COLUMN ceiling_cents INTEGER;
    `,
    'ALTER TABLE offers ADD COLUMN unavailable INTEGER NOT NULL DEFAULT 0',
    // A reading describes a moment between the request and its response.
    `
    ALTER TABLE offers ADD COLUMN asked_at INTEGER;
    ALTER TABLE offers ADD COLUMN service_ahead INTEGER NOT NULL DEFAULT 0;
    `,
    // NULL for earlier readings: the commission of their time isn't known.
    `
    ALTER TABLE offer_history ADD COLUMN customer_cents INTEGER;
    INSERT OR REPLACE INTO offer_history (rid, at, price_cents, lowest_customer_cents, is_cheapest,
        stock, customer_cents)
      SELECT rid, seen_at, price_cents, lowest_customer_cents, is_cheapest, stock, customer_cents
      FROM offers;
    `,
  ],
}

/** The context under which a withdrawn key is encrypted. */
export const withdrawnKeyRecord = (withdrawalId: string, position: number): string =>
  `withdrawn-key:${withdrawalId}:${position}`

/**
 * Changes by a person until the service responds, and rejected changes: recorded before the request
 * is sent. Also costs, thresholds and limits, saved views, bulk changes with their lines, and withdrawn
 * keys (encrypted).
 */
const offersJournal: FeatureSchema = {
  feature: 'offers',
  place: 'journal',
  steps: [
    `
    CREATE TABLE offer_changes (
      offer_id TEXT PRIMARY KEY,
      state TEXT NOT NULL CHECK (state IN ('saving', 'refused')),
      price_cents INTEGER,
      status TEXT,
      problem TEXT,
      written_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
    `
    CREATE TABLE offer_terms (offer_id TEXT PRIMARY KEY, cost_cents INTEGER, low_at INTEGER,
      written_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE offer_views (view_id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE,
      look TEXT NOT NULL, written_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE offer_bulks (
      number INTEGER PRIMARY KEY,
      bulk_id TEXT NOT NULL UNIQUE,
      kind TEXT NOT NULL,
      title TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('writing', 'running', 'paused', 'done', 'cancelled')),
      undoes TEXT,
      started_at INTEGER NOT NULL,
      ended_at INTEGER
    ) STRICT;
    CREATE TABLE offer_bulk_lines (
      number INTEGER NOT NULL,
      line INTEGER NOT NULL,
      subject_id TEXT NOT NULL,
      name TEXT NOT NULL,
      platform TEXT NOT NULL,
      region TEXT NOT NULL,
      before TEXT NOT NULL,
      after TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('waiting', 'sending', 'done', 'refused', 'cancelled')),
      problem TEXT,
      settled_at INTEGER,
      PRIMARY KEY (number, line)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX offer_bulk_lines_by_state ON offer_bulk_lines (number, state, line);
    CREATE TABLE offer_withdrawals (
      withdrawal_id TEXT PRIMARY KEY,
      offer_id TEXT NOT NULL,
      name TEXT NOT NULL,
      asked INTEGER,
      wanted INTEGER NOT NULL,
      stock_before INTEGER NOT NULL,
      piece_key TEXT,
      piece_count INTEGER NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('sending', 'unknown', 'kept', 'refused')),
      problem TEXT,
      at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX offer_withdrawals_by_offer ON offer_withdrawals (offer_id, at);
    CREATE INDEX offer_withdrawals_open ON offer_withdrawals (state) WHERE state = 'sending';
    CREATE TABLE withdrawn_keys (
      withdrawal_id TEXT NOT NULL,
      position INTEGER NOT NULL,
      offer_id TEXT NOT NULL,
      masked TEXT NOT NULL,
      sealed BLOB NOT NULL,
      withdrawn_at INTEGER NOT NULL,
      PRIMARY KEY (withdrawal_id, position)
    ) STRICT, WITHOUT ROWID;
  `,
    `
    -- A keyed hash, by which a sold key is found that was withdrawn before. NULL for keys that were
    -- withdrawn by an older version.
    ALTER TABLE withdrawn_keys ADD COLUMN fingerprint BLOB;
    CREATE INDEX withdrawn_keys_by_fingerprint ON withdrawn_keys (fingerprint) WHERE fingerprint IS NOT NULL;
  `,
    `
    ALTER TABLE offer_terms ADD COLUMN floor_cents INTEGER;
    ALTER TABLE offer_terms ADD COLUMN ceiling_cents INTEGER;
  `,
    // Empty in lines of an older version.
    "ALTER TABLE offer_bulk_lines ADD COLUMN delivery_type TEXT NOT NULL DEFAULT ''",
    // An older version kept only requests open that can be repeated.
    'ALTER TABLE offer_withdrawals ADD COLUMN piece_repeatable INTEGER NOT NULL DEFAULT 1',
    // NULL for a request of an older version: its age isn't known.
    'ALTER TABLE offer_withdrawals ADD COLUMN piece_at INTEGER',
  ],
  sealed: [
    {
      kind: 'withdrawn-key',
      table: 'withdrawn_keys',
      column: 'sealed',
      key: ['withdrawal_id', 'position'],
      recordId: (row) => withdrawnKeyRecord(String(row['withdrawal_id']), Number(row['position'])),
      exported: ['offer_id', 'withdrawal_id', 'position', 'withdrawn_at'],
    },
  ],
  importFromMirror: {
    table: 'offer_changes',
    sql: 'INSERT OR IGNORE INTO offer_changes SELECT * FROM old.offer_changes',
  },
}

export const offersSchemas = [ownOffersSchema, offersMirror, offersJournal]
