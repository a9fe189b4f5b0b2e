import {
  cpSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestBackend } from '../../testing/backend.ts'
import type { TestBackend } from '../../testing/backend.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { startTestCore } from '../../testing/core.ts'
import { memoryKeychain } from '../../testing/keychains.ts'
import { SAFETY_COPY, readSafetyCopy } from '../keep/safety-copy.ts'
import { StartProblem } from './start-problem.ts'

const keychain = memoryKeychain()
let backend: TestBackend
/** A data folder with an account and its journal, as a closed console left it. */
let used: ReturnType<typeof temporaryFolder>
let folder: ReturnType<typeof temporaryFolder>
const main = (): string => join(folder.path, 'keydesk.db')

beforeAll(async () => {
  backend = await startTestBackend({ products: 60, noLimits: true })
  used = temporaryFolder()
  const core = await startTestCore(used.path, keychain)
  const { id } = await core.ask.accounts.connect({
    key: backend.ready.demo?.sellerKey ?? '',
    baseUrl: backend.ready.baseUrl,
    name: 'Kestrel',
  })
  await core.ask.offers.list({ accountId: id })
  await core.close()
}, 60_000)
afterAll(async () => {
  await backend.stop()
  used.remove()
})
beforeEach(() => {
  folder = temporaryFolder()
  cpSync(used.path, folder.path, { recursive: true })
})
afterEach(() => folder.remove())

async function problemOfStart(): Promise<StartProblem> {
  const result = await startTestCore(folder.path, keychain).then(
    async (core) => {
      await core.close()
      return 'started'
    },
    (error: unknown) => error,
  )
  if (!(result instanceof StartProblem)) throw new Error(`no start problem: ${String(result)}`)
  return result
}

const emptyDatabase = (): void => {
  rmSync(main())
  const database = new SqliteDatabase(main())
  database.exec('CREATE TABLE t (a); DROP TABLE t')
  database.close()
}
const removeAccounts = (): void => {
  const database = new SqliteDatabase(main())
  database.exec('DELETE FROM account')
  database.close()
}

test.each([
  ['a deleted database', 'missing', () => rmSync(main())],
  ['a database of no bytes', 'missing', () => truncateSync(main(), 0)],
  ['a database without tables', 'wiped', emptyDatabase],
  ['a database without its accounts', 'wiped', removeAccounts],
  ['a database cut in half', 'damaged', () => truncateSync(main(), statSync(main()).size / 2)],
  [
    'a text instead of a database',
    'damaged',
    () => writeFileSync(main(), 'Dear diary, '.repeat(99)),
  ],
  [
    'a database with a damaged page',
    'damaged',
    () => {
      const bytes = readFileSync(main())
      bytes.fill(0x5a, 4096, bytes.length - 4096)
      writeFileSync(main(), bytes)
    },
  ],
] as const)('never starts as if new with %s beside journals', async (_title, kind, harm) => {
  harm()
  const before = existsSync(main()) ? readFileSync(main()) : null
  const problem = await problemOfStart()
  expect(problem.kind).toBe(kind)
  expect(problem.message).not.toMatch(/SQLITE|E[A-Z]{4,}|malformed|not a database/)
  expect(existsSync(main()) ? readFileSync(main()) : null).toEqual(before)
})

test('detects a lost database by its journals alone, without a safety copy', async () => {
  rmSync(join(folder.path, SAFETY_COPY))
  rmSync(main())
  expect((await problemOfStart()).kind).toBe('missing')
})

test('rejects a database from a newer Keydesk', async () => {
  const database = new SqliteDatabase(main())
  database.exec("UPDATE schema_version SET version = 99 WHERE feature = 'accounts'")
  database.close()
  expect((await problemOfStart()).kind).toBe('newer')
})

test('starts with a damaged safety copy, and writes it again', async () => {
  writeFileSync(join(folder.path, SAFETY_COPY), '{"format":"keydesk-keep"')
  await (await startTestCore(folder.path, keychain)).close()
  expect(readSafetyCopy(folder.path)?.accounts.map(({ name }) => name)).toEqual(['Kestrel'])
})

test('copies a change that a kill kept out of the safety copy', async () => {
  const database = new SqliteDatabase(main())
  database.exec("UPDATE account SET name = 'Merlin'")
  database.close()
  await (await startTestCore(folder.path, keychain)).close()
  expect(readSafetyCopy(folder.path)?.accounts.map(({ name }) => name)).toEqual(['Merlin'])
})

test('keeps a safety copy that is still right when it starts', async () => {
  const fileOf = (): bigint => statSync(join(folder.path, SAFETY_COPY), { bigint: true }).ino
  const before = fileOf()
  const core = await startTestCore(folder.path, keychain)
  expect(fileOf()).toBe(before)
  const [account] = await core.ask.accounts.list()
  await core.ask.accounts.rename({ accountId: account?.id ?? '', name: 'Merlin' })
  expect(fileOf()).not.toBe(before)
  await core.close()
})

test('copies accounts and the wrapped key as they change, without a key in clear, for the owner only', async () => {
  const core = await startTestCore(folder.path, keychain)
  const [account] = await core.ask.accounts.list()
  await core.ask.accounts.rename({ accountId: account?.id ?? '', name: 'Merlin' })
  // Read it while the console runs, as it is after a kill; the database's log can be lost as well.
  const copy = readSafetyCopy(folder.path)
  expect(copy?.accounts.map(({ name }) => name)).toEqual(['Merlin'])
  expect(copy?.vaultKey).toMatchObject({
    kept: 'keychain',
    entry: expect.any(String),
    wrapped: null,
  })
  expect(readFileSync(join(folder.path, SAFETY_COPY), 'utf8')).not.toContain(
    backend.ready.demo?.sellerKey,
  )
  expect(statSync(join(folder.path, SAFETY_COPY)).mode & 0o777).toBe(0o600)
  const onDisk = temporaryFolder()
  cpSync(main(), join(onDisk.path, 'keydesk.db'))
  const database = new SqliteDatabase(join(onDisk.path, 'keydesk.db'), { readonly: true })
  expect(database.prepare('SELECT name FROM account').pluck().all()).toEqual(['Merlin'])
  database.close()
  onDisk.remove()
  await core.ask.accounts.remove({ accountId: account?.id ?? '' })
  expect(readSafetyCopy(folder.path)?.accounts).toEqual([])
  await core.close()
  await (await startTestCore(folder.path, keychain)).close()
})

test.each([
  ['a file instead of a folder', 'not-a-folder', 'file'],
  ['a folder that can’t be created', 'not-a-folder', 'file/below/it'],
])('reports %s in one sentence', async (_title, kind, below) => {
  writeFileSync(join(folder.path, 'file'), 'text')
  const error = await startTestCore(join(folder.path, below)).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(StartProblem)
  expect((error as StartProblem).kind).toBe(kind)
  expect((error as StartProblem).message).not.toMatch(/ENOTDIR|EEXIST/)
})

test('starts with a database whose last change was interrupted before its log was in use', async () => {
  const database = new SqliteDatabase(main())
  database.pragma('journal_mode = DELETE')
  database.pragma('cache_size = 2')
  // A change larger than the cache is in the file before it is complete.
  database.exec('BEGIN; CREATE TABLE half (a)')
  for (let row = 0; row < 50; row += 1)
    database.prepare('INSERT INTO half VALUES (zeroblob(5000))').run()
  const [interrupted, journal] = [readFileSync(main()), readFileSync(`${main()}-journal`)]
  database.exec('ROLLBACK')
  database.close()
  writeFileSync(main(), interrupted)
  writeFileSync(`${main()}-journal`, journal)

  const core = await startTestCore(folder.path, keychain)
  try {
    expect((await core.ask.accounts.list()).map(({ name }) => name)).toEqual(['Kestrel'])
  } finally {
    await core.close()
  }
  const after = new SqliteDatabase(main(), { readonly: true })
  expect(after.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'half'").get()).toBeUndefined()
  after.close()
})
