import type { FeatureSchema } from '../mirror/schema.ts'

/** Under what a profile's mapping is sealed. */
export const profileRecord = (profileId: string): string => `import-profile:${profileId}`

/**
 * Saved import profiles, and which drafts send what was uploaded before. A profile's content is
 * sealed: names of columns and values of the offer column may hold keys where a guess was wrong.
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
