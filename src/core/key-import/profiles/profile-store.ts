import type { Database } from 'better-sqlite3'

export type ProfileRow = { profile_id: string; name: string; saved_at: number; content: Buffer }

/** Stores saved profiles. */
export function createProfileStore(db: Database) {
  const list = db.prepare<[], ProfileRow>(
    'SELECT * FROM import_profiles ORDER BY name COLLATE NOCASE',
  )
  const find = db.prepare<{ profileId: string }, ProfileRow>(
    'SELECT * FROM import_profiles WHERE profile_id = :profileId',
  )
  const remove = db.prepare<{ profileId: string }>(
    'DELETE FROM import_profiles WHERE profile_id = :profileId',
  )
  const removeNamed = db.prepare<{ name: string }>('DELETE FROM import_profiles WHERE name = :name')
  const add = db.prepare<{ profileId: string; name: string; at: number; content: Buffer }>(
    'INSERT INTO import_profiles (profile_id, name, saved_at, content) VALUES (:profileId, :name, :at, :content)',
  )
  const save = db.transaction(
    (profile: { profileId: string; name: string; at: number; content: Buffer }): void => {
      removeNamed.run({ name: profile.name })
      add.run(profile)
    },
  )
  return {
    list: (): ProfileRow[] => list.all(),
    find: (profileId: string): ProfileRow | undefined => find.get({ profileId }),
    /** Saves a profile and replaces one with the same name. */
    save: (profile: { profileId: string; name: string; at: number; content: Buffer }): void =>
      save(profile),
    remove: (profileId: string): boolean => remove.run({ profileId }).changes > 0,
  }
}
