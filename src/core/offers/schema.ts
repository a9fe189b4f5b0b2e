import { wordIndexTables } from '../mirror/mirror.ts'
import type { HistoryTable } from '../mirror/mirror.ts'
import type { FeatureSchema } from '../mirror/schema.ts'

/** Name of the offers' word index. */
export const OFFER_WORDS = 'offer'
/** Own prices as they were seen to change. */
export const OFFER_HISTORY: HistoryTable = { table: 'offer_history', value: 'price_cents' }

/**
 * A seller's offers as last read. `lead_cents`: how far below the lowest customer price the own one is: 0 while leading, negative while
 * behind, NULL while paused, empty or unknown.
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
      rid INTEGER NOT NULL, at INTEGER NOT NULL, price_cents INTEGER NOT NULL, lowest_customer_cents INTEGER, is_cheapest INTEGER, stock INTEGER NOT NULL,
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
    CREATE TABLE offers_sync (id INTEGER PRIMARY KEY CHECK (id = 1), round INTEGER NOT NULL DEFAULT 0, pages INTEGER NOT NULL DEFAULT 0, last_at INTEGER) STRICT;
    INSERT INTO offers_sync (id) VALUES (1);
    ${wordIndexTables(OFFER_WORDS)}
    `,
    'DROP TABLE offer_changes',
  ],
}

/** What a person changed until the service has answered, and what it refused: written before the request leaves. */
const offersJournal: FeatureSchema = {
  feature: 'offers',
  place: 'journal',
  steps: [`
    CREATE TABLE offer_changes (
      offer_id TEXT PRIMARY KEY,
      state TEXT NOT NULL CHECK (state IN ('saving', 'refused')),
      price_cents INTEGER,
      status TEXT,
      problem TEXT,
      written_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
  `],
  takeOver: { table: 'offer_changes', sql: 'INSERT OR IGNORE INTO offer_changes SELECT * FROM old.offer_changes' },
}

export const offersSchemas = [offersMirror, offersJournal]
