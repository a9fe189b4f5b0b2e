import type { Migration } from './migration.ts'

/** Releases held by disputes, and the disputes with their messages. */
export const disputes: Migration = {
  version: 2,
  name: 'disputes',
  sql: `
    -- A sale is held, and not released, while a dispute on it is unresolved.
    ALTER TABLE sales ADD COLUMN held INTEGER NOT NULL DEFAULT 0 CHECK (held IN (0, 1));
    DROP INDEX sales_pending;
    CREATE INDEX sales_due ON sales (release_at, no) WHERE status = 'pending' AND held = 0;
    CREATE INDEX sales_upcoming ON sales (seller_id, release_at) WHERE status = 'pending' AND held = 0;

    CREATE TABLE disputes (
      no INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE COLLATE BINARY,
      sale_no INTEGER NOT NULL REFERENCES sales (no),
      seller_id TEXT NOT NULL COLLATE BINARY REFERENCES sellers (id),
      order_unit_no INTEGER NOT NULL UNIQUE REFERENCES order_units (no),
      key_sha256 BLOB NOT NULL CHECK (length(key_sha256) = 32),
      reason TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('open', 'escalated', 'resolved')),
      opened_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      escalates_at INTEGER CHECK (escalates_at IS NULL OR status = 'open'),
      resolution TEXT CHECK (resolution IN ('replaced', 'refunded', 'rejected')),
      resolved_at INTEGER CHECK ((resolved_at IS NULL) = (resolution IS NULL)),
      replacement_no INTEGER UNIQUE REFERENCES order_units (no) CHECK
        ((replacement_no IS NOT NULL) = (resolution IS 'replaced')),
      CHECK ((status = 'resolved') = (resolution IS NOT NULL))
    ) STRICT;
    CREATE INDEX disputes_newest ON disputes (opened_at DESC, id);
    CREATE INDEX disputes_of_seller ON disputes (seller_id, opened_at DESC, id, status);
    CREATE INDEX disputes_due ON disputes (escalates_at, no) WHERE escalates_at IS NOT NULL;

    CREATE TABLE dispute_messages (
      no INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE COLLATE BINARY,
      dispute_no INTEGER NOT NULL REFERENCES disputes (no),
      author TEXT NOT NULL CHECK (author IN ('customer', 'seller', 'support')),
      body TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      attachments TEXT NOT NULL CHECK (json_valid(attachments))
    ) STRICT;
    CREATE INDEX dispute_messages_of_dispute ON dispute_messages (dispute_no, no);
  `,
}
