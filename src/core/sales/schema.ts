import type { FeatureSchema } from '../mirror/schema.ts'

/**
 * A seller's sales as last read. `pass`: in which reading from the top a sale was first seen; `look_at`: when it is to be read again, NULL when
 * nothing is expected of it; `held`: a dispute on it is unresolved; `key_fingerprint`: keyed, never the key's own hash.
 */
export const salesSchema: FeatureSchema = {
  feature: 'sales',
  steps: [`
    CREATE TABLE sales (
      sale_id TEXT PRIMARY KEY,
      offer_id TEXT,
      product_id TEXT,
      name TEXT NOT NULL,
      name_key TEXT NOT NULL,
      order_id TEXT,
      key_id TEXT,
      price_cents INTEGER,
      customer_cents INTEGER,
      status TEXT NOT NULL,
      held INTEGER NOT NULL,
      dispute_id TEXT,
      sold_at INTEGER,
      release_at INTEGER,
      released_at INTEGER,
      key_fingerprint BLOB,
      search TEXT NOT NULL,
      seen_at INTEGER NOT NULL,
      look_at INTEGER,
      pass INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX sales_by_sold ON sales (sold_at DESC, sale_id, status, held, price_cents);
    CREATE INDEX sales_by_name ON sales (name_key);
    CREATE INDEX sales_by_offer ON sales (offer_id, sold_at);
    CREATE INDEX sales_by_release ON sales (release_at) WHERE status = 'pending';
    CREATE INDEX sales_by_released ON sales (released_at);
    CREATE INDEX sales_by_fingerprint ON sales (key_fingerprint) WHERE key_fingerprint IS NOT NULL;
    CREATE INDEX sales_to_look_at ON sales (look_at) WHERE look_at IS NOT NULL;
    CREATE TABLE sale_disputes (sale_id TEXT PRIMARY KEY, dispute_id TEXT NOT NULL, unresolved INTEGER NOT NULL, state TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE sales_sync (
      id INTEGER PRIMARY KEY CHECK (id = 1), next_page INTEGER NOT NULL, complete INTEGER NOT NULL, pass INTEGER NOT NULL, read_at INTEGER,
      sweep_page INTEGER NOT NULL, sweep_began INTEGER, told INTEGER
    ) STRICT;
    INSERT INTO sales_sync (id, next_page, complete, pass, sweep_page) VALUES (1, 1, 0, 1, 1);
  `],
}
