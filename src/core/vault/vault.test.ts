import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { formatMessage } from '../../contract/localization/localized.ts'
import { createChanges } from '../changes.ts'
import { systemClock } from '../clock.ts'
import { openDatabase } from '../mirror/database/open-database.ts'
import { systemRandomness } from '../randomness.ts'
import type { Keychain } from '../../platform/keychain/keychain.ts'
import { temporaryFolder } from '../testing/context.ts'
import { problemOfFailure } from '../testing/failures.ts'
import { memoryKeychain, missingKeychain } from '../testing/keychains.ts'
import { deriveKeys, openValue, sealValue } from './keys/sealing.ts'
import { createVault, scryptCost, vaultSchema } from './vault.ts'
import type { ScryptCost } from './vault.ts'

let folder: ReturnType<typeof temporaryFolder>
let file = 0
let recorded: string[] = []
let details: string[] = []
let changed: string[] = []
let counted = 0
let path = ''
beforeAll(() => {
  folder = temporaryFolder()
})
afterAll(() => folder.remove())
beforeEach(() => {
  path = join(folder.path, `${file++}.db`)
  recorded = []
  details = []
  changed = []
  counted = 0
})

const cheap = { N: 2 ** 10, r: 8, p: 1 }

async function vaultOn(
  keychain: Keychain,
  database = openDatabase(path, [vaultSchema]),
  cost: ScryptCost | undefined = cheap,
) {
  const values = {
    count: () => {
      counted += 1
      return 0
    },
    accounts: () => [],
    reencrypt: async () => ({ values: 0, unreadable: 0 }),
    removeCopies: () => {},
  }
  const vault = createVault({
    database,
    keychain,
    clock: systemClock,
    random: systemRandomness,
    changes: { ...createChanges(), notify: (topic) => void changed.push(topic) },
    activity: {
      add: ({ what, detail }) => {
        recorded.push(formatMessage(what))
        details.push(detail === null ? '' : formatMessage(detail))
      },
    },
    notices: { notify: () => {} },
    values,
    cost,
    report: (_where, error) => {
      throw error
    },
  })
  await vault.start()
  return { vault, database }
}

const keys = deriveKeys(randomBytes(32))

test('opens at a start without counting values, for which the accounts’ files would be opened', async () => {
  const keychain = memoryKeychain()
  for (let start = 1; start <= 2; start += 1) {
    const { vault, database } = await vaultOn(keychain)
    expect(counted).toBe(0)
    expect(vault.state().state).toBe('open')
    database.close()
    counted = 0
  }
})

test('opens any sealed value for its own record', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 5000 }),
      fc.string(),
      fc.string(),
      (value, account, record) => {
        const sealed = sealValue(keys.seal, randomBytes(12), account, record, value)
        expect(
          Buffer.compare(openValue(keys.seal, account, record, sealed), Buffer.from(value)),
        ).toBe(0)
      },
    ),
  )
})

test('opens nothing with a changed byte, another record, another account or another key', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 200 }),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (value, place, change) => {
        const sealed = sealValue(keys.seal, randomBytes(12), 'account', 'record', value)
        const tampered = Buffer.from(sealed)
        const at = place % tampered.length
        tampered[at] = (tampered[at] ?? 0) ^ change
        const none = /unable to authenticate|not a sealed value/
        expect(() => openValue(keys.seal, 'account', 'record', tampered)).toThrow(none)
        expect(() => openValue(keys.seal, 'account', 'recor', sealed)).toThrow(none)
        expect(() => openValue(keys.seal, 'accountr', 'ecord', sealed)).toThrow(none)
        expect(() => openValue(keys.fingerprint, 'account', 'record', sealed)).toThrow(none)
        expect(() =>
          openValue(keys.seal, 'account', 'record', sealed.subarray(0, sealed.length - 1)),
        ).toThrow(none)
      },
    ),
  )
})

test('seals the same value differently each time, with the same fingerprint', async () => {
  const { vault, database } = await vaultOn(memoryKeychain())
  const value = Buffer.from('ABCDE-FGHIJ')
  expect(vault.seal('a', 'r', value)).not.toEqual(vault.seal('a', 'r', value))
  const sha256 = randomBytes(32)
  expect(vault.fingerprint(sha256)).toEqual(vault.fingerprint(sha256))
  expect(vault.fingerprint(sha256)).not.toEqual(sha256)
  database.close()
})

test('with a keychain, opens the vault at the first start and at the next', async () => {
  const keychain = memoryKeychain()
  const first = await vaultOn(keychain)
  expect(first.vault.state()).toMatchObject({ state: 'open', kept: 'keychain' })
  const sealed = first.vault.seal('a', 'r', Buffer.from('secret'))
  first.database.close()
  const second = await vaultOn(keychain)
  expect(second.vault.open('a', 'r', sealed).toString()).toBe('secret')
  expect(second.vault.lock()).toMatchObject({ state: 'locked' })
  expect(() => second.vault.open('a', 'r', sealed)).toThrow('VAULT_LOCKED')
  await expect(second.vault.unlockWithKeychain()).resolves.toMatchObject({ state: 'open' })
  expect(second.vault.open('a', 'r', sealed).toString()).toBe('secret')
  second.database.close()
})

test('gives a second data folder its own keychain entry and leaves the first one’s alone', async () => {
  const keychain = memoryKeychain()
  const first = await vaultOn(keychain)
  const sealed = first.vault.seal('a', 'r', Buffer.from('secret'))
  first.database.close()
  const other = await vaultOn(
    keychain,
    openDatabase(join(folder.path, `${file++}-other.db`), [vaultSchema]),
  )
  other.database.close()
  const again = await vaultOn(keychain)
  expect(again.vault.open('a', 'r', sealed).toString()).toBe('secret')
  again.database.close()
})

test('reports a lost or different key in the keychain, and seals nothing', async () => {
  const keychain = memoryKeychain()
  const first = await vaultOn(keychain)
  first.database.close()
  for (const entry of keychain.entries.keys())
    keychain.entries.set(entry, randomBytes(32).toString('base64'))
  const { vault, database } = await vaultOn(keychain)
  expect(vault.state()).toMatchObject({ state: 'locked', kept: 'keychain' })
  await expect(vault.unlockWithKeychain()).rejects.toThrow('VAULT_KEY_LOST')
  expect(() => vault.seal('a', 'r', Buffer.from('x'))).toThrow('VAULT_LOCKED')
  database.close()
})

test('without a keychain, seals nothing until a passphrase is chosen, and opens only with it', async () => {
  const first = await vaultOn(missingKeychain())
  expect(first.vault.state()).toEqual({
    state: 'unset',
    kept: 'none',
    entries: 0,
    openedAt: null,
    rekeying: false,
    lockedBy: null,
  })
  expect(() => first.vault.assertUnlocked()).toThrow('VAULT_UNSET')
  await expect(first.vault.unlockWithKeychain()).rejects.toThrow('KEYCHAIN_MISSING')
  await expect(first.vault.choosePassphrase('a long passphrase é')).resolves.toMatchObject({
    state: 'open',
    kept: 'passphrase',
  })
  await expect(first.vault.choosePassphrase('another passphrase')).rejects.toThrow('CONFLICT')
  const sealed = first.vault.seal('a', 'r', Buffer.from('secret'))
  first.database.close()

  const second = await vaultOn(missingKeychain())
  expect(second.vault.state()).toMatchObject({ state: 'locked', kept: 'passphrase' })
  await expect(second.vault.unlock('a long passphrase e')).rejects.toThrow('WRONG_PASSPHRASE')
  expect(() => second.vault.assertUnlocked()).toThrow('VAULT_LOCKED')
  // The same characters in another Unicode form are the same passphrase.
  await expect(second.vault.unlock('a long passphrase e\u0301')).resolves.toMatchObject({
    state: 'open',
  })
  expect(second.vault.open('a', 'r', sealed).toString()).toBe('secret')
  expect(() => second.vault.open('a', 'other', sealed)).toThrow('VAULT_DAMAGED')
  second.database.close()
})

describe('the cost of a passphrase', () => {
  const stored = (database: ReturnType<typeof openDatabase>): unknown =>
    database.prepare('SELECT kdf FROM vault_key').pluck().get()
  const dearer = { ...cheap, N: 2 * cheap.N }

  test('is stored with the wrapped key and raised when a right passphrase opens it', async () => {
    const first = await vaultOn(missingKeychain())
    await first.vault.choosePassphrase('a passphrase')
    const sealed = first.vault.seal('a', 'r', Buffer.from('secret'))
    expect(stored(first.database)).toBe('{"name":"scrypt","N":1024,"r":8,"p":1}')
    first.database.close()

    const second = await vaultOn(missingKeychain(), undefined, dearer)
    await expect(second.vault.unlock('another')).rejects.toThrow('WRONG_PASSPHRASE')
    expect(stored(second.database)).toContain('"N":1024')
    await second.vault.unlock('a passphrase')
    expect(stored(second.database)).toContain('"N":2048')
    expect(second.vault.open('a', 'r', sealed).toString()).toBe('secret')
    expect(recorded).toContain('Passphrase protection strengthened')
    expect(details).toContain('The vault’s key is wrapped again at the present cost')
    second.database.close()

    const third = await vaultOn(missingKeychain())
    await third.vault.unlock('a passphrase')
    expect(stored(third.database), 'never lowers it').toContain('"N":2048')
    third.database.close()
  })

  test('is raised once when two unlocks run at the same time', async () => {
    const first = await vaultOn(missingKeychain())
    await first.vault.choosePassphrase('a passphrase')
    const wrapped = first.database.prepare('SELECT wrapped FROM vault_key').pluck().get() as Buffer
    first.database.close()
    expect(readFileSync(path).includes(wrapped)).toBe(true)

    changed = []
    const second = await vaultOn(missingKeychain(), undefined, dearer)
    expect(changed, 'a locked vault changes nothing at its start').toEqual([])
    await Promise.all([second.vault.unlock('a passphrase'), second.vault.unlock('a passphrase')])
    expect(recorded.filter((what) => what === 'Passphrase protection strengthened')).toHaveLength(1)
    // No file keeps the earlier wrapped key, which is cheaper to attack.
    for (const each of [path, `${path}-wal`])
      expect(readFileSync(each).includes(wrapped), each).toBe(false)
    second.database.close()
  })

  test('is the one of older versions in a row without it @long', async () => {
    const first = await vaultOn(missingKeychain(), undefined, scryptCost)
    await first.vault.choosePassphrase('a passphrase')
    first.database.prepare('UPDATE vault_key SET kdf = NULL').run()
    first.vault.lock()
    expect(await first.vault.unlock('a passphrase')).toMatchObject({ state: 'open' })
    first.database.close()
  })
})

test('records a recovery copy only when there is one', async () => {
  // scrypt rejects this cost, so that no copy can be written.
  const keychain = memoryKeychain()
  const broken = await vaultOn(keychain, undefined, { ...cheap, N: 3 })
  await expect(broken.vault.recoveryCopy(null, 'of the copy')).rejects.toThrow('scrypt')
  expect(recorded).toEqual([])
  broken.database.close()

  const { vault, database } = await vaultOn(keychain)
  await vault.recoveryCopy(null, 'of the copy')
  expect(recorded).toEqual(['Recovery copy created'])
  database.close()
})

test('shows each opening and each lock, after which it releases decrypted data', async () => {
  const { vault, database } = await vaultOn(memoryKeychain())
  const events: string[] = []
  vault.onLock(() => events.push(`lock ${vault.state().state}`))
  vault.onOpen(() => events.push(`open ${vault.state().state}`))
  changed = []
  vault.lock()
  await vault.unlockWithKeychain()
  vault.lock('sleep')
  expect(events).toEqual(['lock locked', 'open open', 'lock locked'])
  expect(changed).toEqual(['vault', 'vault', 'vault'])
  expect(vault.state()).toMatchObject({ lockedBy: 'sleep', rekeying: false })
  database.close()
})

test('records an unlocking by passphrase', async () => {
  const { vault, database } = await vaultOn(missingKeychain())
  expect(changed).toEqual(['vault'])
  await vault.choosePassphrase('a passphrase')
  vault.lock()
  await vault.unlock('a passphrase')
  expect(recorded).toEqual(['Vault unlocked'])
  expect(vault.entry()).toBeNull()
  database.close()
})

describe('a vault in another state than a request assumes', () => {
  test('explains which way of unlocking it has', async () => {
    const unset = await vaultOn(missingKeychain())
    expect(unset.vault.entry()).toBeNull()
    expect(await problemOfFailure(unset.vault.unlock('a passphrase'))).toMatchObject({
      code: 'VAULT_UNSET',
      what: 'The vault has no passphrase yet.',
      next: 'Choose one.',
    })
    expect(await problemOfFailure(unset.vault.unlockWithKeychain())).toMatchObject({
      code: 'KEYCHAIN_MISSING',
      what: 'This computer’s keychain isn’t responding.',
      next: 'Choose a passphrase for the vault instead.',
    })
    await unset.vault.choosePassphrase('a passphrase')
    expect(await problemOfFailure(unset.vault.unlockWithKeychain())).toMatchObject({
      code: 'CONFLICT',
      what: 'This vault is unlocked with its passphrase.',
      next: 'Enter the passphrase.',
    })
    expect(await problemOfFailure(unset.vault.choosePassphrase('another'))).toMatchObject({
      code: 'CONFLICT',
      what: 'The vault already has a key.',
      next: 'Unlock it instead.',
    })
    unset.database.close()
  })

  test('is not unlocked with a passphrase when the keychain holds its key', async () => {
    const { vault, database } = await vaultOn(memoryKeychain())
    expect(await problemOfFailure(vault.unlock('a passphrase'))).toMatchObject({
      code: 'CONFLICT',
      what: 'This vault is unlocked with the keychain, not with a passphrase.',
      next: 'Unlock it with the keychain.',
    })
    expect(vault.entry()).toMatch(/./)
    database.close()
  })

  test('gets only one key when two passphrases are chosen at the same time', async () => {
    const { vault, database } = await vaultOn(missingKeychain())
    const results = await Promise.allSettled([
      vault.choosePassphrase('a passphrase'),
      vault.choosePassphrase('another passphrase'),
    ])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { problem: { code: 'CONFLICT' } },
    })
    database.close()
  })
})
