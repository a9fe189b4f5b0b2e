import { timingSafeEqual } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import type { VaultState } from '../../contract/vault.ts'
import type { Keychain } from '../../platform/keychain.ts'
import type { Changes } from '../changes.ts'
import type { Clock } from '../clock.ts'
import type { Vault } from '../context.ts'
import { failure } from '../failure.ts'
import type { Randomness } from '../randomness.ts'
import { unwrapKey, wrapKey } from './passphrase.ts'
import { deriveKeys, fingerprintOf, openValue, sealValue } from './sealing.ts'
import type { VaultKeys } from './sealing.ts'
import { createVaultStore } from './store.ts'

export { openValue, sealValue } from './sealing.ts'
export { vaultSchema } from './store.ts'

/** The keychain entry that holds the data key, base64. */
const entry = 'vault'
const proofText = Buffer.from('keydesk vault proof')

export interface VaultFeature extends Vault {
  state(): VaultState
  /** Opens the vault by the keychain where one answers; makes the data key at the very first start. Never throws for a missing keychain. */
  begin(): Promise<void>
  choosePassphrase(passphrase: string): Promise<VaultState>
  unlock(passphrase: string): Promise<VaultState>
  unlockWithKeychain(): Promise<VaultState>
  lock(): VaultState
}

export type VaultParts = {
  database: Database
  keychain: Keychain
  clock: Clock
  random: Randomness
  changes: Changes
  /** How many values are sealed in all mirrors. */
  entries: () => number
}

/** The encrypted store of delivered and waiting keys: one data key for the desk, kept by the keychain or wrapped by a passphrase. */
export function createVault(parts: VaultParts): VaultFeature {
  const { keychain, clock, random, changes } = parts
  const store = createVaultStore(parts.database)
  let keys: VaultKeys | null = null
  let openedAt: number | null = null

  function state(): VaultState {
    const kept = store.read()?.kept ?? 'none'
    return { state: keys !== null ? 'open' : kept === 'none' ? 'unset' : 'locked', kept, entries: parts.entries(), openedAt }
  }
  function opened(dataKey: Buffer): VaultState {
    keys = deriveKeys(dataKey)
    dataKey.fill(0)
    openedAt = clock.now()
    changes.tell('vault')
    return state()
  }
  const isKey = (dataKey: Buffer, proof: Buffer): boolean => dataKey.length === 32 && timingSafeEqual(proofOf(dataKey), proof)
  function demand(): VaultKeys {
    if (keys !== null) return keys
    if (store.read() === null) {
      throw failure('VAULT_UNSET', 'The vault has no passphrase yet, and this machine has no keychain to keep one.', 'Choose a passphrase for the vault, then try again.', { effect: 'Nothing was sent.' })
    }
    throw failure('VAULT_LOCKED', 'The vault is locked.', 'Unlock it, then try again.', { effect: 'Nothing was sent.' })
  }

  async function fromKeychain(proof: Buffer): Promise<VaultState> {
    let secret: string | null
    try {
      secret = await keychain.get(entry)
    } catch {
      throw failure('KEYCHAIN_MISSING', 'The keychain that holds the vault’s key does not answer.', 'Unlock or start the keychain of this machine, then try again.')
    }
    const dataKey = secret === null ? null : Buffer.from(secret, 'base64')
    if (dataKey === null || !isKey(dataKey, proof)) {
      throw failure('VAULT_KEY_LOST', 'The keychain no longer holds the key this vault was sealed with.', 'Restore the keychain entry “vault” of Keydesk. Without it the kept keys can’t be read; what the service still has can be downloaded again.')
    }
    return opened(dataKey)
  }

  /** Makes the data key of a new desk, the keychain first: a key that nothing keeps must never seal anything. */
  async function create(): Promise<void> {
    // Another data folder of this person may have made one: it is shared, never overwritten, or that folder's keys would be lost.
    const shared = Buffer.from((await keychain.get(entry)) ?? '', 'base64')
    const dataKey = shared.length === 32 ? shared : random.bytes(32)
    if (dataKey !== shared) await keychain.set(entry, dataKey.toString('base64'))
    if ((await keychain.get(entry)) !== dataKey.toString('base64')) throw new Error('the keychain did not keep the key')
    store.write({ kept: 'keychain', wrapped: null, proof: proofOf(dataKey) }, clock.now())
    opened(dataKey)
  }

  return {
    state,
    async begin() {
      const kept = store.read()
      if (kept?.kept === 'passphrase') return
      try {
        if (kept === null) await create()
        else await fromKeychain(kept.proof)
      } catch {
        changes.tell('vault')
      }
    },
    async choosePassphrase(passphrase) {
      if (store.read() !== null) throw failure('CONFLICT', 'The vault has its key already.', 'Unlock it instead.')
      const dataKey = random.bytes(32)
      const wrapped = await wrapKey(passphrase, dataKey, random.bytes(16), random.bytes(12))
      if (store.read() !== null) throw failure('CONFLICT', 'The vault has its key already.', 'Unlock it instead.')
      store.write({ kept: 'passphrase', wrapped, proof: proofOf(dataKey) }, clock.now())
      return opened(dataKey)
    },
    async unlock(passphrase) {
      const kept = store.read()
      if (kept === null) throw failure('VAULT_UNSET', 'The vault has no passphrase yet.', 'Choose one.')
      if (kept.wrapped === null) throw failure('CONFLICT', 'This vault is opened by the keychain, not by a passphrase.', 'Unlock it with the keychain.')
      const dataKey = await unwrapKey(passphrase, kept.wrapped)
      if (dataKey === null || !isKey(dataKey, kept.proof)) throw failure('WRONG_PASSPHRASE', 'This is not the vault’s passphrase.', 'Type it again. It can’t be recovered.')
      return opened(dataKey)
    },
    async unlockWithKeychain() {
      const kept = store.read()
      if (kept?.kept === 'passphrase') throw failure('CONFLICT', 'This vault is opened by its passphrase.', 'Type the passphrase.')
      if (kept !== null) return fromKeychain(kept.proof)
      await create().catch(() => {
        throw failure('KEYCHAIN_MISSING', 'No keychain answers on this machine.', 'Choose a passphrase for the vault instead.')
      })
      return state()
    },
    lock() {
      keys?.seal.fill(0)
      keys?.fingerprint.fill(0)
      keys = null
      openedAt = null
      changes.tell('vault')
      return state()
    },
    demandOpen: () => void demand(),
    seal: (accountId, recordId, value) => sealValue(demand().seal, random.bytes(12), accountId, recordId, value),
    open: (accountId, recordId, sealed) => openSealed(demand().seal, accountId, recordId, sealed),
    fingerprint: (keySha256) => fingerprintOf(demand().fingerprint, keySha256),
    material() {
      const { seal, fingerprint } = demand()
      return { seal: Buffer.from(seal), fingerprint: Buffer.from(fingerprint) }
    },
  }
}

const proofOf = (dataKey: Buffer): Buffer => fingerprintOf(deriveKeys(dataKey).fingerprint, proofText)

function openSealed(key: Buffer, accountId: string, recordId: string, sealed: Uint8Array): Buffer {
  try {
    return openValue(key, accountId, recordId, sealed)
  } catch {
    throw failure('VAULT_DAMAGED', 'A kept value can’t be read: it was changed or damaged on this machine.', 'Download it again where the service still has it.')
  }
}
