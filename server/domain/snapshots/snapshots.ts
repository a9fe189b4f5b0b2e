import { ApiError, validationError } from '../../api/errors.ts'
import { type Context, instantText } from '../context.ts'
import { beginHistory } from '../catalogue/history.ts'
import { demoSettings } from '../access/demo-keys.ts'
import type { ApiKeys } from '../access/api-keys.ts'
import { reachCrashPoint } from '../crash-points.ts'
import type { ApiKeyRecord } from '../ports/accounts.ts'
import { createLedger } from '../ledger/ledger.ts'
import type {
  PreparedState,
  RestoreProblem,
  SnapshotFacts,
  SnapshotRepository,
  StateDifference,
} from '../ports/snapshots.ts'
import type { Repositories } from '../ports/repositories.ts'

export interface Snapshots {
  save(name: string): Promise<SnapshotFacts>
  list(): SnapshotFacts[]
  /** Deletes a snapshot permanently. NOT_FOUND when it doesn't exist. */
  remove(name: string): void
  /**
   * Compares a snapshot with another one, or with the present state. NOT_FOUND when one doesn't
   * exist. VALIDATION_ERROR when another version wrote it.
   */
  compare(from: string, to: string | null): Promise<StateDifference[]>
  /**
   * Prepares a restore of the complete saved state, including the clock's offset; call `adopt` on
   * it. The demo keys of this start stay valid if their accounts exist in the snapshot; those of
   * other starts are revoked. NOT_FOUND when the snapshot doesn't exist. VALIDATION_ERROR when a
   * newer version wrote it, when it can't be read, or when its ledger can't be proved.
   */
  open(name: string): Promise<{ facts: SnapshotFacts; state: PreparedState }>
}

const refusals: Readonly<Record<Exclude<RestoreProblem, 'absent'>, string>> = {
  newer: 'was written by a newer version',
  unreadable: 'can not be read',
}

const notFound = (): ApiError => new ApiError('NOT_FOUND', 'Snapshot not found.')

/** The keys of the demo accounts that are valid in a state. */
const validDemoKeys = ({ settings, accounts }: Repositories): ApiKeyRecord[] =>
  Object.values(demoSettings)
    .flatMap((name) => settings.get(name) ?? [])
    .flatMap((id) => accounts.keysOf(id))
    .filter(({ origin, revokedAt }) => origin === 'demo' && revokedAt === null)

/** Makes these demo keys the valid ones, where their accounts exist. */
function carryOver(state: Repositories, keys: readonly ApiKeyRecord[], revokedAt: number): void {
  const { accounts } = state
  const kept = new Set(keys.map(({ id }) => id))
  for (const { id } of validDemoKeys(state)) if (!kept.has(id)) accounts.revokeKey(id, revokedAt)
  for (const key of keys) {
    const account =
      key.owner === 'partner' ? accounts.partner(key.accountId) : accounts.seller(key.accountId)
    if (account && !accounts.key(key.id)) accounts.insertKey(key)
  }
}

/** Snapshots on the dashboard interface. */
export function createSnapshots(
  { store, clock, random }: Context,
  snapshots: SnapshotRepository,
  keys: ApiKeys,
): Snapshots {
  async function complete(state: PreparedState, { createdAt }: SnapshotFacts): Promise<void> {
    if (!(await createLedger(state).proveInPieces()).ok)
      throw validationError({ field: 'name', message: "has a ledger that doesn't add up" })
    state.transaction(() => {
      carryOver(state, validDemoKeys(store), createdAt)
      beginHistory(state.settings, random)
    })
    await state.complete()
    reachCrashPoint('restore.copied')
  }

  return {
    save(name) {
      keys.flush()
      return snapshots.save(name, clock.now())
    },
    list: () => snapshots.list(),
    remove(name) {
      if (!snapshots.remove(name)) throw notFound()
    },
    async compare(from, to) {
      keys.flush()
      const found = await snapshots.compare(from, to)
      if (found === 'absent') throw notFound()
      if (found === 'other')
        throw validationError({
          field: 'name',
          message: 'was written by another version: restore it and save it again',
        })
      const timeOf = (name: string | null): { time: string } => {
        const saved = snapshots.list().find((snapshot) => snapshot.name === name)
        return { time: instantText(saved?.createdAt ?? clock.now()) }
      }
      // The stored offset of the clock says little to a person.
      return found.map((difference) =>
        difference.area === 'clock'
          ? { ...difference, before: timeOf(from), after: timeOf(to) }
          : difference,
      )
    },
    async open(name) {
      const opened = await snapshots.open(name)
      if (opened === 'absent') throw notFound()
      if (typeof opened === 'string')
        throw validationError({ field: 'name', message: refusals[opened] })
      try {
        await complete(opened.state, opened.facts)
      } catch (error) {
        opened.state.discard()
        throw error
      }
      return opened
    },
  }
}
