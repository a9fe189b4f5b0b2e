import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { channelName, type CrashPoint } from '../../domain/crash-points.ts'
import type { Store } from '../../domain/ports/store.ts'
import { openStore } from '../store.ts'

type Opened = Awaited<ReturnType<Store['snapshots']['open']>>

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keydesk-snapshots-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Saves a snapshot in a separate process that is killed at a crash point. */
function saveUntil(crashPoint: CrashPoint): string | null {
  const program = `
    import { channel } from 'node:diagnostics_channel'
    import { openStore } from '${new URL('../store.ts', import.meta.url).href}'
    channel('${channelName(crashPoint)}').subscribe(() => process.kill(process.pid, 'SIGKILL'))
    openStore('${folder}').snapshots.save('one', 0)`
  return spawnSync(process.execPath, ['--input-type=module', '--eval', program]).signal
}

test('drops a snapshot interrupted by a kill, and the next start cleans it up', () => {
  expect(saveUntil('snapshot.written')).toBe('SIGKILL')
  expect(readdirSync(join(folder, 'snapshots'))).toEqual([expect.stringMatching(/^\.work-/)])
  const store = openStore(folder)
  expect(store.snapshots.list()).toEqual([])
  expect(readdirSync(join(folder, 'snapshots'))).toEqual([])
  store.close()
})

test('keeps a snapshot that has its name complete and restorable', async () => {
  expect(saveUntil('snapshot.named')).toBe('SIGKILL')
  const store = openStore(folder)
  expect(store.snapshots.list().map(({ name }) => name)).toEqual(['one'])
  await replaceBy(store, await store.snapshots.open('one'))
  expect(readdirSync(join(folder, 'snapshots'))).toEqual(['one.sqlite'])
  store.close()
})

test.each([
  ['by its file', false],
  ['by its content while another connection reads an earlier state', true],
])('copies everything that was committed, %s', (_how, reads) => {
  const store = openStore(folder, { durable: false })
  store.transaction(() => store.settings.set('first', '1'))
  const reader = new Database(join(folder, 'keydesk.sqlite'))
  if (reads) reader.exec('BEGIN; SELECT count(*) FROM settings')
  store.transaction(() => store.settings.set('second', '2'))
  const target = join(folder, 'branch')
  mkdirSync(target)
  store.snapshots.copyTo(target)
  reader.close()
  store.close()
  expect(readdirSync(target)).toContain('keydesk.sqlite')
  expect(statSync(join(target, 'keydesk.sqlite')).mode & 0o777).toBe(0o600)
  const branch = openStore(target, { durable: false })
  expect(['first', 'second'].map((name) => branch.settings.get(name))).toEqual(['1', '2'])
  branch.close()
})

/** Adopts an opened state. */
async function replaceBy(store: Store, opened: Opened): Promise<void> {
  if (typeof opened === 'string') throw new Error(opened)
  await opened.state.complete()
  opened.state.adopt()
  opened.state.discard()
}

test('replaces the present state in one step; every repository then reads the other one', async () => {
  const store = openStore(folder)
  const { settings } = store
  settings.set('name', 'saved')
  await store.snapshots.save('one', 0)
  settings.set('name', 'present')
  const opened = await store.snapshots.open('one')
  if (typeof opened === 'string') throw new Error(opened)
  opened.state.settings.set('beside', 'yes')
  expect([settings.get('name'), settings.get('beside')]).toEqual(['present', undefined])
  await replaceBy(store, opened)
  expect([settings.get('name'), settings.get('beside')]).toEqual(['saved', 'yes'])
  expect(store.transaction(() => store.settings.get('name'))).toBe('saved')
  store.close()
  const again = openStore(folder)
  expect(again.settings.get('beside')).toBe('yes')
  again.close()
})

test('keeps the present state when the prepared file is gone', async () => {
  const store = openStore(folder)
  store.settings.set('name', 'present')
  const state = store.snapshots.openEmpty()
  await state.complete()
  state.discard()
  expect(() => state.adopt()).toThrow('ENOENT')
  expect(store.settings.get('name')).toBe('present')
  store.settings.set('name', 'later')
  store.close()
  const again = openStore(folder)
  expect(again.settings.get('name')).toBe('later')
  again.close()
})

test.each([
  ['state.closed', 'present'],
  ['state.replaced', undefined],
] as const)('leaves one complete state when killed at %s', (crashPoint, name) => {
  const program = `
    import { channel } from 'node:diagnostics_channel'
    import { openStore } from '${new URL('../store.ts', import.meta.url).href}'
    channel('${channelName(crashPoint)}').subscribe(() => process.kill(process.pid, 'SIGKILL'))
    const store = openStore('${folder}')
    store.settings.set('name', 'present')
    const state = store.snapshots.openEmpty()
    await state.complete()
    state.adopt()`
  expect(spawnSync(process.execPath, ['--input-type=module', '--eval', program]).signal).toBe(
    'SIGKILL',
  )
  const store = openStore(folder)
  expect(store.settings.get('name')).toBe(name)
  expect(readdirSync(join(folder, 'snapshots'))).toEqual([])
  store.close()
})

/** The value of a setting in a snapshot; fails for one that isn't intact. */
async function savedValue(
  store: Store,
  name: string,
  setting: string,
): Promise<string | undefined> {
  const opened = await store.snapshots.open(name)
  if (typeof opened === 'string') throw new Error(opened)
  const value = opened.state.settings.get(setting)
  opened.state.discard()
  return value
}

test('saves the state at the call, and writes no log into the file that is copied @long', async () => {
  const store = openStore(folder, { durable: false })
  store.settings.set('name', 'at the call')
  const saving = [store.snapshots.save('one', 0), store.snapshots.save('two', 0)]
  const sizeOf = () => statSync(join(folder, 'keydesk.sqlite')).size
  const before = sizeOf()
  const fill = (value: string) => {
    for (let i = 0; i < 40; i += 1)
      store.transaction(() => store.settings.set(`${value} ${i}`, 'x'.repeat(500_000)))
    store.settings.set('name', value)
  }
  fill('later')
  expect(sizeOf()).toBe(before)
  await Promise.all(saving)
  expect([await savedValue(store, 'one', 'name'), await savedValue(store, 'two', 'name')]).toEqual([
    'at the call',
    'at the call',
  ])
  fill('afterwards')
  expect(sizeOf()).toBeGreaterThan(before)
  store.close()
})

test('saves the state that replaces the present one during the copy', async () => {
  const store = openStore(folder, { durable: false })
  store.settings.set('name', 'replaced')
  const state = store.snapshots.openEmpty()
  state.settings.set('name', 'adopted')
  await state.complete()
  const saving = store.snapshots.save('one', 0)
  state.adopt()
  state.discard()
  await saving
  expect(await savedValue(store, 'one', 'name')).toBe('adopted')
  store.close()
})

test('saves nothing when the database is closed during the copy', async () => {
  const store = openStore(folder, { durable: false })
  const saving = store.snapshots.save('one', 0)
  store.close()
  await expect(saving).rejects.toThrow('the database was closed')
  expect(readdirSync(join(folder, 'snapshots'))).toEqual([])
})

test.each([
  ['a missing trigger', 'DROP TRIGGER ledger_entries_stay'],
  ['a missing index', 'DROP INDEX units_seen'],
  ['another table', 'CREATE TABLE other (a)'],
])('rejects a snapshot with %s', async (_, sql) => {
  const store = openStore(folder)
  await store.snapshots.save('one', 0)
  const saved = new Database(join(folder, 'snapshots', 'one.sqlite'))
  saved.exec(sql)
  saved.close()
  expect(await store.snapshots.open('one')).toBe('unreadable')
  expect(readdirSync(join(folder, 'snapshots'))).toEqual(['one.sqlite'])
  store.close()
})

test('rejects a snapshot with a damaged page', async () => {
  const store = openStore(folder)
  for (let i = 0; i < 400; i += 1) store.settings.set(`name ${i}`, 'x'.repeat(200))
  await store.snapshots.save('one', 0)
  const path = join(folder, 'snapshots', 'one.sqlite')
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.fill(0xff, bytes.length - 8192))
  expect(await store.snapshots.open('one')).toBe('unreadable')
  store.close()
})
