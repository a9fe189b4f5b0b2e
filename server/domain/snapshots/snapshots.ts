import { ApiError, validationError } from '../../api/errors.ts'
import type { Context } from '../context.ts'
import { beginHistory } from '../catalogue/history.ts'
import { demoSettings } from '../access/demo-keys.ts'
import type { ApiKeys } from '../access/api-keys.ts'
import { reachCrashPoint } from '../crash-points.ts'
import type { ApiKeyRecord } from '../ports/accounts.ts'
import type { RestoreProblem, SnapshotFacts } from '../ports/snapshots.ts'

export interface Snapshots {
  save(name: string): SnapshotFacts
  list(): SnapshotFacts[]
  /** Deletes a snapshot permanently. NOT_FOUND when it doesn't exist. */
  remove(name: string): void
  /**
   * Restores the complete saved state, including the clock's offset. No due work may run during the
   * restore. The demo keys of this start stay valid if their accounts exist in the snapshot; those
   * of other starts are revoked. NOT_FOUND when the snapshot doesn't exist. VALIDATION_ERROR when a
   * newer version wrote it, when it can't be read, or when its ledger can't be proved.
   */
  restore(name: string): SnapshotFacts
}

const refusals: Readonly<Record<Exclude<RestoreProblem, 'absent'>, string>> = {
  newer: 'was written by a newer version',
  unreadable: 'can not be read',
}

const notFound = (): ApiError => new ApiError('NOT_FOUND', 'Snapshot not found.')

/** Snapshots on the dashboard interface. `proven` returns whether the restored ledger adds up. */
export function createSnapshots(
  { store, clock, random }: Context,
  keys: ApiKeys,
  proven: () => boolean,
): Snapshots {
  function validDemoKeys(): ApiKeyRecord[] {
    const accounts = Object.values(demoSettings).flatMap((name) => store.settings.get(name) ?? [])
    return accounts
      .flatMap((id) => store.accounts.keysOf(id))
      .filter(({ origin, revokedAt }) => origin === 'demo' && revokedAt === null)
  }

  function carryOver(key: ApiKeyRecord): void {
    const account =
      key.owner === 'partner'
        ? store.accounts.partner(key.accountId)
        : store.accounts.seller(key.accountId)
    if (account && !store.accounts.key(key.id)) store.accounts.insertKey(key)
  }

  return {
    save(name) {
      keys.flush()
      return store.snapshots.save(name, clock.now())
    },
    list: () => store.snapshots.list(),
    remove(name) {
      if (!store.snapshots.remove(name)) throw notFound()
    },
    restore(name) {
      const demoKeys = validDemoKeys()
      const outcome = store.snapshots.restore(name, (saved) => {
        if (!proven())
          throw validationError({ field: 'name', message: "has a ledger that doesn't add up" })
        const kept = new Set(demoKeys.map(({ id }) => id))
        for (const { id } of validDemoKeys())
          if (!kept.has(id)) store.accounts.revokeKey(id, saved.createdAt)
        for (const key of demoKeys) carryOver(key)
        beginHistory(store.settings, random)
      })
      if (outcome === 'absent') throw notFound()
      if (typeof outcome === 'string')
        throw validationError({ field: 'name', message: refusals[outcome] })
      reachCrashPoint('restore.committed')
      return outcome
    },
  }
}
