import type { FeatureSchema } from '../mirror/schema.ts'

/**
 * Record names under which a claim's text and screenshot are encrypted, because people put keys
 * into both.
 */
export const claimRecordNames = {
  message: (claimId: string): string => `claim-message:${claimId}`,
  screenshot: (claimId: string): string => `claim-screenshot:${claimId}`,
}

/**
 * A partner's claims. They exist only on this computer, so they are part of the journal.
 * `told_outcome`: the result that a person learned from support.
 */
export const claimsSchema: FeatureSchema = {
  feature: 'claims',
  place: 'journal',
  steps: [
    `
    CREATE TABLE claims (
      claim_id TEXT PRIMARY KEY,
      order_id TEXT NOT NULL,
      key_id TEXT NOT NULL UNIQUE,
      state TEXT NOT NULL CHECK (state IN ('draft', 'sending', 'unknown', 'filed', 'told', 'refused')),
      message_sealed BLOB NOT NULL,
      screenshot_sealed BLOB,
      screenshot_type TEXT,
      screenshot_bytes INTEGER,
      problem TEXT,
      written_at INTEGER NOT NULL,
      sent_at INTEGER,
      dispute_id TEXT,
      status TEXT,
      escalates_at INTEGER,
      outcome TEXT CHECK (outcome IN ('replaced', 'refunded', 'rejected')),
      settled_at INTEGER,
      new_key_id TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX claims_by_order ON claims (order_id);
    CREATE INDEX claims_open ON claims (state) WHERE outcome IS NULL;
  `,
  ],
  sealed: [
    {
      kind: 'dispute-text',
      table: 'claims',
      column: 'message_sealed',
      key: ['claim_id'],
      recordId: (row) => claimRecordNames.message(String(row['claim_id'])),
    },
    {
      kind: 'dispute-text',
      table: 'claims',
      column: 'screenshot_sealed',
      key: ['claim_id'],
      recordId: (row) => claimRecordNames.screenshot(String(row['claim_id'])),
    },
  ],
}
