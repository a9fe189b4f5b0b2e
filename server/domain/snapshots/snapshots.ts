import { ApiError, validationError } from '../../api/errors.ts'
import type { Context } from '../context.ts'
import { demoSettings } from '../access/demo-keys.ts'
import type { ApiKeys } from '../access/api-keys.ts'
import { reachCrashPoint } from '../crash-points.ts'
import type { ApiKeyRecord } from '../ports/accounts.ts'
import type { RestoreProblem, SnapshotFacts } from '../ports/snapshots.ts'

export interface Snapshots {
  save(name: string): SnapshotFacts
  list(): SnapshotFacts[]
  /** Takes a saved state away for good. NOT_FOUND without such a snapshot. */
  remove(name: string): void
  /**
   * The whole state as it was saved, the clock's offset included; nothing due may run meanwhile.
   * The demo accounts' keys of this start stay valid where the accounts are there, those of another
   * start don't come back. NOT_FOUND without such a snapshot; VALIDATION_ERROR for one that a newer
   * program wrote, that can't be read, or whose ledger doesn't prove.
   */
  restore(name: string): SnapshotFacts
}

const refusals: Readonly<Record<Exclude<RestoreProblem, 'absent'>, string>> = {
  newer: 'was written by a newer version',
  unreadable: 'can not be read',
}

const absent = (): ApiError => new ApiError('NOT_FOUND', 'There is no such snapshot.')

/** Saved states of the dashboard interface. `proven` says whether the restored ledger adds up. */
export function createSnapshots(
  { store, clock }: Context,
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
      if (!store.snapshots.remove(name)) throw absent()
    },
    restore(name) {
      const demoKeys = validDemoKeys()
      const outcome = store.snapshots.restore(name, (saved) => {
        if (!proven())
          throw validationError({ field: 'name', message: 'has a ledger that does not add up' })
        const kept = new Set(demoKeys.map(({ id }) => id))
        for (const { id } of validDemoKeys())
          if (!kept.has(id)) store.accounts.revokeKey(id, saved.createdAt)
        for (const key of demoKeys) carryOver(key)
      })
      if (outcome === 'absent') throw absent()
      if (typeof outcome === 'string')
        throw validationError({ field: 'name', message: refusals[outcome] })
      reachCrashPoint('restore.committed')
      return outcome
    },
  }
}
