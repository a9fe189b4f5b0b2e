import type { FeatureSchema } from '../mirror/schema.ts'

/**
 * Orders, their lines and the balance, as the service reports them. Times in milliseconds, amounts
 * in cents.
 */
const ordersMirror: FeatureSchema = {
  feature: 'orders',
  steps: [
    `
    CREATE TABLE orders (
      order_id TEXT PRIMARY KEY,
      external_id TEXT NOT NULL,
      status TEXT NOT NULL,
      mode TEXT NOT NULL,
      total_cents INTEGER NOT NULL,
      refunded_cents INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      completed_at INTEGER,
      failure_code TEXT,
      failure_message TEXT,
      first_downloaded_at INTEGER,
      tells_first_download INTEGER NOT NULL,
      downloaded_here_at INTEGER,
      units INTEGER NOT NULL,
      delivered_units INTEGER NOT NULL,
      title TEXT NOT NULL,
      search TEXT NOT NULL,
      read_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX orders_by_created ON orders (created_at DESC, order_id);
    CREATE INDEX orders_by_status ON orders (status, created_at DESC);
    CREATE INDEX orders_by_external ON orders (external_id);

    CREATE TABLE order_lines (
      order_id TEXT NOT NULL REFERENCES orders,
      line INTEGER NOT NULL,
      product_id TEXT NOT NULL,
      name TEXT NOT NULL,
      delivery_type TEXT NOT NULL,
      qty INTEGER NOT NULL,
      unit_cents INTEGER NOT NULL,
      status TEXT NOT NULL,
      delivered_qty INTEGER NOT NULL,
      PRIMARY KEY (order_id, line)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE order_keys (
      order_id TEXT NOT NULL REFERENCES orders,
      key_id TEXT NOT NULL,
      line INTEGER NOT NULL,
      product_id TEXT NOT NULL,
      delivery_type TEXT NOT NULL,
      content_type TEXT NOT NULL,
      masked TEXT NOT NULL,
      sealed BLOB NOT NULL,
      delivered_at INTEGER NOT NULL,
      PRIMARY KEY (order_id, key_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE order_attempts (
      attempt_id TEXT PRIMARY KEY,
      external_id TEXT NOT NULL,
      idempotency_key TEXT NOT NULL,
      lines TEXT NOT NULL,
      wait_seconds INTEGER NOT NULL,
      at_most_cents INTEGER NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('sending', 'unknown', 'placed', 'refused')),
      order_id TEXT,
      problem TEXT,
      written_at INTEGER NOT NULL,
      settled_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX order_attempts_open ON order_attempts (state) WHERE state IN ('sending', 'unknown');
    CREATE INDEX order_attempts_by_order ON order_attempts (order_id);

    CREATE TABLE order_history (
      one INTEGER PRIMARY KEY CHECK (one = 1),
      next_page INTEGER NOT NULL,
      complete INTEGER NOT NULL,
      balance_cents INTEGER,
      balance_at INTEGER
    ) STRICT;
    INSERT INTO order_history (one, next_page, complete) VALUES (1, 1, 0);
  `,
    `
    DROP TABLE order_keys;
    DROP TABLE order_attempts;
    ALTER TABLE orders DROP COLUMN downloaded_here_at;
  `,
    'ALTER TABLE order_history ADD COLUMN read_at INTEGER',
    // Adds up the credits since a time without reading the orders that have none.
    `CREATE INDEX orders_with_credits ON orders (coalesce(completed_at, created_at), refunded_cents)
      WHERE refunded_cents > 0`,
  ],
}

/** Record name under which a delivered key is encrypted. */
export const orderKeyRecord = (orderId: string, keyId: string): string =>
  `order-key:${orderId}:${keyId}`

/**
 * Order data that exists only on this computer: its keys (encrypted), the first download of each
 * order, and every order attempt.
 */
const ordersJournal: FeatureSchema = {
  feature: 'orders',
  place: 'journal',
  steps: [
    `
    CREATE TABLE order_keys (
      order_id TEXT NOT NULL,
      key_id TEXT NOT NULL,
      line INTEGER NOT NULL,
      product_id TEXT NOT NULL,
      delivery_type TEXT NOT NULL,
      content_type TEXT NOT NULL,
      masked TEXT NOT NULL,
      sealed BLOB NOT NULL,
      delivered_at INTEGER NOT NULL,
      PRIMARY KEY (order_id, key_id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE order_downloads (order_id TEXT PRIMARY KEY, first_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE order_attempts (
      attempt_id TEXT PRIMARY KEY,
      external_id TEXT NOT NULL,
      idempotency_key TEXT NOT NULL,
      lines TEXT NOT NULL,
      wait_seconds INTEGER NOT NULL,
      at_most_cents INTEGER NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('sending', 'unknown', 'placed', 'refused')),
      order_id TEXT,
      problem TEXT,
      written_at INTEGER NOT NULL,
      settled_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX order_attempts_open ON order_attempts (state) WHERE state IN ('sending', 'unknown');
    CREATE INDEX order_attempts_by_order ON order_attempts (order_id);
  `,
    `
    ALTER TABLE order_keys ADD COLUMN fingerprint BLOB;
    ALTER TABLE order_keys ADD COLUMN replacement INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE order_keys ADD COLUMN seen_at INTEGER;
    CREATE INDEX order_keys_by_fingerprint ON order_keys (fingerprint);
    CREATE INDEX order_keys_by_delivered ON order_keys (delivered_at DESC, order_id, key_id);
    CREATE INDEX order_keys_new ON order_keys (order_id) WHERE replacement = 1 AND seen_at IS NULL;
    CREATE INDEX order_attempts_by_external ON order_attempts (external_id);
    CREATE TABLE order_key_uses (
      use_id INTEGER PRIMARY KEY,
      order_id TEXT NOT NULL,
      key_id TEXT,
      what TEXT NOT NULL,
      who TEXT NOT NULL,
      keys INTEGER NOT NULL,
      at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX order_key_uses_by_order ON order_key_uses (order_id, use_id);
    CREATE TABLE order_bulks (
      bulk_id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('running', 'paused', 'asking', 'done', 'cancelled')),
      problem TEXT,
      started_at INTEGER NOT NULL,
      touched_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE order_bulk_orders (
      bulk_id TEXT NOT NULL REFERENCES order_bulks ON DELETE CASCADE,
      position INTEGER NOT NULL,
      external_id TEXT NOT NULL,
      lines TEXT NOT NULL,
      at_most_cents INTEGER NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('waiting', 'sent', 'left')),
      attempt_id TEXT,
      PRIMARY KEY (bulk_id, position)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX order_bulk_orders_waiting ON order_bulk_orders (external_id) WHERE state = 'waiting';
  `,
    `
    ALTER TABLE order_keys ADD COLUMN handed_at INTEGER;
    ALTER TABLE order_keys ADD COLUMN handed_note TEXT NOT NULL DEFAULT '';
    CREATE INDEX order_keys_unhanded ON order_keys (delivered_at DESC) WHERE handed_at IS NULL;
  `,
  ],
  sealed: [
    {
      kind: 'delivered-key',
      table: 'order_keys',
      column: 'sealed',
      key: ['order_id', 'key_id'],
      recordId: (row) => orderKeyRecord(String(row['order_id']), String(row['key_id'])),
      exported: [
        'order_id',
        'line',
        'product_id',
        'key_id',
        'delivery_type',
        'content_type',
        'delivered_at',
      ],
    },
  ],
  importFromMirror: {
    table: 'order_attempts',
    sql: `
      INSERT OR IGNORE INTO order_keys (order_id, key_id, line, product_id, delivery_type,
        content_type, masked, sealed, delivered_at)
        SELECT order_id, key_id, line, product_id, delivery_type, content_type, masked, sealed,
          delivered_at FROM old.order_keys;
      INSERT OR IGNORE INTO order_attempts SELECT * FROM old.order_attempts;
      INSERT OR IGNORE INTO order_downloads SELECT order_id, downloaded_here_at FROM old.orders
        WHERE downloaded_here_at IS NOT NULL;
    `,
  },
}

export const ordersSchemas = [ordersMirror, ordersJournal]
