import {
  cpSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'
import SqliteDatabase from 'better-sqlite3'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { VaultState } from '../../contract/app/vault.ts'
import { formatMessage } from '../../contract/localization/localized.ts'
import type { Host } from '../../platform/host.ts'
import { systemClock } from '../clock.ts'
import { systemRandomness } from '../randomness.ts'
import { authority } from '../service-client/testing/keys-example.ts'
import { startTestBackend } from '../testing/backend.ts'
import type { TestBackend } from '../testing/backend.ts'
import { temporaryFolder } from '../testing/context.ts'
import { problemOf, startTestCore, until } from '../testing/core.ts'
import type { TestCore } from '../testing/core.ts'
import { problemOfFailure } from '../testing/failures.ts'
import { memoryKeychain } from '../testing/keychains.ts'
import { deriveFrom } from '../vault/vault.ts'
import { readArchive } from './archive.ts'
import { createBackup } from './backup.ts'
import { dataEntries } from './folder.ts'
import { decryptStream, encryptStream } from './sealed-stream.ts'
import { scheduleRestore, newDataPath, applyScheduledRestore } from './replace.ts'

const passphraseCost = { N: 2 ** 8, r: 8, p: 1 }
const passphrase = 'a passphrase of the backup'
let backend: TestBackend
let folder: ReturnType<typeof temporaryFolder>
let harness: TestCore
const keychain = memoryKeychain()

/** A complete backup, read the way a page does. */
async function taken(from: TestCore): Promise<Buffer> {
  const { backupId, bytes } = await from.ask.backup.create({ passphrase })
  const parts: Buffer[] = []
  for (let offset = 0; offset < bytes;) {
    const chunk = Buffer.from((await from.ask.backup.read({ backupId, offset })).base64, 'base64')
    offset += chunk.length
    parts.push(chunk)
  }
  await from.ask.backup.discard({ backupId })
  return Buffer.concat(parts)
}

async function brought(to: TestCore, file: Buffer): Promise<string> {
  let restoreId: string | null = null
  for (let offset = 0; offset < file.length; offset += 200_000) {
    const chunk = { offset, base64: file.subarray(offset, offset + 200_000).toString('base64') }
    ;({ restoreId } = await to.ask.backup.upload({ restoreId, ...chunk }))
    await to.ask.backup.upload({ restoreId, ...chunk })
  }
  return restoreId ?? ''
}

beforeAll(async () => {
  backend = await startTestBackend({ products: 60, noLimits: true })
  folder = temporaryFolder()
  harness = await startTestCore(folder.path, keychain, { passphraseCost })
  const { id } = await harness.ask.accounts.connect({
    key: backend.ready.demo?.sellerKey ?? '',
    baseUrl: backend.ready.baseUrl,
    name: 'Kestrel',
  })
  await until(
    () => harness.ask.sales.list({ accountId: id }),
    ({ complete, total }) => complete && total > 0,
  )
}, 60_000)
afterAll(async () => {
  await harness.close()
  await backend.stop()
  folder.remove()
})

it('restores a backup on another computer without keychain keys, and keeps the replaced data @long', async () => {
  const file = await taken(harness)
  for (const secret of [backend.ready.demo?.sellerKey ?? 'none', 'Kestrel', 'CREATE TABLE'])
    expect(file.includes(secret)).toBe(false)
  const [sales] = await Promise.all(
    (await harness.ask.accounts.list()).map(({ id }) => harness.ask.sales.list({ accountId: id })),
  )
  await harness.ask.app.changeSettings({ lowStock: 77 })

  const elsewhere = temporaryFolder()
  let other = await startTestCore(elsewhere.path, memoryKeychain(), { passphraseCost })
  await other.ask.app.changeSettings({ lowStock: 3 })
  const restoreId = await brought(other, file)
  expect(
    await problemOf(other.ask.backup.check({ restoreId, passphrase: 'another one' })),
  ).toMatchObject({ code: 'WRONG_PASSPHRASE', effect: 'Nothing was replaced.' })
  expect(await problemOf(other.ask.backup.restore({ restoreId }))).toMatchObject({
    code: 'NOT_FOUND',
  })
  expect(await other.ask.backup.check({ restoreId, passphrase })).toMatchObject({
    accounts: [{ name: 'Kestrel', role: 'seller', baseUrl: backend.ready.baseUrl }],
  })
  await other.ask.backup.restore({ restoreId })
  expect((await other.ask.backup.state()).waiting).toMatchObject({
    accounts: [{ name: 'Kestrel' }],
  })
  expect(await other.ask.accounts.list()).toEqual([])
  await other.close()

  other = await startTestCore(elsewhere.path, memoryKeychain(), { passphraseCost })
  const [account] = await other.ask.accounts.list()
  expect(account).toMatchObject({ name: 'Kestrel', state: 'key-missing' })
  expect(
    (await other.ask.sales.list({ accountId: account?.id ?? '' })).rows.map(({ saleId }) => saleId),
  ).toEqual(sales?.rows.map(({ saleId }) => saleId))
  expect((await other.ask.app.settings()).lowStock).toBe(5)
  expect((await other.ask.app.activity({})).map(({ what }) => formatMessage(what))).toContain(
    'Backup restored',
  )
  const { waiting, replaced } = await other.ask.backup.state()
  expect([waiting, replaced.length]).toEqual([null, 1])
  const kept = new SqliteDatabase(join(elsewhere.path, replaced[0]?.name ?? '', 'keydesk.db'), {
    readonly: true,
  })
  expect(
    String(kept.prepare("SELECT value FROM setting WHERE name = 'settings'").pluck().get()),
  ).toContain('"lowStock":3')
  kept.close()
  await other.ask.backup.deleteReplaced({ name: replaced[0]?.name ?? '' })
  expect((await other.ask.backup.state()).replaced).toEqual([])
  await other.close()
  elsewhere.remove()
}, 60_000)

it('uses no network setting of a backup, and no changed address, before a person agrees @long', async () => {
  const place = temporaryFolder()
  const keys = memoryKeychain()
  const key = backend.ready.demo?.sellerKey ?? ''
  let own = await startTestCore(place.path, keys, { passphraseCost })
  const { id } = await own.ask.accounts.connect({
    key,
    baseUrl: backend.ready.baseUrl,
    name: 'Kestrel',
  })
  const asked: string[] = []
  const thief = createServer((request, response) => {
    asked.push(request.headers.authorization ?? '')
    response.writeHead(500).end()
  })
  await new Promise<void>((resolve) => {
    thief.listen(0, '127.0.0.1', resolve)
  })
  const address = `http://127.0.0.1:${(thief.address() as AddressInfo).port}/v1`
  // What someone with the passphrase of a backup could put into one.
  await own.close()
  const database = new SqliteDatabase(join(place.path, 'keydesk.db'))
  database.prepare('UPDATE account SET base_url = ?').run(address)
  const setting = database.prepare('INSERT OR REPLACE INTO setting VALUES (?, ?)')
  const proxy = { use: 'own', address: 'http://127.0.0.1:9', except: '' }
  setting.run('network proxy', JSON.stringify(proxy))
  setting.run('network authorities', JSON.stringify([authority]))
  database.close()
  own = await startTestCore(place.path, memoryKeychain(), { passphraseCost })
  const file = await taken(own)
  await own.close()
  const repaired = new SqliteDatabase(join(place.path, 'keydesk.db'))
  repaired.prepare('UPDATE account SET base_url = ?').run(backend.ready.baseUrl)
  repaired.exec("DELETE FROM setting WHERE name LIKE 'network %'")
  repaired.close()

  own = await startTestCore(place.path, keys, { passphraseCost })
  const restoreId = await brought(own, file)
  expect(await own.ask.backup.check({ restoreId, passphrase })).toMatchObject({
    accounts: [{ baseUrl: address, addressBefore: backend.ready.baseUrl }],
    network: { proxy, authorities: [{ name: 'Keydesk test authority' }] },
  })
  await own.ask.backup.restore({ restoreId })
  await own.close()
  // Killed right after the data moved in.
  applyScheduledRestore(place.path)
  asked.length = 0
  own = await startTestCore(place.path, keys, { passphraseCost })
  expect(await own.ask.network.state()).toMatchObject({
    proxy: { use: 'system' },
    authorities: [],
    restored: { proxy, authorities: [{ name: 'Keydesk test authority' }] },
  })
  expect(await own.ask.accounts.list()).toMatchObject([
    { state: 'address-unconfirmed', addressBefore: backend.ready.baseUrl, baseUrl: address },
  ])
  await problemOf(own.ask.accounts.syncNow({ accountId: id }))
  expect(asked).toEqual([])
  expect(await own.ask.network.adoptRestored()).toMatchObject({
    proxy,
    authorities: [{ name: 'Keydesk test authority' }],
    restored: null,
  })
  await own.ask.network.setProxy({ proxy: { use: 'none' } })
  await own.ask.accounts.confirmAddress({ accountId: id })
  await until(
    () => asked,
    (seen) => seen.some((header) => header.includes(key)),
  )
  await own.close()
  thief.close()
  place.remove()
}, 60_000)

it('tells a wrong passphrase, a modified and a cut off backup apart, and leaves nothing behind @long', async () => {
  const file = await taken(harness)
  const head = file.indexOf('\n') + 1
  const changed = (at: number): Buffer => {
    const copy = Buffer.from(file)
    copy[at] = (copy[at] ?? 0) ^ 1
    return copy
  }
  const problem = async (bytes: Buffer, typed = passphrase) =>
    problemOf(
      harness.ask.backup.check({ restoreId: await brought(harness, bytes), passphrase: typed }),
    )
  expect(await problem(file, 'another one')).toMatchObject({
    code: 'WRONG_PASSPHRASE',
    what: expect.stringMatching(/^The passphrase is wrong/),
  })
  for (const bad of [
    changed(head + 100),
    changed(file.length - 3),
    changed(file.indexOf('"salt":"') + 10),
    Buffer.concat([file, Buffer.from([0, 0, 0, 16])]),
  ]) {
    expect(await problem(bad)).toMatchObject({
      code: 'BACKUP_DAMAGED',
      what: expect.stringMatching(/modified/),
    })
    expect(existsSync(newDataPath(folder.path))).toBe(false)
  }
  for (const end of [40, head, head + 2, file.length - 20])
    expect(await problem(file.subarray(0, end))).toMatchObject({
      code: 'BACKUP_CUT_OFF',
      what: expect.stringMatching(/end of this backup is missing/),
    })
  expect(
    await problemOf(
      harness.ask.backup.check({
        restoreId: await brought(harness, Buffer.from('PK something else\n')),
        passphrase,
      }),
    ),
  ).toMatchObject({ code: 'INVALID_INPUT' })
  const restoreId = await brought(harness, file)
  await harness.ask.backup.check({ restoreId, passphrase })
  await harness.ask.backup.cancel()
  expect(await problemOf(harness.ask.backup.restore({ restoreId }))).toMatchObject({
    code: 'NOT_FOUND',
  })
  expect((await harness.ask.backup.state()).waiting).toBeNull()
}, 60_000)

it('creates no backup if the vault gets a new key meanwhile', async () => {
  const place = temporaryFolder()
  const made = (): string[] => readdirSync(join(place.path, '.backup'))
  try {
    writeFileSync(join(place.path, 'window.json'), '{}')
    let keyId = 'first'
    const backup = createBackup({
      context: {
        host: { dataDir: place.path, version: '1.0.0' } as Host,
        clock: systemClock,
        random: systemRandomness,
        activity: { add: () => {} },
      },
      vault: { state: () => ({ rekeying: false }) as VaultState, keyId: () => keyId },
      schemas: [],
      cost: passphraseCost,
      presentAddresses: () => new Map(),
    })
    const created = problemOfFailure(backup.create({ passphrase }))
    keyId = 'second'
    expect(await created).toMatchObject({ code: 'CONFLICT', effect: 'No backup was created.' })
    expect(made()).toEqual([])
    const { backupId, files } = await backup.create({ passphrase })
    expect([made(), files]).toEqual([[`made-${backupId}`], 1])
  } finally {
    place.remove()
  }
})

it('still reads a backup of version 1', async () => {
  const old = temporaryFolder()
  const head = JSON.stringify({
    format: 'keydesk-backup',
    version: 1,
    madeAt: 1,
    keydesk: '0.1.0',
    kdf: { name: 'scrypt', ...passphraseCost, salt: 'c2FsdA==' },
  })
  const key = await deriveFrom(passphrase, Buffer.from('salt'), passphraseCost)
  const entry = Buffer.from(JSON.stringify({ path: 'note', bytes: 2 }))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(entry.length)
  const source = join(old.path, 'old.keydesk-backup')
  const target = createWriteStream(source)
  target.write(`${head}\n`)
  await pipeline(
    Readable.from([gzipSync(Buffer.concat([length, entry, Buffer.from('hi')]))]),
    encryptStream(key, head),
    target,
  )
  const into = join(old.path, 'into')
  mkdirSync(into)
  expect(await readArchive(source, into, passphrase)).toMatchObject({ version: '0.1.0', files: 1 })
  expect(readFileSync(join(into, 'note'), 'utf8')).toBe('hi')
  await expect(readArchive(source, into, 'another one')).rejects.toThrow(
    'The passphrase is wrong, or the backup file was modified.',
  )
  old.remove()
})

it('recognizes a stream of several frames that ends early or lacks a frame in between', async () => {
  const key = Buffer.alloc(32, 7)
  const sealed = Buffer.concat(
    await Readable.from([Buffer.alloc(600 * 1024, 'x')])
      .pipe(encryptStream(key, 'head'))
      .toArray(),
  )
  const frame = 4 + sealed.readUInt32BE(0)
  const read = (bytes: Buffer): Promise<unknown> =>
    pipeline(Readable.from([bytes]), decryptStream(key, 'head'), new PassThrough().resume())
  await read(sealed)
  await expect(read(sealed.subarray(0, 2 * frame))).rejects.toThrow('cut-off')
  await expect(
    read(Buffer.concat([sealed.subarray(0, frame), sealed.subarray(2 * frame)])),
  ).rejects.toThrow('modified')
})

it('completes a killed restore at the next start, with the new data and the old data next to it intact', () => {
  const old = {
    'keydesk.db': 'old',
    'keydesk.db-wal': 'old wal',
    'mirrors/a.db': 'old mirror',
    'sandbox/seal.key': 'old key',
  }
  const fresh = {
    'keydesk.db': 'new',
    'mirrors/b.db': 'new mirror',
    'journals/b.db': 'new journal',
  }
  const write = (root: string, files: Record<string, string>): void =>
    Object.entries(files).forEach(([path, text]) => {
      mkdirSync(join(root, path, '..'), { recursive: true })
      writeFileSync(join(root, path), text)
    })
  const read = (root: string): Record<string, string> =>
    Object.fromEntries(
      dataEntries(root)
        .flatMap((name) =>
          name.includes('.')
            ? [name]
            : readdirSync(join(root, name)).map((file) => `${name}/${file}`),
        )
        .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
    )
  const mark = {
    aside: 'replaced-2026-11-22T03-00-00Z',
    madeAt: 1,
    version: '1',
    files: 3,
    bytes: 9,
    accounts: [],
    network: null,
  }
  const begun = temporaryFolder()
  write(begun.path, old)
  write(begun.path, { 'console.lock': 'lock', 'console.sock': 'socket' })
  write(newDataPath(begun.path), fresh)
  let kills = 0
  for (let at = 0; at < 20; at += 1) {
    const trial = temporaryFolder()
    cpSync(begun.path, trial.path, { recursive: true })
    // Without its marker file nothing is replaced.
    if (at === 19)
      expect([applyScheduledRestore(trial.path), read(trial.path)]).toEqual([null, old])
    else {
      scheduleRestore(trial.path, mark)
      let step = 0
      const kill = (): void => {
        if (step++ === at) {
          kills += 1
          throw new Error('killed')
        }
      }
      try {
        applyScheduledRestore(trial.path, kill)
      } catch {
        expect(applyScheduledRestore(trial.path)).toEqual(mark)
      }
      expect(read(trial.path)).toEqual(fresh)
      expect(read(join(trial.path, mark.aside))).toEqual(old)
      expect(applyScheduledRestore(trial.path)).toBeNull()
      for (const [name, content] of [
        ['console.lock', 'lock'],
        ['console.sock', 'socket'],
      ] as const)
        expect(readFileSync(join(trial.path, name), 'utf8')).toBe(content)
    }
    trial.remove()
  }
  expect(kills).toBeGreaterThanOrEqual(8)
  begun.remove()
})
