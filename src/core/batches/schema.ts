import type { FeatureSchema } from '../mirror/schema.ts'

/** The user's notes about an import's keys on an offer. */
export const batchesSchema: FeatureSchema = {
  feature: 'batches',
  place: 'journal',
  steps: [
    `
    CREATE TABLE batch_notes (
      import_number INTEGER NOT NULL,
      offer INTEGER NOT NULL,
      name TEXT NOT NULL DEFAULT '',
      supplier TEXT NOT NULL DEFAULT '',
      note TEXT NOT NULL DEFAULT '',
      cost_cents INTEGER,
      PRIMARY KEY (import_number, offer)
    ) STRICT, WITHOUT ROWID;
  `,
  ],
}
