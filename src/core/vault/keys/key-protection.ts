import { timingSafeEqual } from 'node:crypto'
import type { Keychain } from '../../../platform/keychain/keychain.ts'
import { failure } from '../../failure.ts'
import type { Randomness } from '../../randomness.ts'
import { unwrapKey, wrapKey } from './passphrase.ts'
import type { ScryptCost, WrappedKey } from './passphrase.ts'
import { deriveKeys, fingerprintOf, wipeKeys } from './sealing.ts'
import type { StoredKey } from '../store.ts'

/**
 * The keychain entry that all data folders of a person once shared. It is never deleted, because
 * another folder may still need it.
 */
const SHARED_ENTRY = 'vault'

const proofText = Buffer.from('keydesk vault proof')

/** A proof that identifies the data key of a vault. */
export function proofOf(dataKey: Buffer): Buffer {
  const keys = deriveKeys(dataKey)
  const proof = fingerprintOf(keys.fingerprint, proofText)
  wipeKeys(keys)
  return proof
}
export const isDataKey = (dataKey: Buffer, proof: Buffer): boolean =>
  dataKey.length === 32 && timingSafeEqual(proofOf(dataKey), proof)

/** Where a data key is stored: the part of {@link StoredKey} that changes when it moves. */
export type KeyProtection = Pick<StoredKey, 'kept' | 'entry' | 'wrapped'>

/** Stores data keys in the keychain or wrapped with a passphrase, and reads them back. */
export function createKeyProtection(keychain: Keychain, random: Randomness, cost: ScryptCost) {
  return {
    /** The name of an entry that no other data folder uses. */
    newEntry: (): string => `${SHARED_ENTRY}:${random.id()}`,
    /**
     * Stores a data key in a keychain entry. Throws Failure `KEYCHAIN_MISSING` unless it can be
     * read back: a key that isn't stored must never encrypt anything.
     */
    async inKeychain(dataKey: Buffer, entry: string): Promise<KeyProtection> {
      const secret = dataKey.toString('base64')
      const kept = await keychain
        .set(entry, secret)
        .then(() => keychain.get(entry))
        .then(
          (back) => back === secret,
          () => false,
        )
      if (kept) return { kept: 'keychain', entry, wrapped: null }
      const { reason } = await keychain.probe()
      throw failure(
        'KEYCHAIN_MISSING',
        `The vault’s key wasn’t saved. ${reason ?? 'This computer’s keychain rejected it.'}`,
        'Start a keychain, or choose a passphrase for the vault instead.',
        { effect: 'Nothing was changed.' },
      )
    },
    async underPassphrase(dataKey: Buffer, passphrase: string): Promise<KeyProtection> {
      return {
        kept: 'passphrase',
        entry: null,
        wrapped: await wrapKey(passphrase, dataKey, random.bytes(16), random.bytes(12), cost),
      }
    },
    /** Whether a key was wrapped at a lower cost than keys are now. */
    isCheap: (wrapped: WrappedKey): boolean => wrapped.cost.N < cost.N,
    /**
     * The data key of a vault. Throws Failure `KEYCHAIN_MISSING`, `VAULT_KEY_LOST` or
     * `WRONG_PASSPHRASE`.
     */
    async dataKey(kept: StoredKey, passphrase: string | null): Promise<Buffer> {
      return kept.wrapped === null ? fromKeychain(keychain, kept) : fromPassphrase(kept, passphrase)
    },
    /** Deletes an entry that is no longer needed. False when the keychain didn't respond. */
    retire: (entry: string): Promise<boolean> =>
      entry === SHARED_ENTRY
        ? Promise.resolve(true)
        : keychain.delete(entry).then(
            () => true,
            () => false,
          ),
  }
}

async function fromKeychain(keychain: Keychain, { entry, proof }: StoredKey): Promise<Buffer> {
  let secret: string | null
  try {
    secret = await keychain.get(entry ?? SHARED_ENTRY)
  } catch {
    throw failure(
      'KEYCHAIN_MISSING',
      'The keychain that holds the vault’s key isn’t responding.',
      'Unlock or start this computer’s keychain, then try again.',
    )
  }
  const dataKey = secret === null ? null : Buffer.from(secret, 'base64')
  if (dataKey === null || !isDataKey(dataKey, proof)) {
    throw failure(
      'VAULT_KEY_LOST',
      'The keychain no longer has the key of this vault.',
      'Unlock the vault with its recovery copy. Without one, the stored keys can’t be read. ' +
        'Keys that the service still has can be downloaded again.',
    )
  }
  return dataKey
}

async function fromPassphrase(
  { wrapped, proof }: StoredKey,
  passphrase: string | null,
): Promise<Buffer> {
  const dataKey =
    wrapped === null || passphrase === null ? null : await unwrapKey(passphrase, wrapped)
  if (dataKey === null || !isDataKey(dataKey, proof))
    throw failure(
      'WRONG_PASSPHRASE',
      'The vault’s passphrase is wrong.',
      'Enter it again. A lost passphrase can’t be recovered.',
    )
  return dataKey
}
