import type { Migration } from './migration.ts'

/** When a delivery ended, so that old deliveries can be found and deleted with their events. */
export const webhookHistory: Migration = {
  version: 6,
  name: 'webhook-history',
  sql: `
    -- Null while it is pending.
    ALTER TABLE webhook_deliveries ADD COLUMN ended_at INTEGER;
    UPDATE webhook_deliveries SET ended_at = coalesce(
      (SELECT max(at) FROM webhook_attempts WHERE delivery_no = webhook_deliveries.no),
      (SELECT CAST(unixepoch(body ->> 'createdAt', 'subsec') * 1000 AS INTEGER) FROM webhook_events WHERE no = event_no)
    ) WHERE status <> 'pending';
    CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (ended_at) WHERE ended_at IS NOT NULL;
    CREATE INDEX webhook_deliveries_of_event ON webhook_deliveries (event_no);
  `,
}
