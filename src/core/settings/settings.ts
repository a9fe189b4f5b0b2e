import type { Database } from 'better-sqlite3'
import { settingsSchema as settingsShape } from '../../contract/app/app.ts'
import type { Settings } from '../../contract/app/app.ts'
import type { Changes } from '../changes.ts'
import type { SettingsReader } from '../context.ts'
import type { FeatureSchema } from '../mirror/schema.ts'
import { parseOnce } from '../parse-once.ts'

export const settingsSchema: FeatureSchema = {
  feature: 'settings',
  steps: [
    'CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID',
  ],
}

/** The default settings. */
export const defaultSettings: Settings = {
  theme: 'system',
  density: 36,
  singleLetterShortcuts: true,
  catalogueMinutes: 5,
  lowStock: 5,
  priceGuard: 30,
  alarmClaims: 3,
  alarmPercent: 3,
  lockMinutes: 15,
  paces: { offers: 1, sales: 1, disputes: 1, orders: 1, balance: 1 },
  quietNotices: [],
  activityDays: 90,
  currentAccountId: null,
}

export interface SettingsStore extends SettingsReader {
  /** Changes only the given settings. */
  change(some: { [Name in keyof Settings]?: Settings[Name] | undefined }): Settings
  /** A stored value that isn't a person's setting, such as the sandbox's last port. */
  recall(name: string): string | null
  remember(name: string, value: string): void
  forget(name: string): void
  /** The values stored under names that start with `prefix`, by the rest of the name. */
  recallAll(prefix: string): Record<string, string>
}

export function createSettings(database: Database, changes: Changes): SettingsStore {
  const read = database.prepare<{ name: string }, { value: string }>(
    'SELECT value FROM setting WHERE name = :name',
  )
  const write = database.prepare<{ name: string; value: string }>(
    'INSERT INTO setting (name, value) VALUES (:name, :value) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  )
  const all = database.prepare<{ from: string; to: string }, { name: string; value: string }>(
    'SELECT name, value FROM setting WHERE name >= :from AND name < :to',
  )
  const remove = database.prepare<{ name: string }>('DELETE FROM setting WHERE name = :name')
  const recall = (name: string): string | null => read.get({ name })?.value ?? null
  const remember = (name: string, value: string): void => void write.run({ name, value })

  function load(): Settings {
    const stored: unknown = JSON.parse(recall('settings') ?? '{}')
    const kept: object = typeof stored === 'object' && stored !== null ? stored : {}
    const complete = settingsShape.safeParse({ ...defaultSettings, ...kept }, parseOnce)
    if (complete.success) return complete.data
    // A setting that is no longer valid falls back to its default without affecting the others.
    const parts = Object.entries(settingsShape.shape).map(([name, shape]) => {
      const parsed = shape.safeParse(Reflect.get(kept, name), parseOnce)
      return [name, parsed.success ? parsed.data : Reflect.get(defaultSettings, name)]
    })
    return settingsShape.parse(Object.fromEntries(parts), parseOnce)
  }

  let current = load()
  return {
    get: () => current,
    change(some) {
      current = settingsShape.parse({
        ...current,
        ...Object.fromEntries(Object.entries(some).filter(([, value]) => value !== undefined)),
      })
      remember('settings', JSON.stringify(current))
      changes.notify('settings')
      return current
    },
    recall,
    remember,
    forget: (name) => void remove.run({ name }),
    recallAll: (prefix) =>
      Object.fromEntries(
        all
          .all({ from: prefix, to: `${prefix}\uffff` })
          .map(({ name, value }) => [name.slice(prefix.length), value]),
      ),
  }
}
