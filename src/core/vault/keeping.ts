import { timingSafeEqual } from 'node:crypto'
import type { Keychain } from '../../platform/keychain.ts'
import { failure } from '../failure.ts'
import type { Randomness } from '../randomness.ts'
import { unwrapKey, wrapKey } from './passphrase.ts'
import type { ScryptCost } from './passphrase.ts'
import { deriveKeys, fingerprintOf } from './sealing.ts'
import type { KeptKey } from './store.ts'

/**
 * The entry that all data folders of a person shared once; it is never deleted, because another
 * folder may need it.
 */
const SHARED_ENTRY = 'vault'

const proofText = Buffer.from('keydesk vault proof')

/** What tells whether a data key is the one a vault was sealed with. */
export const proofOf = (dataKey: Buffer): Buffer =>
  fingerprintOf(deriveKeys(dataKey).fingerprint, proofText)
export const isDataKey = (dataKey: Buffer, proof: Buffer): boolean =>
  dataKey.length === 32 && timingSafeEqual(proofOf(dataKey), proof)

/** Where a data key is kept: the part of {@link KeptKey} that a move changes. */
export type Keeping = Pick<KeptKey, 'kept' | 'entry' | 'wrapped'>

/** Keeps data keys in the keychain or under a passphrase, and gets them back. */
export function createKeeping(keychain: Keychain, random: Randomness, cost: ScryptCost) {
  return {
    /** The name of an entry that no other desk uses. */
    newEntry: (): string => `${SHARED_ENTRY}:${random.id()}`,
    /**
     * Puts a data key into an entry. Throws Failure `KEYCHAIN_MISSING` unless it can be read back:
     * a key that nothing keeps must never seal anything.
     */
    async inKeychain(dataKey: Buffer, entry: string): Promise<Keeping> {
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
        `The vault’s key was not kept. ${reason ?? 'The keychain of this machine did not take it.'}`,
        'Start a keychain, or choose a passphrase for the vault instead.',
        { effect: 'Nothing was changed.' },
      )
    },
    async underPassphrase(dataKey: Buffer, passphrase: string): Promise<Keeping> {
      return {
        kept: 'passphrase',
        entry: null,
        wrapped: await wrapKey(passphrase, dataKey, random.bytes(16), random.bytes(12), cost),
      }
    },
    /**
     * The data key of a vault. Throws Failure `KEYCHAIN_MISSING`, `VAULT_KEY_LOST` or
     * `WRONG_PASSPHRASE`.
     */
    async dataKey(kept: KeptKey, passphrase: string | null): Promise<Buffer> {
      return kept.wrapped === null
        ? fromKeychain(keychain, kept)
        : fromPassphrase(kept, passphrase, cost)
    },
    /** Deletes an entry that is needed no more. False when the keychain did not answer. */
    retire: (entry: string): Promise<boolean> =>
      entry === SHARED_ENTRY
        ? Promise.resolve(true)
        : keychain.delete(entry).then(
            () => true,
            () => false,
          ),
  }
}

async function fromKeychain(keychain: Keychain, { entry, proof }: KeptKey): Promise<Buffer> {
  let secret: string | null
  try {
    secret = await keychain.get(entry ?? SHARED_ENTRY)
  } catch {
    throw failure(
      'KEYCHAIN_MISSING',
      'The keychain that holds the vault’s key does not answer.',
      'Unlock or start the keychain of this machine, then try again.',
    )
  }
  const dataKey = secret === null ? null : Buffer.from(secret, 'base64')
  if (dataKey === null || !isDataKey(dataKey, proof)) {
    throw failure(
      'VAULT_KEY_LOST',
      'The keychain no longer holds the key this vault was sealed with.',
      'Open the vault with its recovery copy. Without one the kept keys can’t be read; what the service still has can be downloaded again.',
    )
  }
  return dataKey
}

async function fromPassphrase(
  { wrapped, proof }: KeptKey,
  passphrase: string | null,
  cost: ScryptCost,
): Promise<Buffer> {
  const dataKey =
    wrapped === null || passphrase === null ? null : await unwrapKey(passphrase, wrapped, cost)
  if (dataKey === null || !isDataKey(dataKey, proof))
    throw failure(
      'WRONG_PASSPHRASE',
      'This is not the vault’s passphrase.',
      'Type it again. It can’t be recovered.',
    )
  return dataKey
}
