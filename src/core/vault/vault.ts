import type { LockReason, VaultState } from '../../contract/vault.ts'
import type { Reencrypt, Vault } from '../context.ts'
import { Failure, failure } from '../failure.ts'
import { damaged, rekeying, shut, unset } from './failures.ts'
import { createKeeping, isDataKey, proofOf } from './keeping.ts'
import type { Keeping } from './keeping.ts'
import type { VaultParts } from './parts.ts'
import { scryptCost } from './passphrase.ts'
import { openRecovery, writeRecovery } from './recovery.ts'
import { deriveKeys, fingerprintOf, opens, openValue, sealValue } from './sealing.ts'
import type { VaultKeys } from './sealing.ts'
import { createVaultStore } from './store.ts'
import type { KeptKey } from './store.ts'

export { costSchema, deriveFrom, scryptCost } from './passphrase.ts'
export type { ScryptCost } from './passphrase.ts'
export { openValue, sealValue } from './sealing.ts'
export { vaultSchema } from './store.ts'

export interface VaultFeature extends Vault {
  state(): VaultState
  /**
   * Opens the vault with the keychain if it responds; creates the data key at the first start.
   * Never throws for a missing keychain.
   */
  begin(): Promise<void>
  choosePassphrase(passphrase: string): Promise<VaultState>
  unlock(passphrase: string): Promise<VaultState>
  unlockWithKeychain(): Promise<VaultState>
  lock(by?: LockReason): VaultState
  /** Called after the vault was locked: release decrypted data. */
  onLock(task: () => void): void
  onOpen(task: () => void): void
  rekey(passphrase: string | null): Promise<VaultState>
  /**
   * Resumes a rekeying that was interrupted, if the vault is open. Resolves when none is in
   * progress. Call it once all accounts are loaded.
   */
  goOn(): Promise<void>
  keep(
    passphrase: string | null,
    as: { kept: 'keychain' } | { kept: 'passphrase'; passphrase: string },
  ): Promise<VaultState>
  recoveryCopy(passphrase: string | null, wrapWith: string): Promise<Buffer>
  recover(copy: Buffer, passphrase: string, newPassphrase: string | null): Promise<VaultState>
  /** The keychain entry of the data key; null when the keychain doesn't hold it. */
  entry(): string | null
}

/** The record ID under which the vault encrypts its own keys. */
const OWN = 'vault'

/**
 * The encrypted store of delivered keys and keys that wait for upload. It has one data key per data
 * folder, stored in the keychain or wrapped with a passphrase.
 */
export function createVault(parts: VaultParts): VaultFeature {
  const { clock, random, changes, activity, values, cost = scryptCost } = parts
  const store = createVaultStore(parts.database)
  const keeping = createKeeping(parts.keychain, random, cost)
  const onLock: (() => void)[] = []
  const onOpen: (() => void)[] = []
  let keys: VaultKeys | null = null
  /** The previous sealing key while a rekeying is unfinished. */
  let previous: Buffer | null = null
  let locked = false
  let lockedBy: LockReason | null = null
  let holds = 0
  let openedAt: number | null = null
  let resealing: Promise<void> | null = null
  /** Whether all accounts are loaded. A rekeying before that would miss their values. */
  let complete = false

  const isOpen = (): boolean => keys !== null && !locked
  function state(): VaultState {
    const row = store.read()
    const kept = row?.kept ?? 'none'
    return {
      state: isOpen() ? 'open' : row === null ? 'unset' : 'locked',
      kept,
      entries: values.count(),
      openedAt: isOpen() ? openedAt : null,
      rekeying: row !== null && row.previous !== null,
      lockedBy,
    }
  }
  const note = (what: string, detail: string): void =>
    activity.add({
      accountId: null,
      what,
      detail,
      outcome: 'ok',
      code: null,
      status: null,
      requestId: null,
      durationMs: null,
    })
  function wipe(): void {
    for (const key of [keys?.seal, keys?.fingerprint, previous]) key?.fill(0)
    keys = null
    previous = null
  }
  /** Derives the keys from a data key, then wipes it. */
  function opened(dataKey: Buffer): VaultState {
    const row = demandRow()
    wipe()
    keys = deriveKeys(dataKey)
    dataKey.fill(0)
    if (row.fingerprint !== null)
      keys.fingerprint = openValue(keys.seal, OWN, 'fingerprint-key', row.fingerprint)
    if (row.previous !== null) previous = openValue(keys.seal, OWN, 'previous-key', row.previous)
    locked = false
    openedAt = clock.now()
    for (const task of onOpen) task()
    changes.notify('vault')
    if (complete && (row.previous !== null || row.retired !== null)) void finishRekeying()
    return state()
  }
  function demandRow(): KeptKey {
    const row = store.read()
    if (row === null) throw unset()
    return row
  }
  /** The keys for new work. */
  function demand(): VaultKeys {
    if (keys === null || locked) {
      demandRow()
      throw shut()
    }
    if (previous !== null) throw rekeying()
    return keys
  }
  /** The keys for work that started before the vault was locked or rekeyed. */
  function inHand(): VaultKeys {
    if (keys === null || (locked && holds === 0)) return demand()
    return keys
  }

  /** Creates the data key of a new data folder. */
  async function create(): Promise<void> {
    const dataKey = random.bytes(32)
    store.write(
      {
        ...(await keeping.inKeychain(dataKey, keeping.newEntry())),
        proof: proofOf(dataKey),
        fingerprint: null,
        previous: null,
        retired: null,
      },
      clock.now(),
    )
    opened(dataKey)
  }

  const reseal: Reencrypt = (accountId, recordId, sealed) => {
    if (keys === null || locked) throw shut()
    if (previous === null || opens(keys.seal, accountId, recordId, sealed) !== null) return null
    const value = opens(previous, accountId, recordId, sealed)
    if (value === null) throw damaged()
    return sealValue(keys.seal, random.bytes(12), accountId, recordId, value)
  }
  async function resealAll(): Promise<void> {
    let sum = { values: 0, unreadable: 0 }
    for (const accountId of values.accounts()) {
      if (!values.accounts().includes(accountId)) continue
      const { values: count, unreadable } = await values.reseal(accountId, reseal)
      sum = { values: sum.values + count, unreadable: sum.unreadable + unreadable }
    }
    values.removeCopies()
    store.replace({ ...demandRow(), previous: null })
    store.forget()
    previous?.fill(0)
    previous = null
    const unreadable =
      sum.unreadable === 0
        ? ''
        : `. Damaged before and still unreadable: ${sum.unreadable.toLocaleString('en')}`
    note(
      'Vault key changed',
      `${sum.values.toLocaleString('en')} values encrypted with the new key${unreadable}`,
    )
    changes.notify('vault')
  }
  async function retire(): Promise<void> {
    const { retired, entry } = demandRow()
    if (retired === null || (retired !== entry && !(await keeping.retire(retired)))) return
    const row = demandRow()
    if (row.retired === retired) store.replace({ ...row, retired: null })
  }
  /**
   * Stores a data key in a new keychain entry. The entry's name is recorded first, so that after a
   * kill in between it is deleted at the next opening.
   */
  async function newEntry(dataKey: Buffer): Promise<Keeping> {
    await retire()
    const entry = keeping.newEntry()
    const row = demandRow()
    if (row.retired === null) store.replace({ ...row, retired: entry })
    return keeping.inKeychain(dataKey, entry)
  }
  function finishRekeying(): Promise<void> {
    if (resealing !== null) return resealing
    if (!isOpen()) return Promise.resolve()
    const run = async (): Promise<void> => {
      if (previous !== null) await resealAll()
      await retire()
    }
    resealing = run()
      .catch((error: unknown) => {
        if (!(error instanceof Failure && error.problem.code === 'VAULT_LOCKED'))
          parts.report('vault rekeying', error)
      })
      .finally(() => {
        resealing = null
      })
    return resealing
  }

  /** Rejects the change while work uses values under the old key. */
  function demandQuiet(): KeptKey {
    const row = demandRow()
    demand()
    if (row.previous !== null || holds > 0)
      throw failure(
        'CONFLICT',
        'Keys are being downloaded, planned or encrypted right now.',
        'Try again when that’s finished.',
        { effect: 'Nothing was changed.' },
      )
    return row
  }
  const anew = (dataKey: Buffer, row: KeptKey, passphrase: string | null): Promise<Keeping> =>
    row.kept === 'keychain' ? newEntry(dataKey) : keeping.underPassphrase(dataKey, passphrase ?? '')

  /** Replaces how the data key is stored. */
  async function keepAs(row: KeptKey, next: Keeping): Promise<void> {
    store.replace({ ...row, ...next, retired: row.entry })
    store.forget()
    await retire()
    changes.notify('vault')
  }

  return {
    state,
    entry: () => store.read()?.entry ?? null,
    onLock: (task) => void onLock.push(task),
    onOpen: (task) => void onOpen.push(task),
    async begin() {
      const kept = store.read()
      if (kept?.kept === 'passphrase') return
      try {
        if (kept === null) await create()
        else opened(await keeping.dataKey(kept, null))
      } catch {
        changes.notify('vault')
      }
    },
    async choosePassphrase(passphrase) {
      const taken = (): Failure =>
        failure('CONFLICT', 'The vault already has a key.', 'Unlock it instead.')
      if (store.read() !== null) throw taken()
      const dataKey = random.bytes(32)
      const kept = await keeping.underPassphrase(dataKey, passphrase)
      if (store.read() !== null) throw taken()
      store.write(
        { ...kept, proof: proofOf(dataKey), fingerprint: null, previous: null, retired: null },
        clock.now(),
      )
      return opened(dataKey)
    },
    async unlock(passphrase) {
      const kept = store.read()
      if (kept === null)
        throw failure('VAULT_UNSET', 'The vault has no passphrase yet.', 'Choose one.')
      if (kept.wrapped === null)
        throw failure(
          'CONFLICT',
          'This vault is unlocked with the keychain, not with a passphrase.',
          'Unlock it with the keychain.',
        )
      return opened(await keeping.dataKey(kept, passphrase))
    },
    async unlockWithKeychain() {
      const kept = store.read()
      if (kept?.kept === 'passphrase')
        throw failure(
          'CONFLICT',
          'This vault is unlocked with its passphrase.',
          'Enter the passphrase.',
        )
      if (kept !== null) return opened(await keeping.dataKey(kept, null))
      await create().catch(() => {
        throw failure(
          'KEYCHAIN_MISSING',
          'This computer’s keychain isn’t responding.',
          'Choose a passphrase for the vault instead.',
        )
      })
      return state()
    },
    lock(by = 'person') {
      if (isOpen()) lockedBy = by
      locked = true
      openedAt = null
      if (holds === 0) wipe()
      for (const task of onLock) task()
      changes.notify('vault')
      return state()
    },
    async rekey(passphrase) {
      const row = demandQuiet()
      const old = await keeping.dataKey(row, passphrase)
      old.fill(0)
      const dataKey = random.bytes(32)
      const next = await anew(dataKey, row, passphrase)
      const { seal, fingerprint } = keys === null || locked ? demand() : keys
      if (holds > 0) demandQuiet()
      const under = deriveKeys(dataKey).seal
      const own = (record: string, value: Buffer): Buffer =>
        sealValue(under, random.bytes(12), OWN, record, value)
      // From now on, both keys open the values they encrypted, whatever happens.
      store.replace({
        ...row,
        ...next,
        proof: proofOf(dataKey),
        fingerprint: own('fingerprint-key', fingerprint),
        previous: own('previous-key', seal),
        retired: row.entry,
      })
      under.fill(0)
      opened(dataKey)
      await finishRekeying()
      return state()
    },
    goOn() {
      complete = true
      return finishRekeying()
    },
    async keep(passphrase, as) {
      const row = demandQuiet()
      const dataKey = await keeping.dataKey(row, passphrase)
      const next =
        as.kept === 'keychain'
          ? await newEntry(dataKey)
          : await keeping.underPassphrase(dataKey, as.passphrase)
      dataKey.fill(0)
      await keepAs(row, next)
      note(
        'Vault protection changed',
        as.kept === 'keychain'
          ? 'The key is in the keychain'
          : 'The key is wrapped with a passphrase',
      )
      return state()
    },
    async recoveryCopy(passphrase, wrapWith) {
      const row = demandQuiet()
      const dataKey = await keeping.dataKey(row, passphrase)
      try {
        return await writeRecovery(dataKey, row.proof, wrapWith, { random, cost, now: clock.now() })
      } finally {
        dataKey.fill(0)
        note('Recovery copy created', 'The vault’s key, wrapped with its own passphrase')
      }
    },
    async recover(copy, passphrase, newPassphrase) {
      const row = demandRow()
      const dataKey = await openRecovery(copy, passphrase)
      if (!isDataKey(dataKey, row.proof))
        throw failure(
          'CONFLICT',
          'This recovery copy belongs to another vault, or was made before the vault’s key changed.',
          'Use the newest recovery copy of this vault.',
          { effect: 'Nothing was changed.' },
        )
      await keepAs(
        row,
        newPassphrase === null
          ? await newEntry(dataKey)
          : await keeping.underPassphrase(dataKey, newPassphrase),
      )
      note('Vault recovered', 'With its recovery copy')
      return opened(dataKey)
    },
    async holdUnlocked(work) {
      demand()
      holds += 1
      try {
        return await work()
      } finally {
        holds -= 1
        if (locked && holds === 0) wipe()
      }
    },
    assertUnlocked: () => void demand(),
    seal: (accountId, recordId, value) =>
      sealValue(inHand().seal, random.bytes(12), accountId, recordId, value),
    open(accountId, recordId, sealed) {
      if (keys === null || locked) throw shut()
      const value =
        opens(keys.seal, accountId, recordId, sealed) ??
        (previous === null ? null : opens(previous, accountId, recordId, sealed))
      if (value === null) throw damaged()
      return value
    },
    fingerprint: (keySha256) => fingerprintOf(inHand().fingerprint, keySha256),
    material() {
      const { seal, fingerprint } = demand()
      return { seal: Buffer.from(seal), fingerprint: Buffer.from(fingerprint) }
    },
  }
}
