import type { FeatureSchema } from '../mirror/schema.ts'

/**
 * Sales are totaled per quarter of an hour, because the days of every time zone start at one; in
 * milliseconds.
 */
export const BUCKET_MS = 15 * 60_000

const bucketOf = (row: 'old' | 'new' | 'sales'): string =>
  `coalesce(${row}.sold_at / ${BUCKET_MS}, -1)`
const standingOf = (row: 'old' | 'new' | 'sales'): string =>
  `CASE WHEN ${row}.status = 'pending' AND ${row}.held = 1 THEN 'held' ELSE ${row}.status END`

/** Adds a sale to the totals of its quarter of an hour and of its search text, or subtracts it. */
const counted = (row: 'old' | 'new', by: 1 | -1): string =>
  [
    ['sale_sums', 'bucket', bucketOf(row)],
    ['sale_text_sums', 'text_id', `${row}.text_id`],
  ]
    .map(
      ([table, column, value]) => `
  INSERT INTO ${table} (${column}, standing, sales, cents)
    SELECT ${value}, ${standingOf(row)}, ${by}, ${by} * coalesce(${row}.price_cents,
    0)${column === 'text_id' ? ` WHERE ${value} IS NOT NULL` : ' WHERE TRUE'}
  ON CONFLICT DO UPDATE SET sales = sales + excluded.sales, cents = cents + excluded.cents;`,
    )
    .join('')

/**
 * The text that a search matches besides the ids of the sale and its order; the same few texts
 * serve any number of sales.
 */
const TEXT_OF_SALE =
  "name_key || ' ' || lower(coalesce(offer_id, '')) || ' ' || lower(coalesce(product_id, ''))"

/**
 * A seller's sales as last read. `pass`: the listing pass that first saw a sale; `look_at`: when to
 * read it again, NULL if no change is expected; `held`: a dispute about it is unresolved;
 * `dispute_id`: an unresolved dispute if there is one, or else the newest;
 * `key_fingerprint`: keyed, never the key's own hash.
 */
export const salesSchema: FeatureSchema = {
  feature: 'sales',
  steps: [
    `
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
    CREATE TABLE sale_disputes (sale_id TEXT PRIMARY KEY, dispute_id TEXT NOT NULL,
      unresolved INTEGER NOT NULL, state TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE sales_sync (
      id INTEGER PRIMARY KEY CHECK (id = 1), next_page INTEGER NOT NULL, complete INTEGER NOT NULL,
        pass INTEGER NOT NULL, read_at INTEGER,
      sweep_page INTEGER NOT NULL, sweep_began INTEGER, told INTEGER
    ) STRICT;
    INSERT INTO sales_sync (id, next_page, complete, pass, sweep_page) VALUES (1, 1, 0, 1, 1);
  `,
    `
    CREATE TABLE sale_texts (text_id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
    INSERT INTO sale_texts (text) SELECT DISTINCT ${TEXT_OF_SALE} FROM sales;
    ALTER TABLE sales ADD COLUMN text_id INTEGER;
    UPDATE sales SET text_id = (SELECT text_id FROM sale_texts WHERE text = ${TEXT_OF_SALE});
    ALTER TABLE sales DROP COLUMN search;
    DROP INDEX sales_by_sold;
    CREATE INDEX sales_by_sold ON sales (sold_at DESC, sale_id, text_id, status, held, price_cents);
    CREATE INDEX sales_by_text ON sales (text_id, sold_at, status, held, price_cents);
    CREATE INDEX sales_waiting ON sales (sold_at DESC, sale_id, text_id, held) WHERE status = 'pending';
    CREATE INDEX sales_cancelled ON sales (sold_at DESC, sale_id, text_id) WHERE status = 'cancelled';
    CREATE INDEX sales_by_price ON sales (price_cents, sold_at);
    CREATE INDEX sales_by_customer ON sales (customer_cents, sold_at);
    CREATE INDEX sales_by_end ON sales (coalesce(released_at, release_at), sold_at);
    CREATE INDEX sales_by_id ON sales (sale_id COLLATE NOCASE);
    CREATE INDEX sales_by_order ON sales (order_id COLLATE NOCASE);
    CREATE TABLE sale_sums (bucket INTEGER NOT NULL, standing TEXT NOT NULL, sales INTEGER NOT NULL,
      cents INTEGER NOT NULL, PRIMARY KEY (bucket, standing)) STRICT, WITHOUT ROWID;
    CREATE TABLE sale_text_sums (text_id INTEGER NOT NULL, standing TEXT NOT NULL,
      sales INTEGER NOT NULL, cents INTEGER NOT NULL, PRIMARY KEY (text_id, standing)) STRICT, WITHOUT ROWID;
    INSERT INTO sale_sums
      SELECT ${bucketOf('sales')}, ${standingOf('sales')}, count(*), coalesce(sum(price_cents), 0)
      FROM sales GROUP BY 1, 2;
    INSERT INTO sale_text_sums
      SELECT text_id, ${standingOf('sales')}, count(*), coalesce(sum(price_cents), 0) FROM sales GROUP BY 1, 2;
    CREATE TRIGGER sales_added AFTER INSERT ON sales BEGIN ${counted('new', 1)} END;
    CREATE TRIGGER sales_gone AFTER DELETE ON sales BEGIN ${counted('old', -1)} END;
    CREATE TRIGGER sales_moved AFTER UPDATE OF sold_at, status, held, price_cents, text_id ON sales
      WHEN (old.sold_at, old.status, old.held, old.price_cents, old.text_id) IS NOT (new.sold_at,
      new.status, new.held, new.price_cents, new.text_id)
      BEGIN ${counted('old', -1)} ${counted('new', 1)} END;
  `,
    // A sale can have several disputes. Those missing here are read again: every unresolved one by
    // the next poll.
    `
    ALTER TABLE sale_disputes RENAME TO last_sale_disputes;
    CREATE TABLE sale_disputes (dispute_id TEXT PRIMARY KEY, sale_id TEXT NOT NULL,
      unresolved INTEGER NOT NULL, state TEXT NOT NULL, opened_at INTEGER) STRICT, WITHOUT ROWID;
    INSERT OR REPLACE INTO sale_disputes (dispute_id, sale_id, unresolved, state)
      SELECT dispute_id, sale_id, unresolved, state FROM last_sale_disputes;
    DROP TABLE last_sale_disputes;
    CREATE INDEX sale_disputes_by_sale ON sale_disputes (sale_id, unresolved, opened_at);
  `,
  ],
}
