import type { Migration } from './migration.ts'

/**
 * Webhook endpoints, their events, and the deliveries of those with their attempts (Decision 21).
 */
export const webhooks: Migration = {
  version: 3,
  name: 'webhooks',
  sql: `
    -- The secret signs every attempt, so it is the one credential that is kept as it is.
    CREATE TABLE webhook_endpoints (
      partner_id TEXT NOT NULL PRIMARY KEY COLLATE BINARY REFERENCES partners (id),
      url TEXT NOT NULL,
      secret TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE webhook_events (
      no INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE COLLATE BINARY,
      event TEXT NOT NULL,
      body TEXT NOT NULL CHECK (json_valid(body))
    ) STRICT;

    CREATE TABLE webhook_deliveries (
      no INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE COLLATE BINARY,
      partner_id TEXT NOT NULL COLLATE BINARY REFERENCES partners (id),
      event_no INTEGER NOT NULL REFERENCES webhook_events (no),
      status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
      next_attempt_at INTEGER,
      CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL))
    ) STRICT;
    CREATE INDEX webhook_deliveries_of_partner ON webhook_deliveries (partner_id, no);
    CREATE INDEX webhook_deliveries_due ON webhook_deliveries (partner_id, next_attempt_at, no)
      WHERE status = 'pending';

    CREATE TABLE webhook_attempts (
      delivery_no INTEGER NOT NULL REFERENCES webhook_deliveries (no),
      attempt INTEGER NOT NULL CHECK (attempt > 0),
      at INTEGER NOT NULL,
      status INTEGER,
      error TEXT,
      duration_ms INTEGER NOT NULL,
      PRIMARY KEY (delivery_no, attempt)
    ) STRICT, WITHOUT ROWID;
  `,
}
