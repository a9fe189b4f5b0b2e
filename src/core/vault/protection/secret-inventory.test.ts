import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Account } from '../../../contract/app/accounts.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { memoryKeychain } from '../../testing/keychains.ts'
import { listSecrets } from './secret-inventory.ts'

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

const account: Account = {
  id: 'abc-1',
  name: 'Shop',
  role: 'seller',
  mode: 'live',
  baseUrl: 'https://api.example.com',
  maskedKey: 'svcs_••••1234',
  keyKept: 'keychain',
  state: 'ready',
  serviceAccountId: null,
  createdAt: 1,
  clockOffsetMs: 0,
}

function put(path: string, bytes: number, mode = 0o600): void {
  mkdirSync(join(folder.path, path, '..'), { recursive: true })
  writeFileSync(join(folder.path, path), Buffer.alloc(bytes))
  chmodSync(join(folder.path, path), mode)
}
const find = (keyKept: Account['keyKept'] = 'keychain') =>
  listSecrets({
    host: { dataDir: folder.path, keychain: memoryKeychain() },
    accounts: () => [{ ...account, keyKept }],
    stock: {
      counts: () => [
        ['delivered-key', 3],
        ['outbox-text', 0],
      ],
    },
    vaultEntry: () => 'vault:1',
  })

test('lists every file with its size, permissions and content', async () => {
  put('keydesk.db', 100)
  put('journals/abc-1.db', 10)
  put('journals/abc-1.db-wal', 5)
  put('mirrors/abc-1.db', 20)
  put('spool/abc-1/one/plan', 7)
  put('spool/abc-1/two/plan', 8)
  put('journals/abc-1.db.before-update', 9)
  put('before-update-0.3.0-2026-11-24T18-00-00Z/journals/abc-1.db', 6)
  put('opened-by.json', 3)
  put('sandbox/seal.key', 32)
  put('notes.txt', 1)
  const { files, sandboxKey } = await find()
  expect(
    files.map(({ path, count, bytes, secret, copy }) => ({ path, count, bytes, secret, copy })),
  ).toEqual([
    { path: 'sandbox/seal.key', count: 1, bytes: 32, secret: 'clear', copy: false },
    { path: 'journals/abc-1.db', count: 2, bytes: 15, secret: 'sealed', copy: false },
    { path: 'keydesk.db', count: 1, bytes: 100, secret: 'sealed', copy: false },
    { path: 'mirrors/abc-1.db', count: 1, bytes: 20, secret: 'sealed', copy: false },
    { path: 'spool/abc-1', count: 2, bytes: 15, secret: 'sealed', copy: false },
    {
      path: 'before-update-0.3.0-2026-11-24T18-00-00Z/',
      count: 1,
      bytes: 6,
      secret: 'sealed',
      copy: true,
    },
    { path: 'journals/abc-1.db.before-update', count: 1, bytes: 9, secret: 'sealed', copy: true },
    { path: 'notes.txt', count: 1, bytes: 1, secret: 'unknown', copy: false },
    { path: 'opened-by.json', count: 1, bytes: 3, secret: 'none', copy: false },
  ])
  expect(sandboxKey).toBe(true)
  expect(files.find(({ path }) => path === 'journals/abc-1.db')?.holds).toBe(
    'Journal of Shop: stored keys, drafts and unfinished work',
  )
  expect(files.find(({ path }) => path === 'notes.txt')?.holds).toContain(
    'doesn’t recognize this file',
  )
})

test.skipIf(process.platform === 'win32')('reports a file that others can read', async () => {
  put('keydesk.db', 1)
  put('logs/keydesk.log', 1, 0o644)
  const { files } = await find()
  expect(files.map(({ path, mode, open }) => [path, mode, open])).toEqual([
    ['keydesk.db', '600', false],
    ['logs', '644', true],
  ])
})

test('lists where each account’s key is and how many of its values are encrypted', async () => {
  expect((await find()).accounts).toEqual([
    {
      accountId: 'abc-1',
      name: 'Shop',
      keyKept: 'keychain',
      entry: 'account:abc-1',
      sealed: [{ kind: 'delivered-key', count: 3 }],
    },
  ])
  expect((await find('session')).accounts).toMatchObject([{ entry: null }])
})

const mirrorOf = (name: string): string =>
  `Mirror of ${name}: offers and orders unencrypted, texts of disputes encrypted`

test.each<[string, string, string, string, boolean]>([
  [
    'journals/abc-1.db-shm',
    'journals/abc-1.db',
    'Journal of Shop: stored keys, drafts and unfinished work',
    'sealed',
    false,
  ],
  ['mirrors/abc-1.db-wal', 'mirrors/abc-1.db', mirrorOf('Shop'), 'sealed', false],
  ['mirrors/abc-1.db-journal', 'mirrors/abc-1.db', mirrorOf('Shop'), 'sealed', false],
  ['mirrors/other.db', 'mirrors/other.db', mirrorOf('a removed account'), 'sealed', false],
  [
    'mirrors/abc-1.db.damaged-wal',
    'mirrors/abc-1.db.damaged',
    'A damaged file of Shop, set aside',
    'sealed',
    true,
  ],
  [
    'mirrors/abc-1.db.before-update',
    'mirrors/abc-1.db.before-update',
    'A copy from before an update of the tables',
    'sealed',
    true,
  ],
  [
    'catalogues/abc-1.db',
    'catalogues/abc-1.db',
    'Catalogue of Shop, as the service provides it',
    'none',
    false,
  ],
  [
    'spool/abc-1/one/plan',
    'spool/abc-1',
    'Key files of Shop until they are uploaded',
    'sealed',
    false,
  ],
  ['covers/a/1.png', 'covers', 'Catalogue pictures', 'none', false],
  ['logs/keydesk.log', 'logs', 'Errors, with every known secret masked', 'none', false],
  [
    'sandbox/seal.key',
    'sandbox/seal.key',
    'The key of the sandbox’s test keys, unencrypted because the sandbox needs it',
    'clear',
    false,
  ],
  [
    'sandbox/service.db',
    'sandbox',
    'The sandbox’s database: test keys, encrypted with the key next to it',
    'sealed',
    false,
  ],
  [
    '.backup/parts/1',
    '.backup',
    'A backup being created or restored, encrypted, and its unpacked data until the next start',
    'sealed',
    false,
  ],
  [
    'keydesk.keep',
    'keydesk.keep',
    'Safety copy of the accounts with masked keys, and of the vault’s key',
    'sealed',
    false,
  ],
  ['window.json', 'window.json', 'Position and size of the window', 'none', false],
  [
    'console.lock',
    'console.lock, console.json',
    'The console that uses this folder',
    'none',
    false,
  ],
  [
    'console.json',
    'console.lock, console.json',
    'The console that uses this folder',
    'none',
    false,
  ],
  ...['keydesk.db.damaged-2026-11-24T09-30-00Z', 'keydesk.db.repair'].map(
    (path): [string, string, string, string, boolean] => [
      path,
      path,
      'A damaged database, set aside',
      'sealed',
      true,
    ],
  ),
  [
    'keydesk.keep.part',
    'keydesk.keep.part',
    'Safety copy of the accounts with masked keys, and of the vault’s key',
    'sealed',
    false,
  ],
  [
    'keydesk.db.copy',
    'keydesk.db.copy',
    'Accounts with masked keys, settings, activity, how the vault’s key is stored',
    'sealed',
    false,
  ],
  [
    'opened-by.json',
    'opened-by.json',
    'The version of Keydesk that last used this folder',
    'none',
    false,
  ],
  [
    'before-update-0.3.0/journals/abc-1.db',
    'before-update-0.3.0/',
    'The data from before an update',
    'sealed',
    true,
  ],
  ['replaced-1/keydesk.db', 'replaced-1/', 'Data that a restore replaced', 'sealed', false],
  [
    'keydesk.db-wal',
    'keydesk.db',
    'Accounts with masked keys, settings, activity, how the vault’s key is stored',
    'sealed',
    false,
  ],
  [
    'a-wal.txt',
    'a-wal.txt',
    'Not Keydesk’s: Keydesk doesn’t recognize this file',
    'unknown',
    false,
  ],
])('describes the file %s', async (file, path, holds, secret, copy) => {
  put(file, 3)
  const found = await find()
  expect(found.files).toEqual([
    {
      path,
      holds,
      secret,
      copy,
      count: 1,
      bytes: 3,
      mode: process.platform === 'win32' ? null : '600',
      open: false,
    },
  ])
  expect(found.sandboxKey).toBe(file === 'sandbox/seal.key')
})

test.skipIf(process.platform === 'win32')(
  'combines the permissions of files of one kind',
  async () => {
    put('covers/1.png', 1, 0o604)
    put('covers/2.png', 1, 0o440)
    put('covers/3.png', 1, 0o400)
    put('logs/1.log', 1, 0o040)
    expect((await find()).files.map(({ path, mode, open }) => [path, mode, open])).toEqual([
      ['covers', '644', true],
      ['logs', '040', true],
    ])
  },
)

test('names the data folder, the keychain and the entry of the vault', async () => {
  expect(await find()).toMatchObject({
    dataFolder: folder.path,
    vaultEntry: 'vault:1',
    sandboxKey: false,
    files: [],
    keychain: { available: true, name: 'Test keychain', reason: null },
  })
})

test('reports no permissions on Windows, whose files have none of this kind', async () => {
  put('keydesk.db', 1, 0o644)
  const platform = vi.spyOn(process, 'platform', 'get').mockReturnValue('win32')
  try {
    expect((await find()).files).toMatchObject([{ path: 'keydesk.db', mode: null, open: false }])
  } finally {
    platform.mockRestore()
  }
})
