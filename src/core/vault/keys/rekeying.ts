import { localized } from '../../../contract/localization/localized.ts'
import type { Localized } from '../../../contract/localization/localized.ts'
import { Failure, failure } from '../../failure.ts'
import type { KeyProtection, createKeyProtection } from './key-protection.ts'
import { proofOf } from './key-protection.ts'
import { sealOwnKey } from './key-ring.ts'
import type { KeyRing } from './key-ring.ts'
import type { VaultParts } from '../parts.ts'
import { deriveKeys, wipeKeys } from './sealing.ts'
import type { StoredKey, createVaultStore } from '../store.ts'

type Parts = Pick<VaultParts, 'values' | 'random' | 'changes' | 'report'> & {
  store: ReturnType<typeof createVaultStore>
  keeping: ReturnType<typeof createKeyProtection>
  keyRing: KeyRing
  note: (what: Localized, detail: Localized) => void
}

const busy = (): Failure =>
  failure(
    'CONFLICT',
    'Keys are being downloaded, planned or encrypted right now.',
    'Try again when that’s finished.',
    { effect: 'Nothing was changed.' },
  )

/** Replaces the data key or how it is stored, and encrypts all values with the new key. */
export function createRekeying(parts: Parts) {
  const { values, random, store, keeping, keyRing } = parts
  let running: Promise<void> | null = null
  let isChanging = false

  async function reencryptAll(): Promise<void> {
    let sum = { values: 0, unreadable: 0 }
    for (const accountId of values.accounts()) {
      if (!values.accounts().includes(accountId)) continue
      const { values: count, unreadable } = await values.reencrypt(accountId, keyRing.reencrypt)
      sum = { values: sum.values + count, unreadable: sum.unreadable + unreadable }
    }
    values.removeCopies()
    store.replace({ ...keyRing.requireRow(), previous: null })
    store.forget()
    keyRing.wipePrevious()
    parts.note(localized('vault.key-changed'), localized('vault.reencrypted', sum))
    parts.changes.notify('vault')
  }
  /** Deletes the keychain entry that is no longer needed, if there is one. */
  async function retire(): Promise<void> {
    const { retired, entry } = keyRing.requireRow()
    if (retired === null || (retired !== entry && !(await keeping.retire(retired)))) return
    const row = keyRing.requireRow()
    if (row.retired === retired) store.replace({ ...row, retired: null })
  }

  return {
    /** Rejects the change while work uses values under the old key. */
    requireIdle(): StoredKey {
      const row = keyRing.requireRow()
      keyRing.forNewWork()
      if (row.previous !== null || keyRing.isHeld()) throw busy()
      return row
    },
    /**
     * Runs a change of the data key or its storage, and rejects another one until it has finished:
     * each writes values of the stored key that it read when it started.
     */
    async alone<Result>(change: () => Promise<Result>): Promise<Result> {
      if (isChanging) throw busy()
      isChanging = true
      try {
        return await change()
      } finally {
        isChanging = false
      }
    },
    /**
     * Stores a data key in a new keychain entry. The entry's name is recorded first, so that after
     * a kill in between it is deleted at the next opening.
     */
    async newEntry(dataKey: Buffer): Promise<KeyProtection> {
      await retire()
      const entry = keeping.newEntry()
      const row = keyRing.requireRow()
      if (row.retired === null) store.replace({ ...row, retired: entry })
      return keeping.inKeychain(dataKey, entry)
    },
    /** Replaces how the data key is stored. */
    async replaceStorage(row: StoredKey, next: KeyProtection): Promise<void> {
      store.replace({ ...row, ...next, retired: row.entry })
      store.forget()
      await retire()
      parts.changes.notify('vault')
    },
    /** Replaces the data key. From now on, both keys open the values they encrypted. */
    replaceDataKey(row: StoredKey, next: KeyProtection, dataKey: Buffer): void {
      const { seal, fingerprint } = keyRing.requireOpen()
      const newKeys = deriveKeys(dataKey)
      store.replace({
        ...row,
        ...next,
        proof: proofOf(dataKey),
        fingerprint: sealOwnKey(newKeys.seal, random, 'fingerprint-key', fingerprint),
        previous: sealOwnKey(newKeys.seal, random, 'previous-key', seal),
        retired: row.entry,
      })
      wipeKeys(newKeys)
    },
    /** Completes an unfinished rekeying if the vault is open. Never rejects. */
    finish(): Promise<void> {
      if (running !== null) return running
      if (!keyRing.isOpen()) return Promise.resolve()
      const run = async (): Promise<void> => {
        if (keyRing.isRekeying()) await reencryptAll()
        await retire()
      }
      running = run()
        .catch((error: unknown) => {
          if (!(error instanceof Failure && error.problem.code === 'VAULT_LOCKED'))
            parts.report('vault rekeying', error)
        })
        .finally(() => {
          running = null
        })
      return running
    },
  }
}
