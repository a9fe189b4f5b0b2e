import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ActivityEntry } from '../../../contract/app/app.ts'
import { formatMessage } from '../../../contract/localization/localized.ts'
import { createAccountStore } from '../../accounts/store.ts'
import { features } from '../../create-core.ts'
import { createCoreServices } from '../../core-services.ts'
import type { CoreServices } from '../../core-services.ts'
import { openFrames, readFrames } from '../../key-import/spool/frames.ts'
import { planOf } from '../../key-import/spool/spool-files.ts'
import { openDatabase } from '../../mirror/database/open-database.ts'
import { orderKeyRecord } from '../../orders/schema.ts'
import { temporaryFolder, testHost } from '../../testing/context.ts'
import { problemOfFailure } from '../../testing/failures.ts'
import { memoryKeychain } from '../../testing/keychains.ts'
import { createExports } from '../exports/exports.ts'

const cheap = { N: 2 ** 10, r: 8, p: 1 }
const accountIds = ['11111111-aaaa', '22222222-bbbb']
const textsOf = (entries: readonly ActivityEntry[]): string[] =>
  entries.map(({ what, detail }) =>
    [what, detail]
      .flatMap((message) => (message === null ? [] : formatMessage(message)))
      .join(': '),
  )

let folder: ReturnType<typeof temporaryFolder>
let keychain: ReturnType<typeof memoryKeychain>
let harness: CoreServices

/** Runs for each account while its files are encrypted again. */
let whileReencrypting: (accountId: string) => void

/** A data folder with two accounts whose service is unreachable. */
async function start(): Promise<CoreServices> {
  const ground = createCoreServices(
    testHost(folder.path, keychain),
    { passphraseCost: cheap },
    {
      schemas: features.schemas,
      reencryptFiles: [
        ...features.reencryptFiles,
        (_dataDir, accountId) => {
          whileReencrypting(accountId)
          return { values: 0, unreadable: 0 }
        },
      ],
    },
  )
  await ground.start()
  await ground.vault.resumeRekeying()
  return ground
}
const end = (ground: CoreServices): void => {
  ground.quiet()
  ground.close()
}

beforeEach(async () => {
  whileReencrypting = () => {}
  folder = temporaryFolder()
  keychain = memoryKeychain()
  const first = createCoreServices(
    testHost(folder.path, keychain),
    { passphraseCost: cheap },
    features,
  )
  first.quiet()
  first.close()
  const database = openDatabase(join(folder.path, 'keydesk.db'), [])
  for (const id of accountIds) {
    createAccountStore(database).put({
      id,
      name: id,
      role: 'partner',
      mode: 'test',
      baseUrl: 'http://127.0.0.1:9',
      maskedKey: 'svc_test_••••0000',
      kept: 'session',
      serviceAccountId: null,
      idempotency: true,
      demo: null,
      createdAt: 1,
      clockOffsetMs: 0,
    })
  }
  database.close()
  harness = await start()
})
afterEach(() => {
  end(harness)
  folder.remove()
})

const database = (accountId: string) => harness.context.mirrors.database(accountId)
function keep(accountId: string, keyId: string, value: string): void {
  database(accountId)
    .prepare(
      `INSERT INTO order_keys (
          order_id, key_id, line, product_id, delivery_type, content_type, masked, sealed, delivered_at
        ) VALUES ('o', :keyId, 1, 'p', 'key', 'text/plain', 'm', :sealed, 5)`,
    )
    .run({
      keyId,
      sealed: harness.vault.seal(accountId, orderKeyRecord('o', keyId), Buffer.from(value)),
    })
}
const sealedOf = (accountId: string, keyId: string): Buffer =>
  database(accountId)
    .prepare<{ keyId: string }, Buffer>('SELECT sealed FROM order_keys WHERE key_id = :keyId')
    .pluck()
    .get({ keyId }) ?? Buffer.alloc(0)
const kept = (accountId: string, keyId: string): string =>
  harness.vault.open(accountId, orderKeyRecord('o', keyId), sealedOf(accountId, keyId)).toString()
const plan = (accountId: string) =>
  planOf({
    accountId,
    importId: 'imp',
    seal: harness.vault.material().seal,
    folder: join(folder.path, 'spool', accountId, 'imp'),
  })

function fill(): void {
  for (const accountId of accountIds) {
    for (const keyId of ['a', 'b', 'c']) keep(accountId, keyId, `${accountId} ${keyId}`)
    mkdirSync(join(folder.path, 'spool', accountId, 'imp'), { recursive: true })
    const { path, key } = plan(accountId)
    const writer = openFrames(path, key, true)
    for (const part of ['first', 'second']) writer.append(Buffer.from(part))
    writer.finish()
  }
}
function expectAllRead(): void {
  for (const accountId of accountIds) {
    expect(['a', 'b', 'c'].map((keyId) => kept(accountId, keyId))).toEqual(
      ['a', 'b', 'c'].map((keyId) => `${accountId} ${keyId}`),
    )
    const { path, key } = plan(accountId)
    expect([...readFrames(path, key)].map(String)).toEqual(['first', 'second'])
  }
}

test('declares every binary column as sealed, or lists it as free of secrets', () => {
  // Keyed fingerprints, and search indexes with words from names.
  const fingerprints =
    /^(?:import_uploaded_keys|import_key_history|withdrawn_keys|order_keys|dispute_own_answers)\.fingerprint$/
  const keyFingerprints = /^(?:sales|disputes|dispute_actions)\.key_fingerprint$/
  const searchIndexes = /_index_(?:data\.block|docsize\.sz)$/
  const known = [fingerprints, keyFingerprints, searchIndexes]
  const declared = features.schemas
    .flatMap(({ sealed }) => sealed ?? [])
    .map(({ table, column }) => `${table}.${column}`)
  const blobs = ['main', 'journal'].flatMap((place) =>
    database(accountIds[0] ?? '')
      .prepare<{ place: string }, string>(
        `SELECT m.name || '.' || c.name
          FROM ${place}.sqlite_schema AS m, pragma_table_info(m.name, :place) AS c
          WHERE m.type = 'table' AND c.type = 'BLOB'`,
      )
      .pluck()
      .all({ place }),
  )
  expect(blobs.filter((each) => !known.some((pattern) => pattern.test(each))).sort()).toEqual(
    [...declared].sort(),
  )
  expect(declared.length).toBeGreaterThan(3)
})

test('opens everything with only the new key, keeps fingerprints, and removes old copies', async () => {
  fill()
  const sha256 = randomBytes(32)
  const fingerprint = harness.vault.fingerprint(sha256)
  const before = accountIds.map((id) => sealedOf(id, 'a'))
  const [oldEntry = ''] = [...keychain.entries.keys()]
  const copies = [
    'keydesk.db.before-update',
    'journals/11111111-aaaa.db.before-update',
    'journals/22222222-bbbb.db.damaged',
  ].map((name) => join(folder.path, name))
  for (const copy of copies) writeFileSync(copy, 'old')

  expect(await harness.vault.rekey(null)).toMatchObject({ state: 'open', rekeying: false })
  expectAllRead()
  expect(harness.vault.fingerprint(sha256)).toEqual(fingerprint)
  expect(keychain.entries.has(oldEntry)).toBe(false)
  expect([...keychain.entries.keys()]).toEqual([harness.vault.entry()])
  expect(copies.filter((copy) => existsSync(copy))).toEqual([])
  // No file contains the old bytes any more, including the write-ahead logs.
  const files = readdirSync(folder.path, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => readFileSync(join(each.parentPath, each.name)))
  expect(before.map((sealed) => files.some((bytes) => bytes.includes(sealed)))).toEqual([
    false,
    false,
  ])

  end(harness)
  harness = await start()
  expectAllRead()
  expect(harness.vault.fingerprint(sha256)).toEqual(fingerprint)
})

test('resumes a rekeying that a lock interrupted at the next opening, and starts no new work before that', async () => {
  fill()
  let locked = false
  whileReencrypting = (accountId) => {
    if (accountId !== accountIds[0] || locked) return
    locked = true
    harness.vault.lock()
  }
  expect(await harness.vault.rekey(null)).toMatchObject({ state: 'locked', rekeying: true })
  end(harness)

  harness = await start()
  expect(harness.vault.state()).toMatchObject({ state: 'open', rekeying: false })
  expectAllRead()
  expect([...keychain.entries.keys()]).toEqual([harness.vault.entry()])
})

test('skips a value that no key opens, leaves it unchanged and completes the rekeying', async () => {
  fill()
  database(accountIds[0] ?? '')
    .prepare(`UPDATE order_keys SET sealed = :sealed WHERE key_id = 'b'`)
    .run({ sealed: Buffer.alloc(60, 7) })
  expect(await harness.vault.rekey(null)).toMatchObject({ rekeying: false })
  expect(sealedOf(accountIds[0] ?? '', 'b')).toEqual(Buffer.alloc(60, 7))
  expect(kept(accountIds[0] ?? '', 'c')).toBe(`${accountIds[0]} c`)
  expect(textsOf(harness.activity.latest(null, 5))).toEqual([
    'Vault key changed: 9 values encrypted with the new key. Damaged before and still unreadable: 1',
  ])
})

test('keeps erased frames of a plan erased, and all frames in place', async () => {
  fill()
  const { path, key } = plan(accountIds[0] ?? '')
  const bytes = readFileSync(path)
  const first = bytes.readUInt32LE()
  bytes.fill(0, 4, 4 + first)
  writeFileSync(path, bytes)
  await harness.vault.rekey(null)
  const after = readFileSync(path)
  expect(after.length).toBe(bytes.length)
  expect(after.subarray(0, 4 + first)).toEqual(bytes.subarray(0, 4 + first))
  expect(after.subarray(4 + first + 4)).not.toEqual(bytes.subarray(4 + first + 4))
  expect(key.seal).not.toEqual(plan(accountIds[0] ?? '').key.seal)
})

test('finishes work that needs its key after a lock, and makes rekeying wait for it', async () => {
  const under = Promise.withResolvers<void>()
  const work = harness.vault.holdUnlocked(async () => {
    await under.promise
    keep(accountIds[0] ?? '', 'late', 'came once')
  })
  expect(await problemOfFailure(harness.vault.rekey(null))).toMatchObject({ code: 'CONFLICT' })
  expect(harness.vault.lock('sleep')).toMatchObject({ state: 'locked', lockedBy: 'sleep' })
  expect(() => kept(accountIds[0] ?? '', 'late')).toThrow('VAULT_LOCKED')
  under.resolve()
  await work
  expect(() => harness.vault.seal('a', 'r', Buffer.from('x'))).toThrow('VAULT_LOCKED')
  await harness.vault.unlockWithKeychain()
  expect(kept(accountIds[0] ?? '', 'late')).toBe('came once')
})

test('moves between keychain and passphrases, keeps all values and deletes the old entry', async () => {
  fill()
  expect(
    await harness.vault.changeProtection(null, {
      kept: 'passphrase',
      passphrase: 'first passphrase',
    }),
  ).toMatchObject({ kept: 'passphrase' })
  expect([...keychain.entries.keys()]).toEqual([])
  expect(
    await problemOfFailure(
      harness.vault.changeProtection('wrong passphrase', {
        kept: 'passphrase',
        passphrase: 'second passphrase',
      }),
    ),
  ).toMatchObject({ code: 'WRONG_PASSPHRASE' })
  await harness.vault.changeProtection('first passphrase', {
    kept: 'passphrase',
    passphrase: 'second passphrase',
  })
  harness.vault.lock()
  expect(await problemOfFailure(harness.vault.unlock('first passphrase'))).toMatchObject({
    code: 'WRONG_PASSPHRASE',
  })
  await harness.vault.unlock('second passphrase')
  expect(await problemOfFailure(harness.vault.rekey('first passphrase'))).toMatchObject({
    code: 'WRONG_PASSPHRASE',
  })
  await harness.vault.rekey('second passphrase')
  expectAllRead()
  await harness.vault.changeProtection('second passphrase', { kept: 'keychain' })
  end(harness)
  harness = await start()
  expectAllRead()
})

test('opens a vault with its recovery copy after its keychain entry is lost, until it is rekeyed', async () => {
  fill()
  const copy = await harness.vault.recoveryCopy(null, 'of the copy')
  keychain.entries.clear()
  end(harness)
  harness = await start()
  expect(await problemOfFailure(harness.vault.unlockWithKeychain())).toMatchObject({
    code: 'VAULT_KEY_LOST',
    next: expect.stringContaining('recovery copy'),
  })
  expect(await problemOfFailure(harness.vault.recover(copy, 'of another', null))).toMatchObject({
    code: 'WRONG_PASSPHRASE',
  })
  expect(
    await problemOfFailure(harness.vault.recover(Buffer.from('{}'), 'of the copy', null)),
  ).toMatchObject({ code: 'INVALID_INPUT' })
  expect(await harness.vault.recover(copy, 'of the copy', null)).toMatchObject({
    state: 'open',
    kept: 'keychain',
  })
  expectAllRead()
  await harness.vault.rekey(null)
  expect(await problemOfFailure(harness.vault.recover(copy, 'of the copy', null))).toMatchObject({
    code: 'CONFLICT',
  })
})

test('exports keys encrypted, or unencrypted after the typed confirmation, and records both', async () => {
  fill()
  const exports = createExports(
    harness.context,
    harness.accounts.list,
    harness.stock.exported,
    cheap,
  )
  const file = await exports.sealed('of the export')
  const bytes = Buffer.from(file.base64, 'base64')
  expect(file.fileName).toMatch(/^keys-\d{4}-\d\d-\d\d\.keydesk$/)
  expect(bytes.includes('11111111-aaaa a')).toBe(false)
  expect(await problemOfFailure(exports.open(bytes, 'of another'))).toMatchObject({
    code: 'WRONG_PASSPHRASE',
  })
  const changed = Buffer.from(bytes)
  changed[bytes.indexOf('exportedAt') + 13] = 0x39
  expect(await problemOfFailure(exports.open(changed, 'of the export'))).toMatchObject({
    code: 'WRONG_PASSPHRASE',
  })
  const opened = await exports.open(bytes, 'of the export')
  expect(opened.entries).toHaveLength(6)
  expect(opened.entries[0]).toMatchObject({
    account: accountIds[0],
    about: 'o · line 1 · p',
    masked: expect.stringContaining('•'),
  })
  expect(opened.entries.map(({ index }) => exports.reveal(opened.exportId, index).value)).toEqual(
    accountIds.flatMap((id) => ['a', 'b', 'c'].map((keyId) => `${id} ${keyId}`)),
  )
  exports.close()
  expect(() => exports.reveal(opened.exportId, 0)).toThrow('NOT_FOUND')

  expect(() => exports.plain('export')).toThrow('INVALID_INPUT')
  const plain = Buffer.from(exports.plain('export unencrypted').base64, 'base64')
    .toString()
    .split('\r\n')
  expect(plain[0]).toBe(
    'account,mode,kind,order_id,line,product_id,key_id,delivery_type,content_type,delivered_at,value',
  )
  expect(plain[1]).toBe('11111111-aaaa,test,delivered-key,o,1,p,a,key,text/plain,5,11111111-aaaa a')
  expect(textsOf(harness.activity.latest(null, 2))).toEqual([
    'Keys exported: 6 keys unencrypted, readable by anyone',
    'Keys exported: 6 keys encrypted with a passphrase',
  ])
  harness.vault.lock()
  expect(() => exports.plain('export unencrypted')).toThrow('VAULT_LOCKED')
})
