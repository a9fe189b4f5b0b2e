import type { FeatureSchema } from '../../mirror/schema.ts'

/** The associated data that seals a profile's content. */
export const profileRecord = (profileId: string): string => `import-profile:${profileId}`

/**
 * Saved import profiles, and the drafts that send keys uploaded before. A profile's content is
 * sealed, because a wrong guess can put keys into the column names and values.
 */
export const profilesJournal: FeatureSchema = {
  feature: 'import-profiles',
  place: 'journal',
  steps: [
    `
    CREATE TABLE import_profiles (
      profile_id TEXT PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      saved_at INTEGER NOT NULL,
      content BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE import_repeats (import_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  `,
  ],
  sealed: [
    {
      kind: 'import-facts',
      table: 'import_profiles',
      column: 'content',
      key: ['profile_id'],
      recordId: (row) => profileRecord(String(row['profile_id'])),
    },
  ],
}
