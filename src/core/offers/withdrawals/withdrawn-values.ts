import type { Database } from 'better-sqlite3'
import type { OffersContext } from '../context.ts'
import { withdrawnKeyRecord } from '../schema.ts'

const CHUNK_SIZE = 1000
export type WithdrawnValue = { position: number; value: string }

/**
 * The keys of a withdrawal that are in the vault, in plain text, in the order in which the service
 * returned them. Throws Failure `VAULT_LOCKED`.
 */
export function* withdrawnValues(
  vault: OffersContext['vault'],
  db: Database,
  accountId: string,
  withdrawalId: string,
): Generator<WithdrawnValue, void, void> {
  const next = db.prepare<
    { withdrawalId: string; after: number },
    { position: number; sealed: Buffer }
  >(
    `SELECT position, sealed FROM withdrawn_keys WHERE withdrawal_id = :withdrawalId AND position > :after
      ORDER BY position LIMIT ${CHUNK_SIZE}`,
  )
  for (let after = -1; ;) {
    const rows = next.all({ withdrawalId, after })
    for (const { position, sealed } of rows)
      yield {
        position,
        value: vault
          .open(accountId, withdrawnKeyRecord(withdrawalId, position), sealed)
          .toString('utf8'),
      }
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.position
  }
}

/** Deletes keys of a finished withdrawal from the vault once they are on their offer again. */
export function releaseWithdrawn(
  db: Database,
  withdrawalId: string,
  positions: readonly number[],
): void {
  const remove = db.prepare<{ withdrawalId: string; position: number }>(
    'DELETE FROM withdrawn_keys WHERE withdrawal_id = :withdrawalId AND position = :position',
  )
  for (const position of positions) remove.run({ withdrawalId, position })
}
