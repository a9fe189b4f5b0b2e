import SqliteDatabase from 'better-sqlite3'
import type { Database } from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate } from '../mirror/database/migrate.ts'
import {
  createAttemptStore,
  createSecurityPassphraseStore,
  createVaultStore,
  hasStoredKey,
  vaultSchema,
} from './store.ts'
import type { StoredKey } from './store.ts'

const cost = { N: 2 ** 10, r: 8, p: 1 }
const inKeychain: StoredKey = {
  kept: 'keychain',
  entry: 'vault',
  wrapped: null,
  proof: Buffer.from('proof'),
  fingerprint: Buffer.from('fingerprint'),
  previous: Buffer.from('previous'),
  retired: 'old',
}
const underPassphrase: StoredKey = {
  ...inKeychain,
  kept: 'passphrase',
  entry: null,
  wrapped: { salt: Buffer.from('salt'), wrapped: Buffer.from('wrapped'), cost },
  previous: null,
  retired: null,
}

let database: Database
beforeEach(() => {
  database = new SqliteDatabase(':memory:')
  migrate(database, [vaultSchema])
})
afterEach(() => database.close())

test.each([
  ['in the keychain', inKeychain],
  ['under a passphrase', underPassphrase],
])('stores a data key %s, and updates the copy outside the database', (_where, kept) => {
  let copies = 0
  const store = createVaultStore(database, { update: () => (copies += 1) } as never)
  expect(store.read()).toBeNull()
  store.write(kept, 5)
  expect(store.read()).toEqual(kept)
  expect(copies).toBe(1)
  expect(() => store.write(kept, 6)).toThrow('UNIQUE')
  store.replace(inKeychain)
  expect(store.read()).toEqual(inKeychain)
  expect(copies).toBe(2)
})

test('reads a wrapped key only when it is complete', () => {
  const store = createVaultStore(database)
  store.write(underPassphrase, 5)
  database.prepare('UPDATE vault_key SET wrapped = NULL').run()
  expect(store.read()?.wrapped).toBeNull()
  database.prepare("UPDATE vault_key SET salt = NULL, wrapped = x'00'").run()
  expect(store.read()?.wrapped).toBeNull()
})

test('recognizes a stored key in a database of any version', () => {
  const empty = new SqliteDatabase(':memory:')
  expect(hasStoredKey(empty)).toBe(false)
  empty.close()
  expect(hasStoredKey(database)).toBe(false)
  createVaultStore(database).write(inKeychain, 5)
  expect(hasStoredKey(database)).toBe(true)
})

test('stores how many wrong passphrases were entered', () => {
  const attempts = createAttemptStore(database)
  expect(attempts.read()).toBe(0)
  attempts.write(2)
  attempts.write(3)
  expect(createAttemptStore(database).read()).toBe(3)
})

test('stores, replaces and removes the security passphrase', () => {
  const store = createSecurityPassphraseStore(database)
  expect([store.read(), store.remove()]).toEqual([null, false])
  const first = { salt: Buffer.from('salt'), verifier: Buffer.from('one'), setAt: 5, cost }
  store.write(first)
  expect(store.read()).toEqual(first)
  const second = { ...first, verifier: Buffer.from('two'), setAt: 6, cost: { ...cost, N: 2 ** 11 } }
  store.write(second)
  expect(store.read()).toEqual(second)
  expect(store.remove()).toBe(true)
  expect(store.read()).toBeNull()
})
