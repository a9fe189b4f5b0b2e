import type { Database } from 'better-sqlite3'
import type { Problem } from '../../contract/base.ts'
import type { ImportUndo } from '../../contract/keys/import-reports.ts'
import { perDatabase } from '../mirror/mirror.ts'

/** An undo that waits for another one is stored in its first step. */
export type UndoState = Exclude<ImportUndo['state'], 'queued'>
export type UndoRow = {
  importNumber: number
  offer: number
  offerId: string
  product: string
  offerName: string
  platform: string
  region: string
  deliveryType: string
  importId: string
  state: UndoState
  stoppedIn: UndoState | null
  statusBefore: string | null
  withdrawalId: string
  returnId: string
  startedAt: number
  endedAt: number | null
  takenBack: number
  toReturn: number
  problem: string | null
}

const SELECT = `
  SELECT u.import_number AS importNumber, u.offer, o.offer_id AS offerId, o.product, o.name AS offerName,
    o.platform, o.region, o.delivery_type AS deliveryType,
    i.import_id AS importId, u.state, u.stopped_in AS stoppedIn,
    u.status_before AS statusBefore, u.withdrawal_id AS withdrawalId, u.return_id AS returnId,
      u.started_at AS startedAt, u.ended_at AS endedAt, u.taken_back AS takenBack,
    u.to_return AS toReturn, u.problem
  FROM import_undos u JOIN imports i ON i.number = u.import_number JOIN import_offers o
  ON o.import_number = u.import_number AND o.position = u.offer`

export const undoStore = perDatabase(createUndoStore)
export type UndoStore = ReturnType<typeof createUndoStore>

/** Stores undone imports; each step is saved when the previous one has finished. */
function createUndoStore(db: Database) {
  return {
    ...createUndoReads(db),
    ...createUndoWrites(db),
    transaction: (work: () => void): void => db.transaction(work)(),
  }
}

function createUndoReads(db: Database) {
  const find = db.prepare<{ importNumber: number; offer: number }, UndoRow>(
    `${SELECT} WHERE u.import_number = :importNumber AND u.offer = :offer`,
  )
  const ofImport = db.prepare<{ importNumber: number }, UndoRow>(
    `${SELECT} WHERE u.import_number = :importNumber ORDER BY u.offer`,
  )
  const open = db.prepare<[], UndoRow>(
    `${SELECT} WHERE u.state NOT IN ('done', 'stopped') ORDER BY u.started_at`,
  )
  const unended = db
    .prepare<[], number>("SELECT count(*) FROM import_undos WHERE state <> 'done'")
    .pluck()
  const byReturn = db.prepare<{ importId: string }, UndoRow>(
    `${SELECT} WHERE u.return_id = :importId`,
  )
  const isReturn = db.prepare<{ importId: string }>(
    'SELECT 1 FROM import_undos WHERE return_id = :importId',
  )

  return {
    find: (importNumber: number, offer: number): UndoRow | undefined =>
      find.get({ importNumber, offer }),
    ofImport: (importNumber: number): UndoRow[] => ofImport.all({ importNumber }),
    /** Undos that run without user action, oldest first. */
    open: (): UndoRow[] => open.all(),
    unended: (): number => unended.get() ?? 0,
    byReturn: (importId: string): UndoRow | undefined => byReturn.get({ importId }),
    isReturn: (importId: string): boolean => isReturn.get({ importId }) !== undefined,
  }
}

function createUndoWrites(db: Database) {
  const begin = db.prepare<{
    importNumber: number
    offer: number
    withdrawalId: string
    returnId: string
    at: number
  }>(`
    INSERT INTO import_undos (import_number, offer, state, withdrawal_id, return_id, started_at)
    VALUES (:importNumber, :offer, 'pausing', :withdrawalId, :returnId, :at)
    ON CONFLICT (import_number, offer) DO UPDATE SET state = 'pausing', withdrawal_id = excluded.withdrawal_id,
      return_id = excluded.return_id, started_at = excluded.started_at,
      ended_at = NULL, problem = NULL, stopped_in = NULL, status_before = NULL, to_return = 0`)
  const set = db.prepare<{
    importNumber: number
    offer: number
    state: UndoState
    stoppedIn: UndoState | null
    problem: string | null
    endedAt: number | null
  }>(
    `
      UPDATE import_undos SET state = :state, stopped_in = :stoppedIn, problem = :problem, ended_at = :endedAt
      WHERE import_number = :importNumber AND offer = :offer`,
  )
  const paused = db.prepare<{ importNumber: number; offer: number; status: string }>(
    `
      UPDATE import_undos SET status_before = coalesce(status_before, :status)
      WHERE import_number = :importNumber AND offer = :offer`,
  )
  const planned = db.prepare<{
    importNumber: number
    offer: number
    takenBack: number
    toReturn: number
  }>(
    `
      UPDATE import_undos SET taken_back = taken_back + :takenBack, to_return = :toReturn
      WHERE import_number = :importNumber AND offer = :offer`,
  )
  const returns = db.prepare<{ number: number; undone: number; offer: number }>(
    'INSERT OR IGNORE INTO import_returns (import_number, undone_number, offer) VALUES (:number, :undone, :offer)',
  )

  return {
    begin: (undo: {
      importNumber: number
      offer: number
      withdrawalId: string
      returnId: string
      at: number
    }): void => void begin.run(undo),
    enter: (
      { importNumber, offer }: UndoRow,
      state: UndoState,
      endedAt: number | null = null,
    ): void =>
      void set.run({ importNumber, offer, state, stoppedIn: null, problem: null, endedAt }),
    stop: ({ importNumber, offer, state }: UndoRow, problem: Problem): void =>
      void set.run({
        importNumber,
        offer,
        state: 'stopped',
        stoppedIn: state,
        problem: JSON.stringify(problem),
        endedAt: null,
      }),
    /** Saves the status of the offer before it was paused. */
    wasBefore: ({ importNumber, offer }: UndoRow, status: string): void =>
      void paused.run({ importNumber, offer, status }),
    planned: ({ importNumber, offer }: UndoRow, takenBack: number, toReturn: number): void =>
      void planned.run({ importNumber, offer, takenBack, toReturn }),
    markReturn: (number: number, undone: number, offer: number): void =>
      void returns.run({ number, undone, offer }),
  }
}
