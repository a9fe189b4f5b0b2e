import { readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import type { Database } from 'better-sqlite3'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { formatMessage } from '../../contract/localization/localized.ts'
import { startTestBackend } from '../testing/backend.ts'
import type { TestBackend } from '../testing/backend.ts'
import { temporaryFolder } from '../testing/context.ts'
import { problemOf, startTestCore, until } from '../testing/core.ts'
import type { TestCore } from '../testing/core.ts'
import { memoryKeychain, missingKeychain } from '../testing/keychains.ts'
import { manualClock } from '../testing/manual-clock.ts'

let backend: TestBackend
let folder: ReturnType<typeof temporaryFolder>
let keychain: ReturnType<typeof memoryKeychain>
let harness: TestCore

beforeAll(async () => {
  backend = await startTestBackend({ products: 200 })
})
afterAll(() => backend.stop())
beforeEach(async () => {
  folder = temporaryFolder()
  keychain = memoryKeychain()
  harness = await startTestCore(folder.path, keychain)
})
afterEach(async () => {
  await harness.close()
  folder.remove()
})

const demo = (): NonNullable<TestBackend['ready']['demo']> => {
  if (backend.ready.demo === null) throw new Error('no demo accounts')
  return backend.ready.demo
}
const connectSeller = () =>
  harness.ask.accounts.connect({
    key: demo().sellerKey,
    baseUrl: backend.ready.baseUrl,
    name: 'Shop',
  })
const online = (accountId: string) =>
  until(
    () => harness.ask.accounts.connection({ accountId }),
    ({ state }) => state === 'online',
  )

/** Creates another partner account on the service, with its own key. */
async function newPartner(): Promise<{ id: string; key: string; keyId: string }> {
  const partner = await backend.dashboard('POST', '/partners', { name: 'Another partner' })
  const issued = await backend.dashboard('POST', `/partners/${String(partner['id'])}/keys`, {
    mode: 'live',
  })
  return { id: String(partner['id']), key: String(issued['key']), keyId: String(issued['id']) }
}

/** The tables with a row that contains a word. */
const tablesWith = (database: Database, word: string): string[] =>
  (
    database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .pluck()
      .all() as string[]
  ).filter((table) =>
    JSON.stringify(database.prepare(`SELECT * FROM "${table}"`).all()).includes(word),
  )

/** Every file in the data folder. */
const filesOf = (path: string): { path: string; bytes: Buffer }[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ path: file, bytes: readFileSync(file) }))

test('checks which account a key belongs to, and stores nothing', async () => {
  await expect(
    harness.ask.accounts.check({
      key: demo().partnerTestKey,
      baseUrl: `${backend.ready.baseUrl}/`,
    }),
  ).resolves.toMatchObject({
    role: 'partner',
    mode: 'sandbox',
    idempotency: true,
    scopes: expect.arrayContaining(['orders:write']),
  })
  await expect(
    harness.ask.accounts.check({ key: demo().sellerKey, baseUrl: backend.ready.baseUrl }),
  ).resolves.toMatchObject({
    role: 'seller',
    idempotency: true,
    currency: 'EUR',
    commissions: expect.arrayContaining([{ class: 'keys', percent: 10 }]),
  })
  expect(await harness.ask.accounts.list()).toEqual([])
  expect(
    keychain.entries
      .keys()
      .filter((entry) => entry.startsWith('account:'))
      .toArray(),
  ).toEqual([])
})

test('connects a seller and a partner with keys in the keychain only, also after a restart @long', async () => {
  const seller = await connectSeller()
  const partner = await harness.ask.accounts.connect({
    key: demo().partnerLiveKey,
    baseUrl: backend.ready.baseUrl,
    name: 'Resale',
  })
  expect(seller).toMatchObject({
    name: 'Shop',
    role: 'seller',
    mode: 'sandbox',
    keyKept: 'keychain',
    state: 'ready',
    maskedKey: `svcs_••••${demo().sellerKey.slice(-4)}`,
  })
  expect(partner).toMatchObject({ role: 'partner', mode: 'sandbox' })
  expect(keychain.entries.get(`account:${seller.id}`)).toBe(demo().sellerKey)
  await online(seller.id)
  await until(
    () => harness.ask.app.activity({ accountId: seller.id }),
    (entries) => entries.length > 1,
  )
  await harness.close()
  for (const { bytes } of filesOf(folder.path)) {
    for (const secret of [demo().sellerKey, demo().partnerLiveKey])
      expect(bytes.includes(secret)).toBe(false)
  }
  if (process.platform !== 'win32') {
    expect(statSync(folder.path).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder.path, 'keydesk.db')).mode & 0o777).toBe(0o600)
  }

  harness = await startTestCore(folder.path, keychain)
  expect((await harness.ask.accounts.list()).map(({ name, state }) => ({ name, state }))).toEqual([
    { name: 'Shop', state: 'ready' },
    { name: 'Resale', state: 'ready' },
  ])
  await online(seller.id)
})

test('rejects a seller that is already connected, and names it', async () => {
  await connectSeller()
  expect(await problemOf(connectSeller())).toMatchObject({
    code: 'CONFLICT',
    what: 'This seller is already connected as “Shop”.',
  })
  expect(await harness.ask.accounts.list()).toHaveLength(1)
})

test('rejects wrong keys and addresses with what to do', async () => {
  expect(
    await problemOf(harness.ask.accounts.check({ key: 'sk_123', baseUrl: backend.ready.baseUrl })),
  ).toMatchObject({ code: 'INVALID_INPUT', fields: [{ field: 'key' }] })
  expect(
    await problemOf(
      harness.ask.accounts.check({ key: demo().sellerKey, baseUrl: 'http://example.com' }),
    ),
  ).toMatchObject({ code: 'INVALID_INPUT', fields: [{ field: 'baseUrl' }] })
  expect(
    await problemOf(
      harness.ask.accounts.check({
        key: 'svc_live_0123456789abcdef0123456789abcdef',
        baseUrl: backend.ready.baseUrl,
      }),
    ),
  ).toMatchObject({ code: 'UNAUTHORIZED', status: 401 })
  expect(
    await problemOf(
      harness.ask.accounts.connect({
        key: demo().sellerKey,
        baseUrl: backend.ready.baseUrl,
        name: '',
      }),
    ),
  ).toMatchObject({ code: 'INVALID_INPUT', fields: [{ field: 'name' }] })
})

test('stops work when a key is revoked, until another key of the same partner is entered', async () => {
  const { id, key, keyId } = await newPartner()
  const account = await harness.ask.accounts.connect({
    key,
    baseUrl: backend.ready.baseUrl,
    name: 'Other',
  })
  await online(account.id)
  const heard: string[] = []
  const stop = new AbortController()
  const listening = (async () => {
    for await (const change of await harness.ask.app.changes(undefined, { signal: stop.signal }))
      heard.push(change.topic)
  })().catch(() => {})
  await backend.dashboard('DELETE', `/partners/${id}/keys/${keyId}`)
  expect(await problemOf(harness.ask.accounts.syncNow({ accountId: account.id }))).toMatchObject({
    code: 'UNAUTHORIZED',
  })
  expect(await harness.ask.accounts.list()).toMatchObject([{ state: 'key-refused' }])
  expect(await harness.ask.accounts.connection({ accountId: account.id })).toMatchObject({
    state: 'refused',
    problem: { code: 'UNAUTHORIZED' },
  })
  await until(
    () => heard,
    (topics) => topics.includes('accounts'),
  )
  stop.abort()
  await listening

  expect(
    await problemOf(
      harness.ask.accounts.rekey({ accountId: account.id, key: demo().partnerLiveKey }),
    ),
  ).toMatchObject({ code: 'CONFLICT' })
  const issued = await backend.dashboard('POST', `/partners/${id}/keys`, { mode: 'live' })
  await expect(
    harness.ask.accounts.rekey({ accountId: account.id, key: String(issued['key']) }),
  ).resolves.toMatchObject({ state: 'ready' })
  expect(keychain.entries.get(`account:${account.id}`)).toBe(issued['key'])
  await online(account.id)
})

test('reports a suspended account, and works again after a sync once it is active', async () => {
  const { id, key } = await newPartner()
  const account = await harness.ask.accounts.connect({
    key,
    baseUrl: backend.ready.baseUrl,
    name: 'Other',
  })
  await backend.dashboard('PATCH', `/partners/${id}`, { status: 'suspended' })
  expect(await problemOf(harness.ask.accounts.syncNow({ accountId: account.id }))).toMatchObject({
    code: 'ACCOUNT_NOT_ACTIVE',
  })
  expect(await harness.ask.accounts.list()).toMatchObject([{ state: 'not-active' }])
  await backend.dashboard('PATCH', `/partners/${id}`, { status: 'active' })
  await harness.ask.accounts.syncNow({ accountId: account.id })
  expect(await harness.ask.accounts.list()).toMatchObject([{ state: 'ready' }])
})

test('goes offline when the service is unreachable, with the time, and back online automatically @long', async () => {
  const { key } = await newPartner()
  const account = await harness.ask.accounts.connect({
    key,
    baseUrl: backend.ready.baseUrl,
    name: 'Other',
  })
  await online(account.id)
  await backend.kill()
  expect(await problemOf(harness.ask.accounts.syncNow({ accountId: account.id }))).toMatchObject({
    code: expect.stringMatching(/OFFLINE|ANSWER_LOST/),
  })
  const offline = await until(
    () => harness.ask.accounts.connection({ accountId: account.id }),
    ({ state }) => state === 'offline',
  )
  expect(offline.since).not.toBeNull()
  expect(offline.nextTryAt).toBeGreaterThan(offline.since ?? 0)
  await backend.start()
  await online(account.id)
  expect((await harness.ask.accounts.connection({ accountId: account.id })).since).toBeGreaterThan(
    offline.since ?? Infinity,
  )
})

test('leaves nothing of a removed account but its activity, which says that it was removed @long', async () => {
  const account = await connectSeller()
  await until(
    () => harness.ask.catalogue.search({ accountId: account.id }),
    ({ total }) => total > 0,
  )
  const { importId } = await harness.ask.imports.create({ accountId: account.id })
  const { fileId } = await harness.ask.imports.addFile({
    importId,
    name: 'keys.txt',
    size: 12,
    offerId: null,
  })
  await harness.ask.imports.writeFile({
    importId,
    fileId,
    offset: 0,
    base64: Buffer.from('AAAAA-BBBBB\n').toString('base64'),
    last: true,
  })
  await harness.ask.app.changeSettings({ currentAccountId: account.id })
  const named = (): string[] =>
    readdirSync(folder.path, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.includes(account.id),
    )
  expect(named().map((path) => path.split('/')[0])).toEqual(
    expect.arrayContaining(['mirrors', 'journals', 'spool']),
  )
  expect(await harness.ask.accounts.removal({ accountId: account.id })).toEqual({
    keys: 0,
    unsentClaims: 0,
    ordersInProgress: 0,
    queuedChanges: 0,
  })
  const before = await harness.ask.activity.list({ accountId: account.id })
  await harness.ask.accounts.remove({ accountId: account.id })
  expect(named()).toEqual([])
  expect([...keychain.entries.keys()].filter((entry) => entry.startsWith('account:'))).toEqual([])
  expect(await harness.ask.accounts.list()).toEqual([])
  expect(await harness.ask.app.settings()).toMatchObject({ currentAccountId: null })
  expect(await problemOf(harness.ask.accounts.connection({ accountId: account.id }))).toMatchObject(
    {
      code: 'NOT_FOUND',
    },
  )
  const { rows, total } = await harness.ask.activity.list({ accountId: account.id })
  expect(total).toBeGreaterThan(before.total)
  expect(rows.slice(0, 3).map(({ what }) => formatMessage(what))).toContain('Account removed')
  expect(await harness.ask.activity.removedAccounts()).toMatchObject([
    { accountId: account.id, name: 'Shop', role: 'seller', mode: 'sandbox' },
  ])
  await harness.close()
  for (const { path, bytes } of filesOf(folder.path))
    for (const word of [account.id, demo().sellerKey])
      if (!path.endsWith('keydesk.db') || word !== account.id)
        expect(bytes.includes(word), path).toBe(false)
  const database = new SqliteDatabase(join(folder.path, 'keydesk.db'), { readonly: true })
  expect(tablesWith(database, account.id)).toEqual(['activity', 'activity_sums', 'removed_account'])
  expect(tablesWith(database, 'Shop')).toEqual(['removed_account'])
  database.close()
  harness = await startTestCore(folder.path, keychain)
})

test('checks an inactive account every five minutes, and works automatically once it is active', async () => {
  await harness.close()
  const clock = manualClock(Date.now())
  harness = await startTestCore(folder.path, keychain, { clock })
  const { id, key } = await newPartner()
  const account = await harness.ask.accounts.connect({
    key,
    baseUrl: backend.ready.baseUrl,
    name: 'Other',
  })
  await backend.dashboard('PATCH', `/partners/${id}`, { status: 'suspended' })
  expect(await problemOf(harness.ask.accounts.syncNow({ accountId: account.id }))).toMatchObject({
    code: 'ACCOUNT_NOT_ACTIVE',
  })
  const refused = async (): Promise<number> =>
    (await harness.ask.app.activity({ accountId: account.id })).filter(
      ({ code }) => code === 'ACCOUNT_NOT_ACTIVE',
    ).length
  await clock.run(4.9 * 60_000, 1000)
  const before = await refused()
  await clock.run(0.2 * 60_000, 1000)
  await until(
    async () => {
      await clock.run(1000, 100)
      return refused()
    },
    (count) => count > before,
  )
  expect(await harness.ask.accounts.list()).toMatchObject([{ state: 'not-active' }])
  await backend.dashboard('PATCH', `/partners/${id}`, { status: 'active' })
  await clock.run(5 * 60_000, 1000)
  await until(
    async () => {
      await clock.run(1000, 100)
      return harness.ask.accounts.list()
    },
    ([only]) => only?.state === 'ready',
  )
})

test('without a keychain, stores a key only when asked to, and only until Keydesk quits', async () => {
  await harness.close()
  harness = await startTestCore(folder.path, missingKeychain())
  expect(await problemOf(connectSeller())).toMatchObject({
    code: 'KEYCHAIN_MISSING',
    what: expect.stringContaining('No Secret Service is responding'),
  })
  expect(await harness.ask.accounts.list()).toEqual([])
  const account = await harness.ask.accounts.connect({
    key: demo().sellerKey,
    baseUrl: backend.ready.baseUrl,
    name: 'Shop',
    keep: 'session',
  })
  expect(account).toMatchObject({ keyKept: 'session', state: 'ready' })
  await harness.close()
  for (const { bytes } of filesOf(folder.path)) expect(bytes.includes(demo().sellerKey)).toBe(false)

  harness = await startTestCore(folder.path, missingKeychain())
  expect(await harness.ask.accounts.list()).toMatchObject([
    { keyKept: 'missing', state: 'key-missing' },
  ])
  expect(await problemOf(harness.ask.accounts.syncNow({ accountId: account.id }))).toMatchObject({
    code: 'KEY_MISSING',
    next: 'Enter the key again.',
  })
  await expect(
    harness.ask.accounts.rekey({ accountId: account.id, key: demo().sellerKey, keep: 'session' }),
  ).resolves.toMatchObject({ state: 'ready' })
})

test('an account is SANDBOX only as long as its service proves it, and then again', async () => {
  const keysFolder = process.env['KEYDESK_SANDBOX_KEYS'] ?? ''
  const partner = await harness.ask.accounts.connect({
    key: demo().partnerTestKey,
    baseUrl: backend.ready.baseUrl,
    name: 'Resale',
  })
  const mode = async () =>
    (await harness.ask.accounts.list()).find(({ id }) => id === partner.id)?.mode
  const proof = await fetch(`${new URL(backend.ready.baseUrl).origin}/sandbox-proof`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ nonce: 'a'.repeat(32) }),
  })
  const { publicKey } = (await proof.json()) as { publicKey: string }
  const published = join(keysFolder, `${publicKey}.pub`)
  // To the console, it is now as if another program used the port.
  rmSync(published)
  await harness.ask.accounts.syncNow({ accountId: partner.id })
  await until(mode, (shown) => shown === 'test')
  await expect(
    harness.ask.accounts.check({ key: demo().partnerLiveKey, baseUrl: backend.ready.baseUrl }),
    'a live key is LIVE on any other service',
  ).resolves.toMatchObject({ mode: 'live' })
  writeFileSync(published, publicKey)
  await harness.ask.accounts.syncNow({ accountId: partner.id })
  await until(mode, (shown) => shown === 'sandbox')
})
