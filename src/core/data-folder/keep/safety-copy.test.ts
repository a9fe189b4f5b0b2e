import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { accountsSchema, createAccountStore } from '../../accounts/accounts.ts'
import { openDatabase } from '../../mirror/database/open-database.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { createVaultStore, vaultSchema } from '../../vault/vault.ts'
import type { StoredKey } from '../../vault/vault.ts'
import { SAFETY_COPY, createSafetyCopy, isSafetyCopyOf, readSafetyCopy } from './safety-copy.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const vaultKey = (proof: string) => ({
  kept: 'passphrase',
  entry: null,
  wrapped: null,
  proof,
  fingerprint: null,
  previous: null,
  retired: null,
})
/** Writes a safety copy with this content, and returns what Keydesk reads from it. */
function read(content: object, changes: object = {}) {
  const text = JSON.stringify(content)
  const sha256 = createHash('sha256').update(text).digest('hex')
  const file = { format: 'keydesk-keep', version: 1, sha256, content: text, ...changes }
  writeFileSync(join(folder.path, SAFETY_COPY), JSON.stringify(file))
  return readSafetyCopy(folder.path)
}

test('reads the vault’s key and the accounts', () => {
  expect(read({ accounts: [], vaultKey: vaultKey('cHJvb2Y=') })).toMatchObject({
    accounts: [],
    vaultKey: { proof: Buffer.from('proof') },
  })
})

test.each([
  ['another format', {}, { format: 'other' }],
  ['a newer version', {}, { version: 2 }],
  ['a wrong digest', {}, { sha256: '0'.repeat(64) }],
  ['changed content', {}, { content: '{"accounts":[],"vaultKey":null}' }],
  ['no content', {}, { content: undefined }],
  ['no base64', { vaultKey: vaultKey('cHJvb2Y') }, {}],
  ['other characters than base64', { vaultKey: vaultKey('cHJv-2Y=') }, {}],
  ['no accounts', { accounts: undefined }, {}],
])('reads nothing from a file with %s', (_, content, changes) => {
  expect(read({ accounts: [], vaultKey: vaultKey('cHJvb2Y='), ...content }, changes)).toBeNull()
})

test('contains every account and the vault’s key as the database stores them', () => {
  const database = openDatabase(join(folder.path, 'keydesk.db'), [accountsSchema, vaultSchema])
  const account = {
    id: 'a',
    name: 'Kestrel',
    role: 'seller',
    mode: 'live',
    baseUrl: 'https://api.example.com/v1',
    maskedKey: 'svc_live_••••1234',
    kept: 'keychain',
    serviceAccountId: 'acc_1',
    idempotency: false,
    demo: null,
    createdAt: 5,
    clockOffsetMs: 7,
  } as const
  const key: StoredKey = {
    kept: 'passphrase',
    entry: 'vault',
    wrapped: {
      salt: Buffer.from('salt'),
      wrapped: Buffer.from('wrapped'),
      cost: { N: 16, r: 8, p: 1 },
    },
    proof: Buffer.from('proof'),
    fingerprint: Buffer.from('fingerprint'),
    previous: Buffer.from('previous'),
    retired: 'vault:before',
  }
  createAccountStore(database).put(account)
  createVaultStore(database).write(key, 5)
  expect(isSafetyCopyOf(folder.path, database)).toBe(false)
  createSafetyCopy(folder.path, database, (_where, error) => {
    throw error
  }).update()
  expect(readSafetyCopy(folder.path)).toEqual({ accounts: [account], vaultKey: key })
  expect(isSafetyCopyOf(folder.path, database)).toBe(true)
  createAccountStore(database).put({ ...account, clockOffsetMs: 8 })
  expect(isSafetyCopyOf(folder.path, database)).toBe(true)
  createAccountStore(database).put({ ...account, name: 'Merlin' })
  expect(isSafetyCopyOf(folder.path, database)).toBe(false)
  database.close()
})
