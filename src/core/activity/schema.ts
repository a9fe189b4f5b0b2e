import type { FeatureSchema } from '../mirror/schema.ts'

export const activitySchema: FeatureSchema = {
  feature: 'activity',
  steps: [`
    CREATE TABLE activity (
      seq INTEGER PRIMARY KEY,
      id TEXT NOT NULL,
      at INTEGER NOT NULL,
      account_id TEXT,
      what TEXT NOT NULL,
      detail TEXT NOT NULL,
      outcome TEXT NOT NULL,
      code TEXT,
      status INTEGER,
      request_id TEXT,
      duration_ms REAL
    ) STRICT;
    CREATE INDEX activity_by_account ON activity (account_id, seq);
  `],
}
