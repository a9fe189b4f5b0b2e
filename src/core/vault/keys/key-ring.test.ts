import SqliteDatabase from 'better-sqlite3'
import type { Database } from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migrate } from '../../mirror/database/migrate.ts'
import { systemRandomness } from '../../randomness.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import { createVaultStore, vaultSchema } from '../store.ts'
import type { StoredKey } from '../store.ts'
import { proofOf } from './key-protection.ts'
import { createKeyRing } from './key-ring.ts'
import { deriveKeys, sealValue } from './sealing.ts'

const dataKey = (fill: number): Buffer => Buffer.alloc(32, fill)
const nonce = Buffer.alloc(12, 2)
const zeros = Buffer.alloc(32)
const row: StoredKey = {
  kept: 'keychain',
  entry: 'vault:1',
  wrapped: null,
  proof: proofOf(dataKey(7)),
  fingerprint: null,
  previous: null,
  retired: null,
}
const present = deriveKeys(dataKey(7))
const earlier = deriveKeys(dataKey(6))
/** A row in the middle of a rekeying. */
const rekeyed: StoredKey = {
  ...row,
  previous: sealValue(present.seal, nonce, 'vault', 'previous-key', earlier.seal),
}
const sealedUnder = (key: Buffer): Buffer => sealValue(key, nonce, 'a', 'r', Buffer.from('value'))
const damaged = Buffer.alloc(60, 9)

let database: Database
let keyRing: ReturnType<typeof createKeyRing>
beforeEach(() => {
  database = new SqliteDatabase(':memory:')
  migrate(database, [vaultSchema])
  const store = createVaultStore(database)
  store.write(row, 1)
  keyRing = createKeyRing({ store, clock: manualClock(), random: systemRandomness })
})
afterEach(() => database.close())

describe('the keys in memory', () => {
  it('are erased when the vault is locked, and the data key as soon as they are derived', () => {
    const given = dataKey(7)
    keyRing.load(given, row)
    expect(given).toEqual(zeros)
    const keys = { ...keyRing.requireOpen() }
    expect(keys.seal).toEqual(present.seal)
    keyRing.lock('time')
    expect(keys).toEqual({ seal: zeros, fingerprint: zeros })
  })

  it('are erased when others are loaded', () => {
    keyRing.load(dataKey(7), row)
    const keys = { ...keyRing.requireOpen() }
    keyRing.load(dataKey(6), row)
    expect(keys).toEqual({ seal: zeros, fingerprint: zeros })
    expect(keyRing.requireOpen().seal).toEqual(earlier.seal)
  })

  it('stay for running work after a lock, until the last of it ends', async () => {
    keyRing.load(dataKey(7), row)
    const { seal } = keyRing.requireOpen()
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const works = [first, second].map(({ promise }) => keyRing.hold(() => promise))
    keyRing.lock('sleep')
    expect(keyRing.inUse().seal).toEqual(present.seal)
    first.resolve()
    await works[0]
    expect(keyRing.inUse().seal).toEqual(present.seal)
    second.resolve()
    await works[1]
    expect(seal).toEqual(zeros)
    expect(() => keyRing.inUse()).toThrow('VAULT_LOCKED')
  })

  it('stay when work ends in an open vault', async () => {
    keyRing.load(dataKey(7), row)
    await keyRing.hold(async () => {})
    expect(keyRing.requireOpen().seal).toEqual(present.seal)
  })

  it('have the stored fingerprint key, which survives a rekeying', () => {
    const fingerprint = sealValue(
      present.seal,
      nonce,
      'vault',
      'fingerprint-key',
      earlier.fingerprint,
    )
    keyRing.load(dataKey(7), { ...row, fingerprint })
    expect(keyRing.requireOpen().fingerprint).toEqual(earlier.fingerprint)
  })
})

describe('a locked vault', () => {
  it('remembers the reason that locked it, not a later one', () => {
    keyRing.load(dataKey(7), row)
    keyRing.lock('time')
    keyRing.lock('sleep')
    expect(keyRing.lockedBy()).toBe('time')
  })

  it.each([
    ['that was never opened', () => {}],
    [
      'whose keys running work still uses',
      () => {
        keyRing.load(dataKey(7), row)
        void keyRing.hold(() => new Promise(() => {}))
        keyRing.lock('time')
      },
    ],
  ])('%s opens and encrypts nothing, and starts no work', async (_which, prepare) => {
    prepare()
    const sealed = sealedUnder(present.seal)
    expect(() => keyRing.open('a', 'r', sealed)).toThrow('VAULT_LOCKED')
    expect(() => keyRing.reencrypt('a', 'r', sealed)).toThrow('VAULT_LOCKED')
    expect(() => keyRing.requireOpen()).toThrow('VAULT_LOCKED')
    const started = keyRing.hold(async () => expect.unreachable('the work started'))
    await expect(started).rejects.toThrow('VAULT_LOCKED')
  })

  it('gives no keys to work that didn’t start before', () => {
    expect(() => keyRing.inUse()).toThrow('VAULT_LOCKED')
    database.prepare('DELETE FROM vault_key').run()
    expect(() => keyRing.inUse()).toThrow('VAULT_UNSET')
  })
})

describe('a value', () => {
  it.each([
    ['of the present key', row, sealedUnder(present.seal), 'value'],
    ['of the present key, during a rekeying', rekeyed, sealedUnder(present.seal), 'value'],
    ['of the previous key, during a rekeying', rekeyed, sealedUnder(earlier.seal), 'value'],
    ['of the previous key, after a rekeying', row, sealedUnder(earlier.seal), null],
    ['that is damaged', row, damaged, null],
    ['that is damaged, during a rekeying', rekeyed, damaged, null],
  ])('%s opens only if one of the keys fits', (_which, stored, sealed, value) => {
    keyRing.load(dataKey(7), stored)
    if (value === null) expect(() => keyRing.open('a', 'r', sealed)).toThrow('VAULT_DAMAGED')
    else expect(keyRing.open('a', 'r', sealed).toString()).toBe(value)
  })

  it('is encrypted again only during a rekeying, if it isn’t yet', () => {
    keyRing.load(dataKey(7), row)
    expect(keyRing.reencrypt('a', 'r', damaged)).toBeNull()
    keyRing.load(dataKey(7), rekeyed)
    expect(keyRing.reencrypt('a', 'r', sealedUnder(present.seal))).toBeNull()
    expect(() => keyRing.reencrypt('a', 'r', damaged)).toThrow('VAULT_DAMAGED')
    const again = keyRing.reencrypt('a', 'r', sealedUnder(earlier.seal))
    keyRing.wipePrevious()
    keyRing.wipePrevious()
    expect(keyRing.open('a', 'r', again ?? damaged).toString()).toBe('value')
  })
})

it('starts no new work during a rekeying', async () => {
  keyRing.load(dataKey(7), rekeyed)
  const started = keyRing.hold(async () => expect.unreachable('the work started'))
  await expect(started).rejects.toThrow('VAULT_LOCKED')
  keyRing.wipePrevious()
  expect(await keyRing.hold(async () => 'done')).toBe('done')
})
