import type { Database } from 'better-sqlite3'
import type { Problem } from '../../../contract/base.ts'
import type { Withdrawal } from '../../../contract/offers/withdrawals.ts'
import { failure } from '../../failure.ts'
import { readProblem } from '../../stored-problem.ts'

/**
 * `pieceKey`: the Idempotency-Key of the request whose response is missing; null if there is none.
 * `pieceRepeatable`: it was sent, so that a repetition returns the same keys. `pieceAt`: when it was
 * first sent; null if an older version sent it.
 */
export type StoredWithdrawal = {
  withdrawalId: string
  offerId: string
  name: string
  asked: number | null
  wanted: number
  stockBefore: number
  state: Withdrawal['state']
  problem: Problem | null
  at: number
  pieceKey: string | null
  pieceCount: number
  pieceRepeatable: boolean
  pieceAt: number | null
}
type Row = {
  withdrawal_id: string
  offer_id: string
  name: string
  asked: number | null
  wanted: number
  stock_before: number
  state: Withdrawal['state']
  problem: string | null
  at: number
  piece_key: string | null
  piece_count: number
  piece_repeatable: number
  piece_at: number | null
}

const storedOf = (row: Row): StoredWithdrawal => ({
  withdrawalId: row.withdrawal_id,
  offerId: row.offer_id,
  name: row.name,
  asked: row.asked,
  wanted: row.wanted,
  stockBefore: row.stock_before,
  state: row.state,
  problem: readProblem(row.problem),
  at: row.at,
  pieceKey: row.piece_key,
  pieceCount: row.piece_count,
  pieceRepeatable: row.piece_repeatable === 1,
  pieceAt: row.piece_at,
})

/** The journal of withdrawals, and the encrypted keys they returned. */
export function withdrawalStore(db: Database) {
  const all = (condition: string, values: object): StoredWithdrawal[] =>
    (
      db
        .prepare(
          `SELECT * FROM offer_withdrawals WHERE ${condition} ORDER BY at DESC, withdrawal_id LIMIT 200`,
        )
        .all(values) as Row[]
    ).map(storedOf)
  const kept = (withdrawalId: string): number =>
    db
      .prepare('SELECT count(*) FROM withdrawn_keys WHERE withdrawal_id = :withdrawalId')
      .pluck()
      .get({ withdrawalId }) as number
  return {
    kept,
    transaction: (work: () => void): void => void db.transaction(work)(),
    find: (withdrawalId: string): StoredWithdrawal | undefined =>
      all('withdrawal_id = :withdrawalId', { withdrawalId })[0],
    list: (offerId: string | null): StoredWithdrawal[] =>
      all('(:offerId IS NULL OR offer_id = :offerId)', { offerId }),
    open: (): StoredWithdrawal[] => all("state = 'sending'", {}),
    view: ({
      withdrawalId,
      offerId,
      name,
      asked,
      state,
      problem,
      at,
    }: StoredWithdrawal): Withdrawal => ({
      withdrawalId,
      offerId,
      name,
      asked,
      state,
      problem,
      at,
      kept: kept(withdrawalId),
    }),
    begin(
      row: Pick<
        StoredWithdrawal,
        'withdrawalId' | 'offerId' | 'name' | 'asked' | 'wanted' | 'stockBefore' | 'at'
      >,
    ): void {
      db.prepare(
        `
        INSERT OR REPLACE INTO offer_withdrawals (withdrawal_id, offer_id, name, asked, wanted,
          stock_before, state, at, piece_count)
        VALUES (:withdrawalId, :offerId, :name, :asked, :wanted, :stockBefore, 'sending', :at, 0)`,
      ).run(row)
    },
    /** Records a request before it is sent. */
    beginPiece(piece: {
      withdrawalId: string
      idempotencyKey: string
      pieceCount: number
      isRepeatable: boolean
      at: number
    }): void {
      db.prepare(
        `UPDATE offer_withdrawals SET piece_key = :idempotencyKey, piece_count = :pieceCount,
          piece_repeatable = :isRepeatable, piece_at = :at WHERE withdrawal_id = :withdrawalId`,
      ).run({ ...piece, isRepeatable: piece.isRepeatable ? 1 : 0 })
    },
    want: (withdrawalId: string, wanted: number): void =>
      void db
        .prepare(
          'UPDATE offer_withdrawals SET wanted = :wanted, piece_key = NULL WHERE withdrawal_id = :withdrawalId',
        )
        .run({ withdrawalId, wanted }),
    endPiece: (withdrawalId: string): void =>
      void db
        .prepare(
          'UPDATE offer_withdrawals SET piece_key = NULL WHERE withdrawal_id = :withdrawalId',
        )
        .run({ withdrawalId }),
    settle(withdrawalId: string, state: Withdrawal['state'], problem: Problem | null): void {
      db.prepare(
        `UPDATE offer_withdrawals SET state = :state, problem = :problem, piece_key = NULL
          WHERE withdrawal_id = :withdrawalId`,
      ).run({ withdrawalId, state, problem: problem === null ? null : JSON.stringify(problem) })
    },
    add(key: {
      withdrawalId: string
      position: number
      offerId: string
      masked: string
      sealed: Buffer
      fingerprint: Buffer
      at: number
    }): void {
      db.prepare(
        `INSERT INTO withdrawn_keys (withdrawal_id, position, offer_id, masked, sealed, fingerprint,
          withdrawn_at) VALUES (:withdrawalId, :position, :offerId, :masked, :sealed, :fingerprint, :at)`,
      ).run(key)
    },
    /** The latest withdrawal that still stores a key with this fingerprint. */
    holding: (
      fingerprint: Buffer,
    ): { withdrawalId: string; position: number; masked: string; sealed: Buffer } | undefined =>
      db
        .prepare(
          `SELECT withdrawal_id AS withdrawalId, position, masked, sealed FROM withdrawn_keys
            WHERE fingerprint = :fingerprint ORDER BY withdrawn_at DESC LIMIT 1`,
        )
        .get({ fingerprint }) as
        | { withdrawalId: string; position: number; masked: string; sealed: Buffer }
        | undefined,
    keys: (
      withdrawalId: string,
      offset: number,
      limit: number,
    ): { position: number; masked: string }[] =>
      db
        .prepare(
          `SELECT position, masked FROM withdrawn_keys WHERE withdrawal_id = :withdrawalId ORDER BY position
            LIMIT :limit OFFSET :offset`,
        )
        .all({ withdrawalId, limit, offset }) as { position: number; masked: string }[],
    sealed: (withdrawalId: string, position: number): Buffer | undefined =>
      db
        .prepare(
          'SELECT sealed FROM withdrawn_keys WHERE withdrawal_id = :withdrawalId AND position = :position',
        )
        .pluck()
        .get({ withdrawalId, position }) as Buffer | undefined,
  }
}
export type WithdrawalStore = ReturnType<typeof withdrawalStore>

/** The withdrawal with this id. Throws Failure `NOT_FOUND`. */
export function requireWithdrawal(store: WithdrawalStore, withdrawalId: string): StoredWithdrawal {
  const found = store.find(withdrawalId)
  if (found === undefined)
    throw failure(
      'NOT_FOUND',
      'Withdrawal not found on this computer.',
      'Check the offer’s list of withdrawals.',
    )
  return found
}
