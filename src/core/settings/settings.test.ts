import SqliteDatabase from 'better-sqlite3'
import { afterEach, expect, test } from 'vitest'
import { createChanges } from '../changes.ts'
import { createSettings, defaultSettings, settingsSchema } from './settings.ts'

const database = new SqliteDatabase(':memory:')
for (const step of settingsSchema.steps) database.exec(step)
afterEach(() => void database.exec('DELETE FROM setting'))

/** The settings that a start reads from this stored text. */
function read(stored: string) {
  createSettings(database, createChanges()).remember('settings', stored)
  return createSettings(database, createChanges()).get()
}

test('keeps stored settings, and adds the default of one that an earlier version lacked', () => {
  expect(read('{"theme":"dark","lowStock":7}')).toEqual({
    ...defaultSettings,
    theme: 'dark',
    lowStock: 7,
  })
})

test('replaces only a setting that is no longer valid by its default', () => {
  expect(read('{"theme":"dark","lowStock":-1,"gone":true}')).toEqual({
    ...defaultSettings,
    theme: 'dark',
  })
})

test.each(['{}', 'null', '7', '[]'])('has the defaults when %s is stored', (stored) => {
  expect(read(stored)).toEqual(defaultSettings)
})
