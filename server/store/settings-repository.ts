import type { Database } from 'better-sqlite3'
import type { SettingsRepository } from '../domain/ports/repositories.ts'

export function createSettingsRepository(database: Database): SettingsRepository {
  const get = database
    .prepare<{ name: string }, string>('SELECT value FROM settings WHERE name = @name')
    .pluck()
  const set = database.prepare<{ name: string; value: string }>(
    'INSERT INTO settings (name, value) VALUES (@name, @value) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  )
  return {
    get: (name) => get.get({ name }),
    set: (name, value) => void set.run({ name, value }),
  }
}
