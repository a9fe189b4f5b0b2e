import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { createRouterClient } from '@orpc/server'
import type { RouterClient } from '@orpc/server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Contract } from '../../contract/index.ts'
import { dataFolderSchemas } from '../open-data-folder.ts'
import { features } from '../create-core.ts'
import { openDatabase } from '../mirror/database/open-database.ts'
import type { FeatureSchema } from '../mirror/schema.ts'
import type { ServedRouter } from '../served.ts'
import { startConsole } from '../start-console.ts'
import type { Console } from '../start-console.ts'
import { temporaryFolder, testHost } from '../testing/context.ts'
import { memoryKeychain } from '../testing/keychains.ts'
import { canMountDisk, mountSmallDisk } from '../testing/small-disk.ts'
import { backUpBeforeUpdate, recordUpdate, updateBackups } from './before-update.ts'
import { newestVersions } from './table-versions.ts'
import type { KnownTables } from './table-versions.ts'
import { accountFiles, oldAccount, withDatabase, writeOldFolder } from './testing/old-folder.ts'

const known: KnownTables = { main: dataFolderSchemas, accounts: features.schemas }
const keychain = memoryKeychain()
let old: ReturnType<typeof temporaryFolder>
let folder: ReturnType<typeof temporaryFolder>
let console: Console | undefined

beforeAll(() => {
  old = temporaryFolder()
  writeOldFolder(old.path)
})
afterAll(() => old.remove())
beforeEach(() => {
  folder = temporaryFolder()
  cpSync(old.path, folder.path, { recursive: true })
})
afterEach(async () => {
  await console?.close()
  console = undefined
  folder.remove()
})

async function start(path = folder.path) {
  console = await startConsole(testHost(path, keychain), { passphraseCost: { N: 256, r: 8, p: 1 } })
  const running = console
  return (): RouterClient<ServedRouter<Contract>> =>
    createRouterClient(running.router as ServedRouter<Contract>, { context: {} })
}
const backups = (path = folder.path): string[] =>
  readdirSync(path)
    .filter((name) => name.startsWith('before-update-'))
    .toSorted()
/** The versions of all tables in a folder, by file. */
const versions = (path: string): Record<string, unknown> =>
  Object.fromEntries(
    ['keydesk.db', ...Object.values(accountFiles)].map((file) => [
      file,
      withDatabase(path, file, (database) =>
        database.prepare('SELECT feature, version FROM schema_version ORDER BY 1').raw().all(),
      ),
    ]),
  )
const readings = (path: string): unknown =>
  withDatabase(path, accountFiles.journal, (database) =>
    database.prepare('SELECT pending_cents FROM balance_readings').pluck().all(),
  )
/** A later Keydesk, which changes the tables of some features. */
const later = (...changed: string[]): KnownTables => {
  const change = (schemas: readonly FeatureSchema[]): FeatureSchema[] =>
    schemas.map((schema) =>
      changed.includes(`${schema.place ?? 'main'} ${schema.feature}`)
        ? { ...schema, steps: [...schema.steps, `CREATE TABLE later_${schema.feature} (x)`] }
        : schema,
    )
  return { main: change(known.main), accounts: change(known.accounts) }
}

describe('the data from before an update', () => {
  it('is copied before any table of an old data folder changes, and only once', async () => {
    const before = versions(folder.path)
    let ask = await start()
    expect((await ask().accounts.list()).map(({ name }) => name)).toEqual(['Kestrel'])
    const [name = '', ...others] = backups()
    expect(others).toEqual([])
    expect(name).toMatch(/^before-update-0\.0\.0-test-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/)
    expect(versions(join(folder.path, name))).toEqual(before)
    expect(readings(join(folder.path, name))).toEqual([4200])
    expect(
      withDatabase(join(folder.path, name), 'sandbox/keydesk.sqlite', (database) =>
        database.prepare('SELECT value FROM kept').pluck().get(),
      ),
    ).toBe('sandbox')
    expect(statSync(join(folder.path, name)).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder.path, name, 'keydesk.db')).mode & 0o777).toBe(0o600)
    expect((await ask().backup.state()).beforeUpdates).toMatchObject([
      { name, version: '0.0.0-test', readable: true },
    ])
    await console?.close()
    // Also the tables of an account whose files nothing has opened.
    const newest = newestVersions(known)
    for (const [place, file] of Object.entries(accountFiles))
      for (const [feature, version] of versions(folder.path)[file] as [string, number][])
        expect([feature, version]).toEqual([feature, newest[`${place} ${feature}`]])
    ask = await start()
    expect((await ask().accounts.list()).map(({ name: shown }) => shown)).toEqual(['Kestrel'])
    expect(backups()).toEqual([name])
    await ask().backup.deleteReplaced({ name })
    expect(backups()).toEqual([])
  })

  it('isn’t copied for a new data folder', async () => {
    rmSync(folder.path, { recursive: true })
    const ask = await start()
    expect(await ask().accounts.list()).toEqual([])
    expect(backups()).toEqual([])
  })

  it('is kept for the last three updates', () => {
    const changed: string[] = []
    for (const [hour, feature] of ['activity', 'settings', 'vault', 'notices'].entries()) {
      changed.push(`main ${feature}`)
      const tables = later(...changed)
      const now = Date.UTC(2026, 10, 24, hour)
      backUpBeforeUpdate({ dataDir: folder.path, known: tables, version: `1.${hour}.0`, now })
      openDatabase(join(folder.path, 'keydesk.db'), tables.main).close()
      recordUpdate(folder.path)
    }
    expect(updateBackups(folder.path, []).map(({ version }) => version)).toEqual([
      '1.3.0',
      '1.2.0',
      '1.1.0',
    ])
  })

  it('loses the files of a removed account', async () => {
    const ask = await start()
    await ask().accounts.remove({ accountId: oldAccount })
    const [name = ''] = backups()
    const left = readdirSync(join(folder.path, name), { recursive: true }).map(String)
    expect(left).toContain('keydesk.db')
    expect(left.filter((path) => path.includes(oldAccount))).toEqual([])
  })
})

/** Starts a program that uses modules of this folder. */
const program = (text: string) => {
  const at = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href)
  return spawn(
    process.execPath,
    [
      '--no-warnings',
      '--input-type=module',
      '-e',
      `const { backUpBeforeUpdate } = await import(${at('before-update.ts')})
      const { openDatabase } = await import(${at('../mirror/database/open-database.ts')})
      const dataDir = ${JSON.stringify(folder.path)}
      const known = ${JSON.stringify(known)}
      const backUp = (step) => backUpBeforeUpdate({ dataDir, known, version: '0.0.0-test', now: 1, step })
      ${text}`,
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  )
}

describe('a Keydesk that is killed during an update', () => {
  it.each(['keydesk.db', 'sandbox/keydesk.sqlite', 'named', 'recorded'])(
    'at %s changes no table, and the next start has one complete copy of the old data @long',
    async (step) => {
      const before = versions(folder.path)
      const killed = program(
        `backUp((step) => step === ${JSON.stringify(step)} && process.kill(process.pid, 'SIGKILL'))`,
      )
      expect(await once(killed, 'close')).toEqual([null, 'SIGKILL'])
      expect(versions(folder.path)).toEqual(before)
      const made = backups()
      expect(made).toHaveLength(step === 'named' || step === 'recorded' ? 1 : 0)
      const ask = await start()
      expect((await ask().accounts.list()).map(({ name }) => name)).toEqual(['Kestrel'])
      // Killed between the copy and its record, the next start makes another one.
      expect(backups()).toHaveLength(step === 'named' ? 2 : 1)
      for (const name of backups()) expect(versions(join(folder.path, name))).toEqual(before)
      expect(existsSync(join(folder.path, '.backup'))).toBe(false)
    },
  )

  it('in a migration changes no table, and the next start finishes with the same copy @long', async () => {
    const before = versions(folder.path)
    const log = join(folder.path, 'keydesk.db-wal')
    const endless =
      'CREATE TABLE later AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000000000) ' +
      'SELECT i, hex(randomblob(200)) FROM n'
    const killed = program(`
      backUp()
      openDatabase(dataDir + '/keydesk.db', known.main.map((schema) =>
        schema.feature === 'vault'
          ? { ...schema, steps: [...schema.steps, "${endless}"] }
          : schema))`)
    const ended = once(killed, 'close')
    // The migration's pages are being written.
    while (
      killed.exitCode === null &&
      (statSync(log, { throwIfNoEntry: false })?.size ?? 0) < 2 ** 20
    )
      await turn()
    killed.kill('SIGKILL')
    expect(await ended).toEqual([null, 'SIGKILL'])
    expect(versions(folder.path)).toEqual(before)
    const made = backups()
    expect(made).toHaveLength(1)
    const ask = await start()
    expect((await ask().accounts.list()).map(({ name }) => name)).toEqual(['Kestrel'])
    expect(backups()).toEqual(made)
    expect(versions(join(folder.path, made[0] ?? ''))).toEqual(before)
  })
})

/** Restores the data that recovery offers, as its page does. */
async function restoreOffered(ask: Awaited<ReturnType<typeof start>>): Promise<void> {
  const state = await ask().recovery.state()
  if (state.mode !== 'recovery') throw new Error('expected recovery')
  const { restoreId, summary } = await ask().backup.checkBeforeUpdate({
    name: state.beforeUpdate?.name ?? '',
  })
  expect(summary.accounts).toMatchObject([{ name: 'Kestrel' }])
  await ask().backup.restore({ restoreId })
}

describe('recovery', () => {
  it.each([
    ['the data folder’s', 'keydesk.db', 'CREATE TABLE account_summary (other TEXT)'],
    ['an account’s', accountFiles.journal, 'CREATE TABLE order_key_uses (other TEXT)'],
  ])(
    'offers the data from before an update when %s tables can’t be migrated',
    async (_, file, conflict) => {
      withDatabase(folder.path, file, (database) => database.exec(conflict))
      const before = versions(folder.path)
      const ask = await start()
      const [name] = backups()
      expect(await ask().recovery.state()).toMatchObject({
        problem: 'migration-failed',
        detail: expect.stringMatching(/^The tables of \w+ can’t be migrated to version \d+\.$/),
        beforeUpdate: { name },
        can: { restore: true, repair: false, openReadOnly: false },
      })
      await expect(ask().recovery.open()).rejects.toMatchObject({ data: { code: 'CONFLICT' } })
      expect(backups()).toEqual([name])
      await restoreOffered(ask)
      await console?.close()
      console = undefined
      // The previous version, which knows only the first steps, opens the data.
      const { applyScheduledRestore } = await import('./replace.ts')
      expect(applyScheduledRestore(folder.path)).toMatchObject({ version: '0.0.0-test' })
      expect(versions(folder.path)).toEqual(before)
      expect(readings(folder.path)).toEqual([4200])
    },
  )

  it.each(['main activity', 'journal balance'])(
    'offers it to the older version after a rollback, when the newer one changed %s',
    async (changed) => {
      let ask = await start()
      await ask().app.changeSettings({ lowStock: 42 })
      await console?.close()
      for (const name of backups()) rmSync(join(folder.path, name), { recursive: true })

      const newer = later(changed)
      const now = Date.UTC(2026, 10, 24)
      const outdated = backUpBeforeUpdate({
        dataDir: folder.path,
        known: newer,
        version: '9.0.0',
        now,
      })
      openDatabase(join(folder.path, 'keydesk.db'), newer.main).close()
      openDatabase(
        join(folder.path, accountFiles.journal),
        newer.accounts.filter(({ place }) => place === 'journal'),
      ).close()
      recordUpdate(folder.path)
      expect(outdated?.accounts).toEqual(changed === 'main activity' ? [] : [oldAccount])
      withDatabase(folder.path, accountFiles.journal, (database) =>
        database.exec('INSERT INTO balance_readings VALUES (2, 7700, 0)'),
      )

      ask = await start()
      expect(await ask().recovery.state()).toMatchObject({
        problem: 'newer',
        beforeUpdate: { version: '9.0.0', at: now, readable: true },
      })
      await restoreOffered(ask)
      await ask().recovery.open()
      expect(await ask().recovery.state()).toEqual({ mode: 'normal' })
      expect((await ask().app.settings()).lowStock).toBe(42)
      expect(readings(folder.path)).toEqual([4200])
      expect((await ask().vault.state()).state).toBe('open')
      const [replaced] = (await ask().backup.state()).replaced
      expect(readings(join(folder.path, replaced?.name ?? ''))).toEqual([4200, 7700])
      // The next update of the restored data makes a copy again.
      await console?.close()
      const before = backups().length
      backUpBeforeUpdate({ dataDir: folder.path, known: newer, version: '9.0.0', now: now + 1000 })
      expect(backups()).toHaveLength(before + 1)
    },
  )
})

it.skipIf(!canMountDisk)(
  'stops with one sentence and changes nothing when the disk has no space for the copy',
  async () => {
    const disk = mountSmallDisk(16)
    try {
      cpSync(old.path, disk.path, { recursive: true })
      writeFileSync(join(disk.path, 'fill'), Buffer.alloc(disk.free() - 400_000))
      const before = versions(disk.path)
      const files = readdirSync(disk.path).toSorted()
      const ask = await start(disk.path)
      expect(await ask().recovery.state()).toMatchObject({
        problem: 'update-disk-full',
        can: { restore: false, repair: false, openReadOnly: true },
      })
      await expect(ask().recovery.open()).rejects.toMatchObject({
        data: {
          what:
            'There isn’t enough disk space to back up your data before the update. ' +
            'Free up some space, then start Keydesk again.',
        },
      })
      expect(versions(disk.path)).toEqual(before)
      expect(
        readdirSync(disk.path)
          .filter((name) => !name.startsWith('console.'))
          .toSorted(),
      ).toEqual(files)
      rmSync(join(disk.path, 'fill'))
      await ask().recovery.open()
      expect((await ask().accounts.list()).map(({ name }) => name)).toEqual(['Kestrel'])
      expect(backups(disk.path)).toHaveLength(1)
    } finally {
      await console?.close()
      console = undefined
      disk.remove()
    }
  },
)
