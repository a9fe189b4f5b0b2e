import { scryptSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { systemRandomness } from '../../randomness.ts'
import { problemOfFailure } from '../../testing/failures.ts'
import { memoryKeychain } from '../../testing/keychains.ts'
import type { StoredKey } from '../store.ts'
import { createKeyProtection, isDataKey, proofOf } from './key-protection.ts'
import { costSchema, deriveFrom, scryptCost, unwrapKey, wrapKey } from './passphrase.ts'
import { openRecovery, writeRecovery } from './recovery.ts'
import { fingerprintOf, deriveKeys, openValue, opens, sealValue } from './sealing.ts'

const cheap = { N: 2 ** 10, r: 8, p: 1 }
const dataKey = (): Buffer => Buffer.alloc(32, 7)
const salt = Buffer.alloc(16, 1)
const nonce = Buffer.alloc(12, 2)

describe('a key from a passphrase', () => {
  it('is the scrypt of its NFKC form at the real cost of 2^17 @long', async () => {
    expect(scryptCost).toEqual({ N: 131_072, r: 8, p: 1 })
    const expected = scryptSync('é', salt, 32, { N: 131_072, r: 8, p: 1, maxmem: 2 ** 28 })
    expect(await deriveFrom('e\u0301', salt, scryptCost)).toEqual(expected)
  })

  it('rejects a cost that scrypt does not support', async () => {
    await expect(deriveFrom('p', salt, { N: 3, r: 8, p: 1 })).rejects.toThrow(
      'Invalid scrypt params',
    )
  })

  it.each([
    [{ name: 'scrypt', N: 2, r: 8, p: 1 }, true],
    [{ name: 'scrypt', N: 2 ** 19, r: 8, p: 1 }, true],
    [{ name: 'scrypt', N: 1, r: 8, p: 1 }, false],
    [{ name: 'scrypt', N: 2 ** 19 + 1, r: 8, p: 1 }, false],
    [{ name: 'scrypt', N: 2.5, r: 8, p: 1 }, false],
    [{ name: 'scrypt', N: 2 ** 17, r: 9, p: 1 }, false],
    [{ name: 'scrypt', N: 2 ** 17, r: 8, p: 2 }, false],
    [{ name: 'argon2', N: 2 ** 17, r: 8, p: 1 }, false],
  ])('accepts a header only with a limited cost: %j', (cost, isAccepted) => {
    expect(costSchema.safeParse(cost).success).toBe(isAccepted)
  })

  it('unwraps a data key only with the passphrase that wrapped it', async () => {
    const wrapped = await wrapKey('right', dataKey(), salt, nonce, cheap)
    expect(wrapped.salt).toEqual(salt)
    expect(await unwrapKey('right', wrapped)).toEqual(dataKey())
    expect(await unwrapKey('wrong', wrapped)).toBeNull()
    const key = await deriveFrom('right', salt, cheap)
    expect(openValue(key, 'vault', 'data-key', wrapped.wrapped)).toEqual(dataKey())
  })
})

describe('a sealed value', () => {
  const { seal, fingerprint } = deriveKeys(dataKey())

  it('has the layout version, nonce, tag, ciphertext', () => {
    const sealed = sealValue(seal, nonce, 'a', 'r', Buffer.from('secret'))
    expect(sealed).toHaveLength(1 + 12 + 16 + 6)
    expect(sealed[0]).toBe(1)
    expect(sealed.subarray(1, 13)).toEqual(nonce)
    const empty = sealValue(seal, nonce, 'a', 'r', Buffer.alloc(0))
    expect(openValue(seal, 'a', 'r', empty)).toHaveLength(0)
    expect(() => openValue(seal, 'a', 'r', empty.subarray(0, 28))).toThrow('not a sealed value')
    expect(opens(seal, 'a', 'r', empty.subarray(0, 28))).toBeNull()
    expect(opens(seal, 'a', 'r', sealed)?.toString()).toBe('secret')
  })

  // Stored values of every data folder depend on these derivations.
  it('stays readable: keys and proofs of a data key never change', () => {
    expect(seal).not.toEqual(fingerprint)
    expect(
      Object.fromEntries(
        Object.entries({
          seal,
          fingerprint,
          proof: proofOf(dataKey()),
          sha: fingerprintOf(fingerprint, Buffer.from('x')),
          sealed: sealValue(seal, nonce, 'account', 'record', Buffer.from('secret')),
        }).map(([name, bytes]) => [name, bytes.toString('hex')]),
      ),
    ).toEqual({
      fingerprint: '9780daf0cbf5569a00ece0bc34e9410b2d6bb1cfd25cc03e65bb8288a11fb5b7',
      proof: '4d9e064ed631f36effb2492d741b234f24c961fc20e18ee58c6b28f0d692e976',
      seal: 'b6747f757498f8edaf16a2349ba3222f53b9f0cec3def2b56e44a5bc164a010e',
      sealed: '010202020202020202020202020e00f0101b72500143df3913babb576d69c33cb30113',
      sha: 'f8bee29a19eea4ce8ad1d64705d7ce0d683f8ec4bf782240d9bb7f3b196e5b3f',
    })
    expect(isDataKey(dataKey(), proofOf(dataKey()))).toBe(true)
    expect(isDataKey(Buffer.alloc(32, 8), proofOf(dataKey()))).toBe(false)
    expect(isDataKey(Buffer.alloc(31, 7), proofOf(Buffer.alloc(31, 7)))).toBe(false)
  })
})

describe('the storage of a data key', () => {
  const stored = (changes: Partial<StoredKey>): StoredKey => ({
    kept: 'keychain',
    entry: 'vault:1',
    wrapped: null,
    proof: proofOf(dataKey()),
    fingerprint: null,
    previous: null,
    retired: null,
    ...changes,
  })
  const unreachable = async (): Promise<never> => {
    throw new Error('no keychain')
  }

  it('reads a key back from its keychain entry, or from the shared entry of older versions', async () => {
    const keychain = memoryKeychain()
    const protection = createKeyProtection(keychain, systemRandomness, cheap)
    expect(protection.newEntry()).toMatch(/^vault:.+/)
    expect(await protection.inKeychain(dataKey(), 'vault:1')).toEqual({
      kept: 'keychain',
      entry: 'vault:1',
      wrapped: null,
    })
    expect(await protection.dataKey(stored({}), null)).toEqual(dataKey())
    await protection.inKeychain(dataKey(), 'vault')
    expect(await protection.dataKey(stored({ entry: null }), null)).toEqual(dataKey())
    expect(await protection.retire('vault')).toBe(true)
    expect(await protection.retire('vault:1')).toBe(true)
    expect([...keychain.entries.keys()]).toEqual(['vault'])
  })

  it.each([
    ['No keychain.', 'The vault’s key wasn’t saved. No keychain.'],
    [null, 'The vault’s key wasn’t saved. This computer’s keychain rejected it.'],
  ])('rejects a keychain that loses what it stores: %s', async (reason, what) => {
    for (const broken of [{ get: async () => 'another' }, { set: unreachable }]) {
      const keychain = {
        ...memoryKeychain(),
        probe: async () => ({ available: false, name: 'Test', reason }),
        ...broken,
      }
      const protection = createKeyProtection(keychain, systemRandomness, cheap)
      expect(await problemOfFailure(protection.inKeychain(dataKey(), 'vault:1'))).toMatchObject({
        code: 'KEYCHAIN_MISSING',
        what,
        next: 'Start a keychain, or choose a passphrase for the vault instead.',
        effect: 'Nothing was changed.',
      })
    }
  })

  it('reports a keychain that does not respond, and a lost key', async () => {
    const keychain = { ...memoryKeychain(), get: unreachable, delete: unreachable }
    const protection = createKeyProtection(keychain, systemRandomness, cheap)
    expect(await problemOfFailure(protection.dataKey(stored({}), null))).toMatchObject({
      code: 'KEYCHAIN_MISSING',
      what: 'The keychain that holds the vault’s key isn’t responding.',
      next: 'Unlock or start this computer’s keychain, then try again.',
    })
    expect(await protection.retire('vault:1')).toBe(false)
    const empty = createKeyProtection(memoryKeychain(), systemRandomness, cheap)
    expect(await problemOfFailure(empty.dataKey(stored({}), null))).toMatchObject({
      code: 'VAULT_KEY_LOST',
      what: 'The keychain no longer has the key of this vault.',
      next:
        'Unlock the vault with its recovery copy. Without one, the stored keys can’t be read. ' +
        'Keys that the service still has can be downloaded again.',
    })
  })

  it('opens a wrapped key only with its passphrase and its own proof', async () => {
    const protection = createKeyProtection(memoryKeychain(), systemRandomness, cheap)
    const kept = await protection.underPassphrase(dataKey(), 'right')
    expect(kept).toMatchObject({ kept: 'passphrase', entry: null })
    expect(await protection.dataKey(stored(kept), 'right')).toEqual(dataKey())
    const wrong = {
      code: 'WRONG_PASSPHRASE',
      what: 'The vault’s passphrase is wrong.',
      next: 'Enter it again. A lost passphrase can’t be recovered.',
    }
    const ofAnother = stored({ ...kept, proof: proofOf(Buffer.alloc(32, 8)) })
    for (const attempt of [
      () => protection.dataKey(stored(kept), 'wrong'),
      () => protection.dataKey(stored(kept), null),
      () => protection.dataKey(ofAnother, 'right'),
    ])
      expect(await problemOfFailure(attempt())).toMatchObject(wrong)
  })
})

describe('a recovery copy', () => {
  const write = () =>
    writeRecovery(dataKey(), Buffer.from('0123456789abcdef0123', 'hex'), 'right', {
      random: systemRandomness,
      cost: cheap,
      now: Date.UTC(2026, 0, 5),
    })

  it('names its vault and time, and opens with its passphrase', async () => {
    const copy = await write()
    expect(JSON.parse(copy.toString())).toEqual({
      format: 'keydesk-recovery',
      version: 1,
      madeAt: '2026-01-05T00:00:00.000Z',
      vault: '0123456789abcdef',
      kdf: { name: 'scrypt', N: 1024, r: 8, p: 1 },
      salt: expect.stringMatching(/^.{24}$/),
      wrapped: expect.any(String),
    })
    expect(copy.toString()).toMatch(/^\{\n {2}"format".*\n\}\n$/s)
    expect(await openRecovery(copy, 'right')).toEqual(dataKey())
    expect(await problemOfFailure(openRecovery(copy, 'wrong'))).toMatchObject({
      code: 'WRONG_PASSPHRASE',
      what: 'The passphrase is wrong, or the recovery copy was modified.',
      next: 'Enter the passphrase that was chosen for this copy.',
    })
  })

  it.each([{ format: 'other' }, { version: 2 }, { kdf: null }, { salt: 1 }, { wrapped: null }])(
    'rejects a file of another kind: %j',
    async (changes) => {
      const file = { ...(JSON.parse((await write()).toString()) as object), ...changes }
      const problem = {
        code: 'INVALID_INPUT',
        what: 'This file isn’t a Keydesk recovery copy.',
        next: 'Choose the file that you saved as the recovery copy.',
        effect: 'Nothing was changed.',
      }
      for (const text of [JSON.stringify(file), 'no JSON'])
        expect(await problemOfFailure(openRecovery(Buffer.from(text), 'right'))).toMatchObject(
          problem,
        )
    },
  )
})
