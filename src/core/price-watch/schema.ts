import type { FeatureSchema } from '../mirror/schema.ts'

/**
 * Price watch data that is stored only on this computer: rules in their order, the state of each
 * offer (`state` as JSON), the best price at its last lookup, prices sent by this console,
 * proposals, sends with their outcome, lead changes, and every decision. A repeated decision is one
 * row with its first and last time.
 */
export const priceWatchSchema: FeatureSchema = {
  feature: 'price-watch',
  place: 'journal',
  steps: [
    `
    CREATE TABLE watch_rules (
      rule_id TEXT PRIMARY KEY,
      position INTEGER NOT NULL,
      mode TEXT NOT NULL CHECK (mode IN ('off', 'propose', 'auto')),
      revision INTEGER NOT NULL,
      rule TEXT NOT NULL,
      confirmed_at INTEGER,
      written_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE watch_offers (
      offer_id TEXT PRIMARY KEY,
      state TEXT,
      best_cents INTEGER,
      best_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE watch_asked (offer_id TEXT NOT NULL, price_cents INTEGER NOT NULL,
      at INTEGER NOT NULL, PRIMARY KEY (offer_id, price_cents)) STRICT, WITHOUT ROWID;
    CREATE TABLE watch_proposals (
      offer_id TEXT PRIMARY KEY,
      proposal_id TEXT NOT NULL UNIQUE,
      rule_id TEXT NOT NULL,
      reason TEXT NOT NULL,
      from_cents INTEGER NOT NULL,
      target_cents INTEGER NOT NULL,
      target_customer_cents INTEGER,
      best_cents INTEGER,
      at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE watch_sends (
      send_id TEXT PRIMARY KEY,
      offer_id TEXT NOT NULL,
      rule_id TEXT NOT NULL,
      sent_by TEXT NOT NULL CHECK (sent_by IN ('person', 'auto')),
      state TEXT NOT NULL CHECK (state IN ('queued', 'sending', 'applied', 'refused', 'returned')),
      reason TEXT NOT NULL,
      from_cents INTEGER NOT NULL,
      target_cents INTEGER NOT NULL,
      best_cents INTEGER,
      result TEXT,
      number INTEGER NOT NULL,
      queued_at INTEGER NOT NULL,
      settled_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX watch_sends_open ON watch_sends (offer_id) WHERE state IN ('queued', 'sending');
    CREATE INDEX watch_sends_queue ON watch_sends (state, number);
    CREATE TABLE watch_leads (offer_id TEXT NOT NULL, at INTEGER NOT NULL, lead TEXT NOT NULL,
      PRIMARY KEY (offer_id, at)) STRICT, WITHOUT ROWID;
    CREATE INDEX watch_leads_by_time ON watch_leads (at);
    CREATE TABLE watch_decisions (
      number INTEGER PRIMARY KEY,
      offer_id TEXT NOT NULL,
      at INTEGER NOT NULL,
      last_at INTEGER NOT NULL,
      times INTEGER NOT NULL,
      reason TEXT NOT NULL,
      rule_id TEXT,
      rule_name TEXT,
      before_cents INTEGER NOT NULL,
      target_cents INTEGER,
      by_whom TEXT NOT NULL CHECK (by_whom IN ('rule', 'auto', 'person')),
      inputs TEXT NOT NULL
    ) STRICT;
    CREATE INDEX watch_decisions_by_offer ON watch_decisions (offer_id, number);
    CREATE INDEX watch_decisions_by_reason ON watch_decisions (reason, number);
    CREATE INDEX watch_decisions_by_time ON watch_decisions (last_at);
    CREATE TABLE watch_switch (id INTEGER PRIMARY KEY CHECK (id = 1), stopped_at INTEGER,
      numbered INTEGER NOT NULL) STRICT;
    INSERT INTO watch_switch (id, stopped_at, numbered) VALUES (1, NULL, 0);
    CREATE TABLE watch_rehearsals (rehearsal_id TEXT PRIMARY KEY, at INTEGER NOT NULL,
      result TEXT NOT NULL) STRICT, WITHOUT ROWID;
  `,
  ],
}
