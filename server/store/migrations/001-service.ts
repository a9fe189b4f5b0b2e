import type { Migration } from './migration.ts'

/**
 * The schema of the first version. Money is integer cents; times are milliseconds since 1970 UTC.
 * Accounts and public records have text ids; `no` columns are row numbers that keep wide tables
 * narrow.
 */
export const service: Migration = {
  version: 1,
  name: 'service',
  sql: `
    CREATE TABLE settings (
      name TEXT NOT NULL PRIMARY KEY COLLATE BINARY,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE partners (
      no INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE COLLATE BINARY,
      name TEXT NOT NULL,
      email TEXT,
      status TEXT NOT NULL CHECK (status IN ('active', 'pending', 'suspended', 'rejected')),
      per_order_limit INTEGER CHECK (per_order_limit >= 0),
      daily_limit INTEGER CHECK (daily_limit >= 0),
      ip_allowlist TEXT NOT NULL CHECK (json_valid(ip_allowlist)),
      price_factor REAL NOT NULL CHECK (price_factor > 0),
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX partners_newest ON partners (created_at DESC, id);

    CREATE TABLE sellers (
      no INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE COLLATE BINARY,
      name TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('active', 'pending', 'suspended', 'rejected')),
      commission TEXT NOT NULL CHECK (json_valid(commission)),
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX sellers_newest ON sellers (created_at DESC, id);

    CREATE TABLE api_keys (
      id TEXT NOT NULL PRIMARY KEY COLLATE BINARY,
      owner TEXT NOT NULL CHECK (owner IN ('partner', 'seller')),
      account_id TEXT NOT NULL COLLATE BINARY,
      mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
      hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
      prefix TEXT NOT NULL,
      last_four TEXT NOT NULL,
      scopes TEXT NOT NULL CHECK (json_valid(scopes)),
      origin TEXT NOT NULL CHECK (origin IN ('dashboard', 'demo')),
      created_at INTEGER NOT NULL,
      last_used_at INTEGER,
      expires_at INTEGER,
      revoked_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX api_keys_of_account ON api_keys (account_id, created_at DESC, id);

    CREATE TABLE products (
      no INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE COLLATE BINARY,
      name TEXT NOT NULL,
      name_folded TEXT NOT NULL,
      platform TEXT NOT NULL,
      region TEXT NOT NULL,
      product_type TEXT NOT NULL,
      delivery_type TEXT NOT NULL,
      release_date TEXT,
      details TEXT NOT NULL,
      removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),
      supply_unknown INTEGER NOT NULL DEFAULT 0 CHECK (supply_unknown IN (0, 1)),
      low_price INTEGER NOT NULL DEFAULT 0 CHECK (low_price >= 0),
      qty INTEGER NOT NULL DEFAULT 0 CHECK (qty BETWEEN 0 AND 99),
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT;
    -- One index orders the catalogue and answers every filter without touching the wide rows.
    CREATE INDEX products_browse ON products
      (updated_at, id, removed, qty, product_type, delivery_type, platform, region, name_folded);
    CREATE INDEX products_newest ON products (created_at DESC, id, removed, name_folded);

    CREATE TABLE offers (
      no INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE COLLATE BINARY,
      seller_id TEXT NOT NULL COLLATE BINARY REFERENCES sellers (id),
      product_id TEXT NOT NULL COLLATE BINARY REFERENCES products (id),
      price INTEGER NOT NULL CHECK (price > 0),
      customer_price INTEGER NOT NULL CHECK (customer_price >= price),
      status TEXT NOT NULL CHECK (status IN ('active', 'paused')),
      sellable INTEGER NOT NULL CHECK (sellable IN (0, 1)),
      stock INTEGER NOT NULL DEFAULT 0 CHECK (stock >= 0),
      reserved INTEGER NOT NULL DEFAULT 0 CHECK (reserved >= 0),
      sold INTEGER NOT NULL DEFAULT 0 CHECK (sold >= 0),
      priced_at INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      deleted_at INTEGER
    ) STRICT;
    -- A deleted offer keeps its row for the history of its units; the seller may offer the product anew.
    CREATE UNIQUE INDEX offers_one_per_product ON offers (seller_id, product_id) WHERE deleted_at IS NULL;
    CREATE INDEX offers_of_seller ON offers (seller_id, created_at DESC, id) WHERE deleted_at IS NULL;
    CREATE INDEX offers_of_product ON offers (product_id);
    -- The order in which a product's offers are sold.
    CREATE INDEX offers_supply ON offers (product_id, customer_price, priced_at, id)
      WHERE sellable = 1 AND stock > 0;

    CREATE TABLE units (
      no INTEGER PRIMARY KEY,
      offer_no INTEGER NOT NULL REFERENCES offers (no),
      fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 16),
      state TEXT NOT NULL CHECK (state IN ('in_stock', 'reserved', 'sold', 'withdrawn', 'replacement')),
      content_type TEXT NOT NULL,
      value TEXT CHECK (value IS NOT NULL OR state = 'withdrawn'),
      uploaded_at INTEGER NOT NULL
    ) STRICT;
    -- A value counts as seen for its product until it is withdrawn.
    CREATE UNIQUE INDEX units_seen ON units (fingerprint) WHERE state <> 'withdrawn';
    CREATE INDEX units_stock ON units (offer_no, no) WHERE state = 'in_stock';

    CREATE TABLE orders (
      no INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE COLLATE BINARY,
      partner_id TEXT NOT NULL COLLATE BINARY REFERENCES partners (id),
      external_id TEXT NOT NULL COLLATE BINARY,
      mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
      status TEXT NOT NULL CHECK (status IN ('processing', 'completed', 'partially_completed', 'failed')),
      total INTEGER NOT NULL CHECK (total >= 0),
      refunded INTEGER NOT NULL DEFAULT 0 CHECK (refunded BETWEEN 0 AND total),
      spent_before INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      completed_at INTEGER,
      due_at INTEGER CHECK ((due_at IS NOT NULL) = (status = 'processing')),
      first_downloaded_at INTEGER,
      UNIQUE (partner_id, external_id)
    ) STRICT;
    CREATE INDEX orders_newest ON orders (partner_id, mode, created_at DESC, id, status);
    CREATE INDEX orders_due ON orders (due_at, no) WHERE status = 'processing';
    CREATE INDEX orders_refunded ON orders (partner_id, mode, created_at, refunded) WHERE refunded > 0;

    CREATE TABLE order_lines (
      order_no INTEGER NOT NULL REFERENCES orders (no),
      line INTEGER NOT NULL,
      product_id TEXT NOT NULL COLLATE BINARY REFERENCES products (id),
      name TEXT NOT NULL,
      delivery_type TEXT NOT NULL,
      qty INTEGER NOT NULL CHECK (qty BETWEEN 1 AND 9),
      unit_price INTEGER NOT NULL CHECK (unit_price >= 0),
      status TEXT NOT NULL CHECK (status IN ('processing', 'completed', 'failed')),
      delivered_qty INTEGER NOT NULL DEFAULT 0 CHECK (delivered_qty BETWEEN 0 AND qty),
      due_at INTEGER NOT NULL,
      give_up_at INTEGER NOT NULL,
      PRIMARY KEY (order_no, line)
    ) STRICT, WITHOUT ROWID;

    -- The units of an order: reserved when it is accepted (live only), delivered or given back later.
    CREATE TABLE order_units (
      no INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE COLLATE BINARY,
      order_no INTEGER NOT NULL REFERENCES orders (no),
      line INTEGER NOT NULL,
      unit_no INTEGER REFERENCES units (no),
      offer_no INTEGER REFERENCES offers (no),
      price INTEGER,
      customer_price INTEGER,
      state TEXT NOT NULL CHECK (state IN ('reserved', 'delivered', 'returned')),
      test_value TEXT CHECK ((test_value IS NULL) = (unit_no IS NOT NULL)),
      delivered_at INTEGER
    ) STRICT;
    CREATE INDEX order_units_of_order ON order_units (order_no, line);

    CREATE TABLE sales (
      no INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE COLLATE BINARY,
      seller_id TEXT NOT NULL COLLATE BINARY REFERENCES sellers (id),
      order_unit_no INTEGER NOT NULL UNIQUE REFERENCES order_units (no),
      price INTEGER NOT NULL,
      customer_price INTEGER NOT NULL,
      unit_price INTEGER NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('pending', 'released', 'cancelled')),
      sold_at INTEGER NOT NULL,
      release_at INTEGER NOT NULL,
      released_at INTEGER,
      key_sha256 BLOB NOT NULL CHECK (length(key_sha256) = 32)
    ) STRICT;
    CREATE INDEX sales_of_seller ON sales (seller_id, sold_at DESC, id);
    CREATE INDEX sales_pending ON sales (release_at, no) WHERE status = 'pending';

    CREATE TABLE ledger_accounts (
      mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
      name TEXT NOT NULL COLLATE BINARY,
      balance INTEGER NOT NULL,
      PRIMARY KEY (mode, name)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE ledger_entries (
      no INTEGER PRIMARY KEY,
      mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
      type TEXT NOT NULL,
      at INTEGER NOT NULL,
      order_id TEXT COLLATE BINARY,
      reference TEXT,
      partner_id TEXT COLLATE BINARY,
      amount INTEGER,
      balance_after INTEGER,
      hash BLOB NOT NULL CHECK (length(hash) = 32)
    ) STRICT;
    CREATE INDEX ledger_of_partner ON ledger_entries (partner_id, no) WHERE partner_id IS NOT NULL;

    CREATE TABLE ledger_postings (
      entry_no INTEGER NOT NULL REFERENCES ledger_entries (no),
      account TEXT NOT NULL COLLATE BINARY,
      amount INTEGER NOT NULL,
      PRIMARY KEY (entry_no, account)
    ) STRICT, WITHOUT ROWID;

    CREATE TRIGGER ledger_entries_stay BEFORE UPDATE ON ledger_entries BEGIN
      SELECT RAISE(ABORT, 'the ledger is append-only'); END;
    CREATE TRIGGER ledger_entries_kept BEFORE DELETE ON ledger_entries BEGIN
      SELECT RAISE(ABORT, 'the ledger is append-only'); END;
    CREATE TRIGGER ledger_postings_stay BEFORE UPDATE ON ledger_postings BEGIN
      SELECT RAISE(ABORT, 'the ledger is append-only'); END;
    CREATE TRIGGER ledger_postings_kept BEFORE DELETE ON ledger_postings BEGIN
      SELECT RAISE(ABORT, 'the ledger is append-only'); END;

    -- What had been proved when: a start verifies from the last checkpoint on.
    CREATE TABLE ledger_checkpoints (
      entry_no INTEGER PRIMARY KEY,
      hash BLOB NOT NULL CHECK (length(hash) = 32),
      balances TEXT NOT NULL CHECK (json_valid(balances))
    ) STRICT;

    CREATE TABLE idempotency (
      scope TEXT NOT NULL COLLATE BINARY,
      key TEXT NOT NULL COLLATE BINARY,
      digest BLOB NOT NULL CHECK (length(digest) = 32),
      status INTEGER,
      body TEXT,
      order_id TEXT COLLATE BINARY,
      holds_keys INTEGER NOT NULL CHECK (holds_keys IN (0, 1)),
      expires_at INTEGER NOT NULL,
      PRIMARY KEY (scope, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX idempotency_expiry ON idempotency (expires_at);

    CREATE TABLE top_up_references (
      reference TEXT NOT NULL PRIMARY KEY COLLATE BINARY,
      partner_id TEXT NOT NULL COLLATE BINARY REFERENCES partners (id),
      mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
      created_at INTEGER NOT NULL,
      used_at INTEGER
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE emails (
      no INTEGER PRIMARY KEY,
      partner_id TEXT NOT NULL COLLATE BINARY REFERENCES partners (id),
      recipient TEXT NOT NULL,
      subject TEXT NOT NULL,
      text TEXT NOT NULL,
      at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX emails_of_partner ON emails (partner_id, no);
  `,
}
