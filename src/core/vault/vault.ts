import type { LockReason, VaultState } from '../../contract/app/vault.ts'
import { localized } from '../../contract/localization/localized.ts'
import type { Vault } from '../context.ts'
import { failure } from '../failure.ts'
import type { Failure } from '../failure.ts'
import { createKeyProtection, isDataKey, proofOf } from './keys/key-protection.ts'
import type { KeyProtection } from './keys/key-protection.ts'
import { createKeyRing } from './keys/key-ring.ts'
import type { VaultParts } from './parts.ts'
import { scryptCost } from './keys/passphrase.ts'
import { openRecovery, writeRecovery } from './keys/recovery.ts'
import { createRekeying } from './keys/rekeying.ts'
import { fingerprintOf, sealValue } from './keys/sealing.ts'
import { createAttempts } from './protection/attempts.ts'
import { createSecurityLog } from './protection/security-log.ts'
import { createSecondProof } from './protection/second-proof.ts'
import type { SecondProof } from './protection/second-proof.ts'
import { createSecurityPassphrase } from './protection/security-passphrase.ts'
import { createAttemptStore, createSecurityPassphraseStore, createVaultStore } from './store.ts'
import type { StoredKey } from './store.ts'

export { costSchema, deriveFrom, scryptCost } from './keys/passphrase.ts'
export type { ScryptCost } from './keys/passphrase.ts'
export { confirmPlainExport } from './exports/plain-export.ts'
export { openValue, sealParts } from './keys/sealing.ts'
export { createVaultStore, hasStoredKey, vaultSchema } from './store.ts'
export type { StoredKey } from './store.ts'

export interface VaultFeature extends Vault {
  state(): VaultState
  /**
   * Opens the vault with the keychain if it responds; creates the data key at the first start.
   * Never throws for a missing keychain.
   */
  start(): Promise<void>
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
  resumeRekeying(): Promise<void>
  changeProtection(
    passphrase: string | null,
    as: { kept: 'keychain' } | { kept: 'passphrase'; passphrase: string },
  ): Promise<VaultState>
  recoveryCopy(passphrase: string | null, wrapWith: string): Promise<Buffer>
  recover(copy: Buffer, passphrase: string, newPassphrase: string | null): Promise<VaultState>
  /** What has to be proven before keys leave the vault or its protection changes. */
  secondProof: SecondProof
  /** The keychain entry of the data key; null when the keychain doesn't hold it. */
  entry(): string | null
  /** Identifies the data key, and reveals nothing else of it; null before there is one. */
  keyId(): string | null
}

/**
 * The encrypted store of delivered keys and keys that wait for upload. It has one data key per data
 * folder, stored in the keychain or wrapped with a passphrase.
 */
export function createVault(parts: VaultParts): VaultFeature {
  const { clock, random, changes, values, cost = scryptCost } = parts
  const store = createVaultStore(parts.database, parts.safetyCopy)
  const keeping = createKeyProtection(parts.keychain, random, cost)
  const keyRing = createKeyRing({ store, clock, random })
  const log = createSecurityLog(parts)
  const { note } = log
  const attempts = createAttempts({ store: createAttemptStore(parts.database), clock, log })
  const rekeying = createRekeying({ ...parts, store, keeping, keyRing, note })
  const onLock: (() => void)[] = []
  const onOpen: (() => void)[] = []
  /** Whether all accounts are loaded. A rekeying before that would miss their values. */
  let accountsLoaded = false

  function state(): VaultState {
    const row = store.read()
    return {
      state: keyRing.isOpen() ? 'open' : row === null ? 'unset' : 'locked',
      kept: row?.kept ?? 'none',
      entries: values.count(),
      openedAt: keyRing.openedAt(),
      rekeying: row !== null && row.previous !== null,
      lockedBy: keyRing.lockedBy(),
    }
  }
  /** Opens the vault with its data key, then wipes the data key. */
  function openWith(dataKey: Buffer): void {
    const row = keyRing.requireRow()
    keyRing.load(dataKey, row)
    for (const task of onOpen) task()
    changes.notify('vault')
    if (accountsLoaded && (row.previous !== null || row.retired !== null)) void rekeying.finish()
  }
  /** Stores the first data key of a new data folder and opens the vault. */
  function createWith(dataKey: Buffer, kept: KeyProtection): void {
    store.write(
      { ...kept, proof: proofOf(dataKey), fingerprint: null, previous: null, retired: null },
      clock.now(),
    )
    openWith(dataKey)
  }
  async function createInKeychain(): Promise<void> {
    const dataKey = random.bytes(32)
    createWith(dataKey, await keeping.inKeychain(dataKey, keeping.newEntry()))
  }
  /** The data key. Counts a wrong passphrase; see {@link createAttempts} for its failures. */
  const dataKeyOf = (row: StoredKey, passphrase: string | null): Promise<Buffer> =>
    row.kept === 'passphrase'
      ? attempts.run(() => keeping.dataKey(row, passphrase))
      : keeping.dataKey(row, null)
  const secondProof = createSecondProof({
    clock,
    random,
    changes,
    log,
    attempts,
    passphrase: createSecurityPassphrase({
      store: createSecurityPassphraseStore(parts.database),
      clock,
      random,
      cost,
    }),
    kept: () => store.read()?.kept ?? null,
    verifyVaultPassphrase: async (passphrase) =>
      void (await dataKeyOf(keyRing.requireRow(), passphrase)).fill(0),
  })
  /** Wraps the data key again if it was wrapped at a lower cost than keys are now. */
  async function strengthen(dataKey: Buffer, passphrase: string): Promise<void> {
    const { wrapped: before } = keyRing.requireRow()
    if (before === null || !keeping.isCheap(before)) return
    const { wrapped } = await keeping.underPassphrase(dataKey, passphrase)
    const row = keyRing.requireRow()
    // Another call may have changed the protection in the meantime.
    if (row.wrapped === null || !row.wrapped.salt.equals(before.salt)) return
    store.replace({ ...row, wrapped })
    store.forget()
    note(localized('vault.strengthened'), localized('vault.strengthened-cost'))
  }
  const protect = (dataKey: Buffer, passphrase: string | null): Promise<KeyProtection> =>
    passphrase === null ? rekeying.newEntry(dataKey) : keeping.underPassphrase(dataKey, passphrase)

  return {
    state,
    secondProof,
    entry: () => store.read()?.entry ?? null,
    keyId: () => store.read()?.proof.toString('hex') ?? null,
    onLock: (task) => void onLock.push(task),
    onOpen: (task) => void onOpen.push(task),
    async start() {
      const kept = store.read()
      if (kept?.kept === 'passphrase') return
      try {
        if (kept === null) await createInKeychain()
        else openWith(await keeping.dataKey(kept, null))
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
      createWith(dataKey, kept)
      return state()
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
      const dataKey = await dataKeyOf(kept, passphrase)
      await strengthen(dataKey, passphrase)
      note(localized('vault.unlocked'), localized('vault.unlocked-by-passphrase'))
      openWith(dataKey)
      return state()
    },
    async unlockWithKeychain() {
      const kept = store.read()
      if (kept?.kept === 'passphrase')
        throw failure(
          'CONFLICT',
          'This vault is unlocked with its passphrase.',
          'Enter the passphrase.',
        )
      if (kept !== null) {
        openWith(await keeping.dataKey(kept, null))
        return state()
      }
      await createInKeychain().catch(() => {
        throw failure(
          'KEYCHAIN_MISSING',
          'This computer’s keychain isn’t responding.',
          'Choose a passphrase for the vault instead.',
        )
      })
      return state()
    },
    lock(by = 'person') {
      keyRing.lock(by)
      secondProof.forget()
      for (const task of onLock) task()
      changes.notify('vault')
      return state()
    },
    rekey: (passphrase) =>
      rekeying.alone(async () => {
        const row = rekeying.requireIdle()
        const old = await dataKeyOf(row, passphrase)
        old.fill(0)
        const dataKey = random.bytes(32)
        const next = await protect(dataKey, row.kept === 'keychain' ? null : (passphrase ?? ''))
        keyRing.requireOpen()
        if (keyRing.isHeld()) rekeying.requireIdle()
        rekeying.replaceDataKey(row, next, dataKey)
        openWith(dataKey)
        await rekeying.finish()
        return state()
      }),
    resumeRekeying() {
      accountsLoaded = true
      return rekeying.finish()
    },
    changeProtection: (passphrase, as) =>
      rekeying.alone(async () => {
        const row = rekeying.requireIdle()
        const dataKey = await dataKeyOf(row, passphrase)
        const next = await protect(dataKey, as.kept === 'keychain' ? null : as.passphrase)
        dataKey.fill(0)
        if (as.kept === 'keychain' && passphrase !== null) await secondProof.adopt(passphrase)
        await rekeying.replaceStorage(row, next)
        secondProof.protectionChanged()
        note(
          localized('vault.protection-changed'),
          localized(as.kept === 'keychain' ? 'vault.in-keychain' : 'vault.with-passphrase'),
        )
        return state()
      }),
    async recoveryCopy(passphrase, wrapWith) {
      const row = rekeying.requireIdle()
      const dataKey = await dataKeyOf(row, passphrase)
      try {
        const now = clock.now()
        const copy = await writeRecovery(dataKey, row.proof, wrapWith, { random, cost, now })
        note(localized('vault.recovery-copy-created'), localized('vault.recovery-copy-content'))
        return copy
      } finally {
        dataKey.fill(0)
      }
    },
    recover: (copy, passphrase, newPassphrase) =>
      rekeying.alone(async () => {
        const row = keyRing.requireRow()
        const dataKey = await openRecovery(copy, passphrase)
        if (!isDataKey(dataKey, row.proof))
          throw failure(
            'CONFLICT',
            'This recovery copy belongs to another vault, or was made before the vault’s key ' +
              'changed.',
            'Use the newest recovery copy of this vault.',
            { effect: 'Nothing was changed.' },
          )
        await rekeying.replaceStorage(row, await protect(dataKey, newPassphrase))
        secondProof.removePassphrase()
        note(localized('vault.recovered'), localized('vault.recovered-by-copy'))
        openWith(dataKey)
        return state()
      }),
    holdUnlocked: keyRing.hold,
    assertUnlocked: () => void keyRing.forNewWork(),
    seal: (accountId, recordId, value) =>
      sealValue(keyRing.inUse().seal, random.bytes(12), accountId, recordId, value),
    open: keyRing.open,
    fingerprint: (keySha256) => fingerprintOf(keyRing.inUse().fingerprint, keySha256),
    material() {
      const { seal, fingerprint } = keyRing.forNewWork()
      return { seal: Buffer.from(seal), fingerprint: Buffer.from(fingerprint) }
    },
  }
}
