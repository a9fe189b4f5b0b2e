import type { Migration } from './migration.ts'

/** A market event of a dispute in which nothing can happen waits for its next message. */
export const waitingEvents: Migration = {
  version: 8,
  name: 'waiting-events',
  sql: `
    ALTER TABLE market_events ADD COLUMN dispute_id TEXT;
    ALTER TABLE market_events ADD COLUMN wake_ms INTEGER;
    CREATE INDEX market_events_waiting ON market_events (dispute_id) WHERE dispute_id IS NOT NULL;
  `,
}
