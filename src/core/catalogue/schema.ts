import { wordIndexTables } from '../mirror/mirror.ts'
import type { HistoryTable } from '../mirror/mirror.ts'
import type { FeatureSchema } from '../mirror/schema.ts'

/** Name of the catalogue's word index. */
export const PRODUCT_WORDS = 'product'

/** Observed prices of products. Null while sold out or removed. */
export const PRODUCT_HISTORY: HistoryTable = { table: 'product_history', value: 'price_cents' }

/**
 * The properties that products of a kind share. `excluded` is empty if only the region is known.
 */
const facetsOf = (row: 'old' | 'new' | 'products'): string =>
  `${row}.platform, ${row}.region, ${row}.product_type, ${row}.delivery_type, ` +
  `coalesce(${row}.in_stock, 0), ${row}.offer_id IS NOT NULL, coalesce(${row}.excluded, '')`
const FACETS = 'platform, region, product_type, delivery_type, in_stock, own, excluded'

/** SQL that adds `by` products to a kind. */
const countFacet = (row: 'old' | 'new', by: 1 | -1): string => `
  INSERT INTO product_facets (${FACETS}, count) SELECT ${facetsOf(row)}, ${by} WHERE ${row}.removed = 0
  ON CONFLICT DO UPDATE SET count = count + excluded.count;`

const FACET_COLUMNS =
  '(platform, region, product_type, delivery_type, in_stock, offer_id, price_cents, excluded)'

/**
 * Sort orders of the table, and the columns that counts read. They cost many small writes during a
 * first listing, so they are created after it.
 */
export const LATE_INDEXES: Readonly<Record<string, string>> = {
  products_by_name: '(name_key, platform, region, product_id)',
  products_by_platform: '(platform, name_key)',
  products_by_region: '(region, name_key)',
  products_by_price: '(price_cents, name_key)',
  products_by_best: '(best_seller_cents, name_key)',
  products_by_stock: '(qty, name_key)',
  products_by_update: '(updated_at, name_key)',
  products_facets: FACET_COLUMNS,
}

/**
 * The mirrored catalogue. NULL means that this account's API doesn't report the value. A seller's
 * mirror copies `stock_*` and `activation` from the mirror of a partner account of the same service
 * (`lent_at` is the time); it reads texts and pictures from there.
 */
export const catalogueSchema: FeatureSchema = {
  feature: 'catalogue',
  place: 'catalogue',
  steps: [
    `
    CREATE TABLE products (
      rid INTEGER PRIMARY KEY,
      product_id TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      name_key TEXT NOT NULL,
      platform TEXT NOT NULL,
      region TEXT NOT NULL,
      product_type TEXT NOT NULL,
      delivery_type TEXT NOT NULL,
      price_cents INTEGER,
      best_seller_cents INTEGER,
      in_stock INTEGER,
      qty INTEGER,
      excluded TEXT,
      allowed_countries INTEGER,
      commission_class TEXT,
      commission_percent REAL,
      offer_id TEXT,
      updated_at INTEGER,
      removed INTEGER NOT NULL DEFAULT 0,
      read_at INTEGER NOT NULL,
      lent_at INTEGER,
      round INTEGER NOT NULL,
      page INTEGER,
      seq INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX products_by_name ON products (name_key, platform, region, product_id) WHERE removed = 0;
    CREATE INDEX products_by_platform ON products (platform, name_key) WHERE removed = 0;
    CREATE INDEX products_by_region ON products (region, name_key) WHERE removed = 0;
    CREATE INDEX products_by_price ON products (price_cents, name_key) WHERE removed = 0;
    CREATE INDEX products_by_best ON products (best_seller_cents, name_key) WHERE removed = 0;
    CREATE INDEX products_by_stock ON products (qty, name_key) WHERE removed = 0;
    CREATE INDEX products_by_update ON products (updated_at, name_key) WHERE removed = 0;
    CREATE INDEX products_facets ON products ${FACET_COLUMNS} WHERE removed = 0;
    CREATE INDEX products_by_seq ON products (seq, rid);
    CREATE TABLE product_texts (rid INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
    CREATE TABLE product_history (
      rid INTEGER NOT NULL, at INTEGER NOT NULL, price_cents INTEGER, in_stock INTEGER,
      PRIMARY KEY (rid, at)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE own_offers (product_id TEXT PRIMARY KEY, offer_id TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE catalogue_sync (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      cursor TEXT,
      page INTEGER NOT NULL DEFAULT 1,
      round INTEGER NOT NULL DEFAULT 0,
      complete INTEGER NOT NULL DEFAULT 0,
      done INTEGER NOT NULL DEFAULT 0,
      total INTEGER,
      seq INTEGER NOT NULL DEFAULT 0,
      last_at INTEGER,
      lender TEXT,
      lender_seq INTEGER NOT NULL DEFAULT 0,
      lender_rid INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    INSERT INTO catalogue_sync (id) VALUES (1);
    ${wordIndexTables(PRODUCT_WORDS)}
    `,
    `
    CREATE TABLE product_facets (
      platform TEXT NOT NULL, region TEXT NOT NULL, product_type TEXT NOT NULL, delivery_type TEXT NOT NULL,
      in_stock INTEGER NOT NULL, own INTEGER NOT NULL, excluded TEXT NOT NULL, count INTEGER NOT NULL,
      PRIMARY KEY (${FACETS})
    ) STRICT, WITHOUT ROWID;
    INSERT INTO product_facets (${FACETS}, count)
      SELECT ${facetsOf('products')}, count(*) FROM products WHERE removed = 0 GROUP BY 1, 2, 3, 4, 5, 6, 7;
    CREATE TRIGGER product_facets_changed
    AFTER UPDATE OF platform, region, product_type, delivery_type, in_stock, offer_id, excluded, removed ON products
    WHEN (${facetsOf('old')}, old.removed) IS NOT (${facetsOf('new')}, new.removed)
    BEGIN
      ${countFacet('old', -1)}
      DELETE FROM product_facets WHERE (${FACETS}) = (${facetsOf('old')}) AND count = 0;
      ${countFacet('new', 1)}
    END;
    `,
  ],
}
