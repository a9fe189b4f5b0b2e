import { createHash } from 'node:crypto'
import { cpSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { createRouterClient } from '@orpc/server'
import type { RouterClient } from '@orpc/server'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Contract } from '../../../contract/index.ts'
import { formatMessage } from '../../../contract/localization/localized.ts'
import { systemClock } from '../../clock.ts'
import { damagedName } from '../../mirror/mirror.ts'
import type { ServedRouter } from '../../served.ts'
import { startConsole } from '../../start-console.ts'
import type { Console } from '../../start-console.ts'
import { startTestBackend } from '../../testing/backend.ts'
import type { TestBackend } from '../../testing/backend.ts'
import { temporaryFolder, testHost } from '../../testing/context.ts'
import { problemOf, startTestCore, until } from '../../testing/core.ts'
import { memoryKeychain } from '../../testing/keychains.ts'

const passphraseCost = { N: 2 ** 8, r: 8, p: 1 }
const keychain = memoryKeychain()
let backend: TestBackend
/** A data folder with an account and a key in the vault, as a closed console left it. */
let used: ReturnType<typeof temporaryFolder>
let backup: Buffer
let folder: ReturnType<typeof temporaryFolder>
let console: Console
const opened: Console[] = []
const main = (): string => join(folder.path, 'keydesk.db')

beforeAll(async () => {
  backend = await startTestBackend({ products: 60, noLimits: true })
  used = temporaryFolder()
  const core = await startTestCore(used.path, keychain, { passphraseCost })
  await core.ask.app.changeSettings({ lowStock: 42 })
  const { id } = await core.ask.accounts.connect({
    key: backend.ready.demo?.sellerKey ?? '',
    baseUrl: backend.ready.baseUrl,
    name: 'Kestrel',
  })
  await until(
    () => core.ask.sales.list({ accountId: id }),
    ({ complete, total }) => complete && total > 0,
  )
  const { backupId, bytes } = await core.ask.backup.create({ passphrase: 'backup passphrase' })
  const parts: Buffer[] = []
  for (let offset = 0; offset < bytes;) {
    const part = Buffer.from((await core.ask.backup.read({ backupId, offset })).base64, 'base64')
    parts.push(part)
    offset += part.length
  }
  backup = Buffer.concat(parts)
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
afterEach(async () => {
  await Promise.all(opened.map((each) => each.close()))
  opened.length = 0
  folder.remove()
})

/** The complete contract as a page calls it. In recovery, most of it isn't served. */
const ask = (): RouterClient<ServedRouter<Contract>> =>
  createRouterClient(console.router as ServedRouter<Contract>, { context: {} })

async function start(): Promise<void> {
  console = await startConsole(testHost(folder.path, keychain), { passphraseCost })
  opened.push(console)
}
async function stateInRecovery() {
  const state = await ask().recovery.state()
  if (state.mode !== 'recovery') throw new Error(`expected recovery, got ${state.mode}`)
  return state
}
/** The files of the folder with their bytes, except the console's own. */
const snapshot = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder.path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/^console\.|-shm$|-wal$|\.log$|^made-/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [
        path.slice(folder.path.length),
        createHash('sha256').update(readFileSync(path)).digest('hex'),
      ]),
  )

const overwrite = (from: number): void => {
  const bytes = readFileSync(main())
  bytes.fill(0x5a, from)
  writeFileSync(main(), bytes)
}

test.each([
  ['missing', () => rmSync(main())],
  ['damaged', () => overwrite(0)],
  ['damaged', () => overwrite(Math.floor(statSync(main()).size / 8192) * 4096)],
] as const)(
  'repairs a database that is %s, and keeps the damaged file @long',
  async (kind, harm) => {
    harm()
    const damaged = kind === 'missing' ? null : readFileSync(main())
    const before = snapshot()
    await start()
    expect(await stateInRecovery()).toMatchObject({
      problem: kind,
      accounts: ['Kestrel'],
      can: { repair: true, restore: true, openReadOnly: true },
    })
    await until(stateInRecovery, ({ files }) => files.every(({ state }) => state !== 'checking'))
    expect(
      (await stateInRecovery()).files.filter(({ state }) => state !== 'ok').map(({ path }) => path),
    ).toEqual(['keydesk.db'])
    expect(snapshot()).toEqual(before)
    await ask().recovery.repair()
    expect(await ask().recovery.state()).toEqual({ mode: 'normal' })
    const accounts = await ask().accounts.list()
    expect(accounts.map(({ name, state }) => [name, state])).toEqual([['Kestrel', 'ready']])
    expect((await ask().sales.list({ accountId: accounts[0]?.id ?? '' })).total).toBeGreaterThan(0)
    expect((await ask().vault.state()).state).toBe('open')
    const kept = readdirSync(folder.path).filter((name) =>
      /\.damaged-[^-]+-[^-]+-[^-]+-[^-]+-[^-]+Z$/.test(name),
    )
    expect(kept.map((name) => readFileSync(join(folder.path, name)))).toEqual(
      damaged === null ? [] : [damaged],
    )
    expect((await ask().app.activity({})).map(({ what }) => formatMessage(what))).toContain(
      'The database was repaired',
    )
    expect(await ask().notices.list()).toMatchObject([{ kind: 'file-repaired', accountId: null }])
  },
)

test('opens a copy for reading: nothing changes in the folder and nothing is sent', async () => {
  overwrite(Math.floor(statSync(main()).size / 8192) * 4096)
  const before = snapshot()
  await start()
  await ask().recovery.openReadOnly()
  expect(await ask().recovery.state()).toEqual({ mode: 'read-only', problem: 'damaged' })
  const [account] = await ask().accounts.list()
  const accountId = account?.id ?? ''
  expect((await ask().sales.list({ accountId })).total).toBeGreaterThan(0)
  expect((await ask().offers.list({ accountId })).total).toBeGreaterThan(0)
  for (const refused of [
    ask().accounts.rename({ accountId, name: 'Merlin' }),
    ask().accounts.syncNow({ accountId }),
    ask().sandbox.start({}),
    ask().backup.create({ passphrase: 'backup passphrase' }),
    ask().network.setProxy({ proxy: { use: 'none' } }),
    ask().recovery.repair(),
  ])
    expect(await problemOf(refused)).toMatchObject({
      code: 'READ_ONLY',
      effect: 'Nothing was changed or sent.',
    })
  expect(snapshot()).toEqual(before)
  await ask().recovery.open()
  await until(
    () => ask().recovery.state(),
    ({ mode }) => mode === 'recovery',
  )
  expect(snapshot()).toEqual(before)
})

test('restores a backup over a damaged database, and keeps the damaged data', async () => {
  overwrite(0)
  await start()
  let restoreId: string | null = null
  for (let offset = 0; offset < backup.length; offset += 700_000) {
    const base64 = backup.subarray(offset, offset + 700_000).toString('base64')
    ;({ restoreId } = await ask().backup.upload({ restoreId, offset, base64 }))
  }
  await ask().backup.check({ restoreId: restoreId ?? '', passphrase: 'backup passphrase' })
  await ask().backup.restore({ restoreId: restoreId ?? '' })
  await ask().recovery.open()
  expect((await ask().app.settings()).lowStock).toBe(42)
  expect((await ask().accounts.list()).map(({ name }) => name)).toEqual(['Kestrel'])
  expect((await ask().backup.state()).replaced).toHaveLength(1)
})

test('exports what is readable as CSV, without encrypted values', async () => {
  overwrite(0)
  await start()
  const { bytes, unreadable } = await ask().recovery.exportReadable()
  expect(unreadable).toEqual(['keydesk.db'])
  const zip = Buffer.from((await ask().recovery.readExport({ offset: 0 })).base64, 'base64')
  expect(zip).toHaveLength(bytes)
  const texts = textsOf(zip)
  const sales = [...texts].find(([name]) =>
    /mirrors\/.*\/sale\.csv$|mirrors\/.*\/sales\.csv$/.test(name),
  )
  expect(sales?.[1].split('\r\n').length).toBeGreaterThan(5)
  expect([...texts.values()].join()).not.toContain(backend.ready.demo?.sellerKey)
})

test('stays in recovery, with the folder locked, until a way out succeeds', async () => {
  rmSync(main())
  await start()
  console.announce('http://127.0.0.1:4701')
  await expect(startConsole(testHost(folder.path, keychain))).rejects.toThrow('4701')
  expect(await problemOf(ask().recovery.open())).toMatchObject({ code: 'CONFLICT' })
  expect((await stateInRecovery()).problem).toBe('missing')
  await expect(startConsole(testHost(folder.path, keychain))).rejects.toThrow('4701')
})

test('never replaces an earlier damaged file', () => {
  const now = systemClock.now()
  const first = damagedName(main(), now)
  writeFileSync(first, 'first')
  expect(damagedName(main(), now)).not.toBe(first)
})

/** The files of a zip whose directory is at its end. */
function textsOf(zip: Buffer): Map<string, string> {
  const texts = new Map<string, string>()
  let at = zip.readUInt32LE(zip.length - 6)
  while (zip.readUInt32LE(at) === 0x02014b50) {
    const [packed, length] = [zip.readUInt32LE(at + 20), zip.readUInt16LE(at + 28)]
    const name = zip.toString('utf8', at + 46, at + 46 + length)
    const start = zip.readUInt32LE(at + 42) + 30 + length
    texts.set(name, inflateRawSync(zip.subarray(start, start + packed)).toString('utf8'))
    at += 46 + length
  }
  return texts
}
