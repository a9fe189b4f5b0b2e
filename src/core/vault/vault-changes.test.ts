import SqliteDatabase from 'better-sqlite3'
import type { Database } from 'better-sqlite3'
import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { formatMessage } from '../../contract/localization/localized.ts'
import type { Keychain } from '../../platform/keychain/keychain.ts'
import { systemClock } from '../clock.ts'
import { migrate } from '../mirror/database/migrate.ts'
import { systemRandomness } from '../randomness.ts'
import { problemOfFailure } from '../testing/failures.ts'
import { memoryKeychain, missingKeychain } from '../testing/keychains.ts'
import { createSecurityPassphraseStore } from './store.ts'
import { createVault, vaultSchema } from './vault.ts'
import type { VaultFeature } from './vault.ts'

let database: Database
let recorded: string[]
/** The one stored value, encrypted. */
let sealed: Buffer
let copiesRemoved: number

beforeEach(() => {
  database = new SqliteDatabase(':memory:')
  migrate(database, [vaultSchema])
  recorded = []
  copiesRemoved = 0
})
afterEach(() => database.close())

/** Starts a vault over one stored value of the account `a`. */
async function start(keychain: Keychain): Promise<VaultFeature> {
  const vault = createVault({
    database,
    keychain,
    clock: systemClock,
    random: systemRandomness,
    changes: { notify: () => {} } as never,
    activity: {
      add: ({ what, detail }) =>
        void recorded.push([what, detail].map((text) => text && formatMessage(text)).join(': ')),
    },
    notices: { notify: () => {} },
    values: {
      count: () => 1,
      accounts: () => ['a'],
      async reencrypt(accountId, reseal) {
        sealed = reseal(accountId, 'r', sealed) ?? sealed
        return { values: 1, unreadable: 0 }
      },
      removeCopies: () => void (copiesRemoved += 1),
    },
    cost: { N: 2 ** 10, r: 8, p: 1 },
    report: (_where, error) => {
      throw error
    },
  })
  await vault.start()
  return vault
}
const keep = (vault: VaultFeature): void => {
  sealed = vault.seal('a', 'r', Buffer.from('secret'))
}
const kept = (vault: VaultFeature): string => vault.open('a', 'r', sealed).toString()

test('rekeys a vault in the keychain: another entry, the same values and fingerprints', async () => {
  const keychain = memoryKeychain()
  const vault = await start(keychain)
  await vault.resumeRekeying()
  keep(vault)
  const [before, entry, sha256] = [sealed, vault.entry(), randomBytes(32)]
  const fingerprint = vault.fingerprint(sha256)
  expect(await vault.rekey(null)).toMatchObject({ state: 'open', rekeying: false, entries: 1 })
  expect(sealed).not.toEqual(before)
  expect([kept(vault), copiesRemoved]).toEqual(['secret', 1])
  expect(vault.fingerprint(sha256)).toEqual(fingerprint)
  expect(vault.entry()).not.toBe(entry)
  expect([...keychain.entries.keys()]).toEqual([vault.entry()])
  expect(() => vault.open('a', 'r', before)).toThrow('VAULT_DAMAGED')
  expect(recorded).toEqual(['Vault key changed: 1 value encrypted with the new key'])
})

test('rekeys a vault under its passphrase, which then opens it alone', async () => {
  const vault = await start(missingKeychain())
  await vault.choosePassphrase('a passphrase')
  await vault.resumeRekeying()
  keep(vault)
  expect(await problemOfFailure(vault.rekey('another'))).toMatchObject({ code: 'WRONG_PASSPHRASE' })
  await vault.rekey('a passphrase')
  expect(kept(vault)).toBe('secret')
  vault.lock()
  expect(await problemOfFailure(vault.rekey('a passphrase'))).toMatchObject({
    code: 'VAULT_LOCKED',
  })
  await vault.unlock('a passphrase')
  expect(kept(vault)).toBe('secret')
})

test('resumes an interrupted rekeying only once all accounts are loaded', async () => {
  const keychain = memoryKeychain()
  const first = await start(keychain)
  keep(first)
  await first.resumeRekeying()
  const rekeyed = first.rekey(null)
  // The vault locks before the value is encrypted again.
  first.onOpen(() => first.lock())
  await rekeyed
  expect(first.state()).toMatchObject({ state: 'locked', rekeying: true })

  const second = await start(keychain)
  await setImmediate()
  expect(second.state()).toMatchObject({ state: 'open', rekeying: true })
  expect(() => second.assertUnlocked()).toThrow('VAULT_LOCKED')
  await second.resumeRekeying()
  expect(second.state()).toMatchObject({ rekeying: false })
  expect(() => second.assertUnlocked()).not.toThrow()
  expect(kept(second)).toBe('secret')
})

test('resumes an interrupted rekeying at the unlock that follows the start', async () => {
  const passphrase = 'a passphrase'
  const first = await start(missingKeychain())
  await first.choosePassphrase(passphrase)
  await first.resumeRekeying()
  keep(first)
  const rekeyed = first.rekey(passphrase)
  first.onOpen(() => first.lock())
  await rekeyed

  const second = await start(missingKeychain())
  await second.resumeRekeying()
  expect(second.state()).toMatchObject({ state: 'locked', rekeying: true })
  await second.unlock(passphrase)
  await setImmediate()
  expect(second.state()).toMatchObject({ state: 'open', rekeying: false })
  expect(kept(second)).toBe('secret')
})

test('deletes a replaced keychain entry at the next opening if the keychain was busy', async () => {
  const keychain = memoryKeychain()
  const { delete: remove } = keychain
  const vault = await start(keychain)
  await vault.resumeRekeying()
  const old = vault.entry() ?? ''
  keychain.delete = () => Promise.reject(new Error('busy'))
  await vault.changeProtection(null, { kept: 'passphrase', passphrase: 'a passphrase' })
  expect([...keychain.entries.keys()]).toEqual([old])
  keychain.delete = remove
  vault.lock()
  await vault.unlock('a passphrase')
  await setImmediate()
  expect([...keychain.entries.keys()]).toEqual([])
})

test('rejects a rekeying if work with the old key began meanwhile', async () => {
  const vault = await start(memoryKeychain())
  keep(vault)
  const entry = vault.entry()
  const gate = Promise.withResolvers<void>()
  const rekeyed = problemOfFailure(vault.rekey(null))
  const work = vault.holdUnlocked(() => gate.promise)
  expect(await rekeyed).toMatchObject({ code: 'CONFLICT', effect: 'Nothing was changed.' })
  gate.resolve()
  await work
  expect(vault.entry()).toBe(entry)
  expect(kept(vault)).toBe('secret')
})

test.each<[string, (vault: VaultFeature) => Promise<unknown>]>([
  ['another rekeying', (vault) => vault.rekey(null)],
  [
    'a change of its protection',
    (vault) => vault.changeProtection(null, { kept: 'passphrase', passphrase: 'a passphrase' }),
  ],
])(
  'rejects %s while the vault gets a new key, and can still read its values',
  async (_, change) => {
    const keychain = memoryKeychain()
    const vault = await start(keychain)
    keep(vault)
    const rekeyed = vault.rekey(null)
    expect(await problemOfFailure(change(vault))).toMatchObject({
      code: 'CONFLICT',
      effect: 'Nothing was changed.',
    })
    await rekeyed
    vault.lock()
    await vault.unlockWithKeychain()
    expect(kept(vault)).toBe('secret')
    expect([...keychain.entries.keys()]).toEqual([vault.entry()])
  },
)

test('forgets the security passphrase when the vault gets one of its own', async () => {
  const vault = await start(memoryKeychain())
  const stored = createSecurityPassphraseStore(database)
  await vault.secondProof.adopt('of the security')
  expect(stored.read()).not.toBeNull()
  await vault.changeProtection(null, { kept: 'passphrase', passphrase: 'a passphrase' })
  expect(stored.read()).toBeNull()
})

test('changes the protection between keychain and passphrase, with the same values', async () => {
  const keychain = memoryKeychain()
  const vault = await start(keychain)
  keep(vault)
  const passphrase = 'a passphrase'
  expect(await vault.changeProtection(null, { kept: 'passphrase', passphrase })).toMatchObject({
    state: 'open',
    kept: 'passphrase',
  })
  expect([...keychain.entries]).toEqual([])
  expect(vault.secondProof.state()).toMatchObject({ method: 'vault-passphrase', canSet: false })
  vault.lock()
  await vault.unlock(passphrase)
  expect(kept(vault)).toBe('secret')
  await vault.changeProtection(passphrase, { kept: 'keychain' })
  expect([...keychain.entries.keys()]).toEqual([vault.entry()])
  // The passphrase that opened the vault keeps proving who the person is.
  expect(vault.secondProof.state()).toMatchObject({ method: 'security-passphrase', canSet: true })
  expect(recorded).toEqual([
    'Vault protection changed: The key is wrapped with a passphrase',
    'Vault unlocked: With its passphrase',
    'Vault protection changed: The key is in the keychain',
  ])
  vault.lock()
  await vault.unlockWithKeychain()
  expect(kept(vault)).toBe('secret')
})

test('recovers a vault by its copy, under a new passphrase or in the keychain', async () => {
  const vault = await start(memoryKeychain())
  keep(vault)
  const copy = await vault.recoveryCopy(null, 'of the copy')
  vault.lock()
  expect(await vault.recover(copy, 'of the copy', 'a passphrase')).toMatchObject({
    state: 'open',
    kept: 'passphrase',
  })
  expect(kept(vault)).toBe('secret')
  expect(await vault.recover(copy, 'of the copy', null)).toMatchObject({ kept: 'keychain' })
  expect(kept(vault)).toBe('secret')
  expect(recorded).toEqual([
    'Recovery copy created: The vault’s key, wrapped with its own passphrase',
    'Vault recovered: With its recovery copy',
    'Vault recovered: With its recovery copy',
  ])

  database.prepare('DELETE FROM vault_key').run()
  const other = await start(memoryKeychain())
  expect(await problemOfFailure(other.recover(copy, 'of the copy', null))).toMatchObject({
    code: 'CONFLICT',
    what: 'This recovery copy belongs to another vault, or was made before the vault’s key changed.',
    effect: 'Nothing was changed.',
    next: 'Use the newest recovery copy of this vault.',
  })
})

test('gives workers copies of its keys, so that wiping one leaves the others intact', async () => {
  const vault = await start(memoryKeychain())
  keep(vault)
  const material = vault.material()
  expect([material.seal.length, material.fingerprint.length]).toEqual([32, 32])
  material.seal.fill(0)
  expect(kept(vault)).toBe('secret')
  vault.lock()
  expect(() => vault.material()).toThrow('VAULT_LOCKED')
  expect(() => vault.fingerprint(randomBytes(32))).toThrow('VAULT_LOCKED')
})

test('keeps work that holds the vault running after a lock', async () => {
  const vault = await start(memoryKeychain())
  keep(vault)
  const gate = Promise.withResolvers<void>()
  const work = vault.holdUnlocked(async () => {
    await gate.promise
    return vault.seal('a', 'r', Buffer.from('late'))
  })
  vault.lock()
  gate.resolve()
  sealed = await work
  await vault.unlockWithKeychain()
  expect(kept(vault)).toBe('late')
})
