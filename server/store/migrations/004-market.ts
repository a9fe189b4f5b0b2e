import type { Migration } from './migration.ts'

/**
 * The market simulation: its run, the accounts it operates, its planned events, and the usual
 * prices of products.
 */
export const market: Migration = {
  version: 4,
  name: 'market',
  sql: `
    -- The present run, or the last one; ids_made goes on from run to run.
    CREATE TABLE market_run (
      one INTEGER PRIMARY KEY CHECK (one = 1),
      running INTEGER NOT NULL CHECK (running IN (0, 1)),
      seed TEXT NOT NULL CHECK (json_valid(seed)),
      intensity REAL NOT NULL CHECK (intensity >= 0),
      sellers INTEGER NOT NULL CHECK (sellers >= 0),
      customers INTEGER NOT NULL CHECK (customers >= 0),
      since INTEGER NOT NULL,
      planned_until INTEGER NOT NULL,
      ids_made INTEGER NOT NULL,
      counts TEXT NOT NULL CHECK (json_valid(counts))
    ) STRICT;

    -- Sellers and partners that nobody owns but the market; made by itself, or competitors of the seeded world.
    CREATE TABLE market_actors (
      no INTEGER PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind IN ('seller', 'shop')),
      account_id TEXT NOT NULL UNIQUE COLLATE BINARY,
      newcomer INTEGER NOT NULL CHECK (newcomer IN (0, 1))
    ) STRICT;

    CREATE TABLE market_events (
      no INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      event TEXT NOT NULL CHECK (json_valid(event))
    ) STRICT;
    CREATE INDEX market_events_due ON market_events (at, no);

    -- What a product cost when the market first met it: the measure of dear and cheap.
    CREATE TABLE market_prices (
      product_id TEXT NOT NULL PRIMARY KEY COLLATE BINARY REFERENCES products (id),
      usual INTEGER NOT NULL CHECK (usual > 0)
    ) STRICT, WITHOUT ROWID;
  `,
}
