import type { LockReason } from '../../../contract/app/vault.ts'
import type { Clock } from '../../clock.ts'
import type { Reencrypt } from '../../context.ts'
import type { Randomness } from '../../randomness.ts'
import { damagedFailure, rekeyingFailure, lockedFailure, unsetFailure } from '../failures.ts'
import { deriveKeys, openValue, opens, sealValue, wipeKeys } from './sealing.ts'
import type { VaultKeys } from './sealing.ts'
import type { StoredKey, createVaultStore } from '../store.ts'

/** The record ID under which the vault encrypts its own keys. */
const OWN = 'vault'

type Parts = {
  store: ReturnType<typeof createVaultStore>
  clock: Clock
  random: Randomness
}

/** Encrypts one of the vault's own keys for its row. */
export const sealOwnKey = (
  key: Buffer,
  random: Randomness,
  record: 'fingerprint-key' | 'previous-key',
  value: Buffer,
): Buffer => sealValue(key, random.bytes(12), OWN, record, value)

/** The keys of the vault in memory, and whether work can use them. */
export function createKeyRing({ store, clock, random }: Parts) {
  let keys: VaultKeys | null = null
  /** The previous sealing key while a rekeying is unfinished. */
  let previous: Buffer | null = null
  let locked = false
  let lockedBy: LockReason | null = null
  let holds = 0
  let openedAt: number | null = null

  const isOpen = (): boolean => keys !== null && !locked

  /** Throws Failure `VAULT_UNSET` when the vault has no data key yet. */
  function requireRow(): StoredKey {
    const row = store.read()
    if (row === null) throw unsetFailure()
    return row
  }
  function throwLocked(): never {
    requireRow()
    throw lockedFailure()
  }
  function wipe(): void {
    if (keys !== null) wipeKeys(keys)
    previous?.fill(0)
    keys = null
    previous = null
  }
  function requireOpen(): VaultKeys {
    if (keys === null || locked) return throwLocked()
    return keys
  }
  /** The keys for new work. */
  function forNewWork(): VaultKeys {
    const current = requireOpen()
    if (previous !== null) throw rekeyingFailure()
    return current
  }
  const reencrypt: Reencrypt = (accountId, recordId, sealed) => {
    if (keys === null || locked) throw lockedFailure()
    if (previous === null || opens(keys.seal, accountId, recordId, sealed) !== null) return null
    const value = opens(previous, accountId, recordId, sealed)
    if (value === null) throw damagedFailure()
    return sealValue(keys.seal, random.bytes(12), accountId, recordId, value)
  }

  return {
    isOpen,
    isHeld: (): boolean => holds > 0,
    isRekeying: (): boolean => previous !== null,
    openedAt: (): number | null => (isOpen() ? openedAt : null),
    lockedBy: (): LockReason | null => lockedBy,
    requireRow,
    requireOpen,
    forNewWork,
    reencrypt,
    /** Derives the keys from a data key, then wipes it. */
    load(dataKey: Buffer, row: StoredKey): void {
      wipe()
      keys = deriveKeys(dataKey)
      dataKey.fill(0)
      if (row.fingerprint !== null) {
        keys.fingerprint.fill(0)
        keys.fingerprint = openValue(keys.seal, OWN, 'fingerprint-key', row.fingerprint)
      }
      if (row.previous !== null) previous = openValue(keys.seal, OWN, 'previous-key', row.previous)
      locked = false
      openedAt = clock.now()
    },
    lock(by: LockReason): void {
      if (isOpen()) lockedBy = by
      locked = true
      openedAt = null
      if (holds === 0) wipe()
    },
    /** The keys for work that started before the vault was locked or rekeyed. */
    inUse(): VaultKeys {
      if (keys === null || (locked && holds === 0)) return throwLocked()
      return keys
    },
    /** Keeps the keys for this work, even if the vault is locked while it runs. */
    async hold<Result>(work: () => Promise<Result>): Promise<Result> {
      forNewWork()
      holds += 1
      try {
        return await work()
      } finally {
        holds -= 1
        if (locked && holds === 0) wipe()
      }
    },
    open(accountId: string, recordId: string, sealed: Uint8Array): Buffer {
      if (keys === null || locked) throw lockedFailure()
      const value =
        opens(keys.seal, accountId, recordId, sealed) ??
        (previous === null ? null : opens(previous, accountId, recordId, sealed))
      if (value === null) throw damagedFailure()
      return value
    },
    wipePrevious(): void {
      previous?.fill(0)
      previous = null
    },
  }
}
export type KeyRing = ReturnType<typeof createKeyRing>
