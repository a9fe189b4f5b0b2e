import { setImmediate } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import type {
  Bulk,
  BulkKind,
  BulkLine,
  BulkResult,
  BulkOfferState,
} from '../../../contract/offers/offer-bulk.ts'
import type { Problem } from '../../../contract/base.ts'
import { prepared } from '../../mirror/mirror.ts'
import { readProblem } from '../../stored-problem.ts'

/** The states of a stored line. A skipped line is stored as refused, with the reason as its problem. */
export type LineState = Exclude<BulkResult['state'], 'skipped'>
/** SQL: whether a refused line was skipped, because its offer changed after the plan was shown. */
const IS_SKIPPED = "json_extract(problem, '$.code') IS 'CHANGED_MEANWHILE'"
/** One line in the journal. */
export type StoredLine = {
  number: number
  line: number
  subjectId: string
  name: string
  platform: string
  region: string
  deliveryType: string
  before: BulkOfferState
  after: BulkOfferState
  state: LineState
}
export type StoredBulk = {
  number: number
  bulkId: string
  kind: BulkKind
  title: string
  state: 'writing' | Bulk['state']
  undoes: string | null
  startedAt: number
  endedAt: number | null
}

type BulkRecord = {
  number: number
  bulk_id: string
  kind: BulkKind
  title: string
  state: StoredBulk['state']
  undoes: string | null
  started_at: number
  ended_at: number | null
}
type LineRecord = {
  number: number
  line: number
  subject_id: string
  name: string
  platform: string
  region: string
  delivery_type: string
  before: string
  after: string
  state: LineState
  problem: string | null
  settled_at: number | null
}

const WRITE_CHUNK_SIZE = 500
/** Number of finished bulk changes to keep; older ones are deleted. */
const KEPT_BULK_CHANGES = 50

const bulkOf = (row: BulkRecord): StoredBulk => ({
  number: row.number,
  bulkId: row.bulk_id,
  kind: row.kind,
  title: row.title,
  state: row.state,
  undoes: row.undoes,
  startedAt: row.started_at,
  endedAt: row.ended_at,
})
const lineOf = (row: LineRecord): StoredLine => ({
  number: row.number,
  line: row.line,
  subjectId: row.subject_id,
  name: row.name,
  platform: row.platform,
  region: row.region,
  deliveryType: row.delivery_type,
  before: JSON.parse(row.before) as BulkOfferState,
  after: JSON.parse(row.after) as BulkOfferState,
  state: row.state,
})

/** SQL: rejected lines first, then lines in flight, waiting, cancelled, and done. */
const RESULT_ORDER = `CASE state WHEN 'refused' THEN 0 WHEN 'sending' THEN 1 WHEN 'waiting' THEN 2
  WHEN 'cancelled' THEN 3 ELSE 4 END, line`
function resultOf(row: LineRecord): BulkResult {
  const { number: _number, line: _line, ...rest } = lineOf(row)
  const problem = readProblem(row.problem)
  const isSkipped = row.state === 'refused' && problem?.code === 'CHANGED_MEANWHILE'
  return {
    ...rest,
    state: isSkipped ? 'skipped' : row.state,
    problem,
    settledAt: row.settled_at,
  }
}

/**
 * The journal of bulk changes: every line is recorded before any is sent, and settled by its
 * response.
 */
export function bulkStore(db: Database) {
  const find = (bulkId: string): StoredBulk | undefined => {
    const row = prepared(db, 'SELECT * FROM offer_bulks WHERE bulk_id = :bulkId').get({
      bulkId,
    }) as BulkRecord | undefined
    return row === undefined ? undefined : bulkOf(row)
  }
  const setState = (number: number, state: StoredBulk['state'], endedAt: number | null): void =>
    void prepared(
      db,
      'UPDATE offer_bulks SET state = :state, ended_at = :endedAt WHERE number = :number',
    ).run({ number, state, endedAt })
  const drop = (number: number): void =>
    db.transaction(() => {
      prepared(db, 'DELETE FROM offer_bulk_lines WHERE number = :number').run({ number })
      prepared(db, 'DELETE FROM offer_bulks WHERE number = :number').run({ number })
    })()

  return {
    find,
    setState,
    transaction: (work: () => void): void => void db.transaction(work)(),
    /**
     * Writes a bulk change with all its lines. It starts only after the last line is written, so a
     * kill midway leaves nothing to send.
     */
    async write(
      bulk: Pick<StoredBulk, 'bulkId' | 'kind' | 'title' | 'undoes' | 'startedAt'>,
      lines: readonly Omit<BulkLine, 'verdict' | 'note'>[],
    ): Promise<StoredBulk> {
      const number = Number(
        prepared(
          db,
          `INSERT INTO offer_bulks (bulk_id, kind, title, state, undoes, started_at)
            VALUES (:bulkId, :kind, :title, 'writing', :undoes, :startedAt)`,
        ).run(bulk).lastInsertRowid,
      )
      const insert = prepared(
        db,
        `
        INSERT INTO offer_bulk_lines (number, line, subject_id, name, platform, region, delivery_type,
          before, after, state)
        VALUES (:number, :line, :subjectId, :name, :platform, :region, :deliveryType,
          :before, :after, 'waiting')`,
      )
      for (let from = 0; from < lines.length; from += WRITE_CHUNK_SIZE) {
        db.transaction(() => {
          for (const [index, { before, after, ...line }] of lines
            .slice(from, from + WRITE_CHUNK_SIZE)
            .entries()) {
            insert.run({
              number,
              line: from + index,
              subjectId: line.subjectId,
              name: line.name,
              platform: line.platform,
              region: line.region,
              deliveryType: line.deliveryType,
              before: JSON.stringify(before),
              after: JSON.stringify(after),
            })
          }
        })()
        await setImmediate()
      }
      setState(number, 'running', null)
      return { ...bulk, number, state: 'running', endedAt: null }
    },
    /**
     * Deletes bulk changes that were never written completely, and the oldest finished ones. Earlier
     * versions queued lines of cancelled ones again.
     */
    prune(): void {
      prepared(
        db,
        `UPDATE offer_bulk_lines SET state = 'cancelled' WHERE state = 'waiting'
          AND number IN (SELECT number FROM offer_bulks WHERE state = 'cancelled')`,
      ).run()
      const gone = prepared(
        db,
        `
        SELECT number FROM offer_bulks WHERE state = 'writing'
        UNION SELECT number FROM (SELECT number FROM offer_bulks WHERE state IN ('done', 'cancelled')
          ORDER BY number DESC LIMIT -1 OFFSET :kept)`,
      )
        .pluck()
        .all({ kept: KEPT_BULK_CHANGES }) as number[]
      for (const number of gone) drop(number)
    },
    /** Newest first. */
    all: (): StoredBulk[] =>
      (
        prepared(
          db,
          "SELECT * FROM offer_bulks WHERE state <> 'writing' ORDER BY number DESC",
        ).all() as BulkRecord[]
      ).map(bulkOf),
    /** Bulk changes that no longer run, but have lines whose outcome is unknown. */
    interrupted: (): StoredBulk[] =>
      (
        prepared(
          db,
          `
      SELECT * FROM offer_bulks WHERE state IN ('paused', 'done', 'cancelled') AND number IN (SELECT number
        FROM offer_bulk_lines WHERE state = 'sending')`,
        ).all() as BulkRecord[]
      ).map(bulkOf),
    isUndone: (bulkId: string): boolean =>
      prepared(db, 'SELECT 1 FROM offer_bulks WHERE undoes = :bulkId').get({ bulkId }) !==
      undefined,
    /** The oldest running bulk change. */
    firstRunning(): StoredBulk | undefined {
      const row = prepared(
        db,
        "SELECT * FROM offer_bulks WHERE state = 'running' ORDER BY number LIMIT 1",
      ).get() as BulkRecord | undefined
      return row === undefined ? undefined : bulkOf(row)
    },
    lines(number: number, state: LineState, limit: number): StoredLine[] {
      return (
        prepared(
          db,
          'SELECT * FROM offer_bulk_lines WHERE number = :number AND state = :state ORDER BY line LIMIT :limit',
        ).all({ number, state, limit }) as LineRecord[]
      ).map(lineOf)
    },
    /** The lines of all bulk changes that may have changed or created an offer. */
    inFlight: (): { kind: BulkKind; line: StoredLine }[] =>
      (
        prepared(
          db,
          `SELECT l.*, b.kind FROM offer_bulks b JOIN offer_bulk_lines l USING (number)
            WHERE l.state = 'sending' AND b.kind IN ('price', 'status', 'create')`,
        ).all() as (LineRecord & { kind: BulkKind })[]
      ).map((row) => ({ kind: row.kind, line: lineOf(row) })),
    mark(lines: readonly StoredLine[], state: LineState): void {
      const update = prepared(
        db,
        'UPDATE offer_bulk_lines SET state = :state WHERE number = :number AND line = :line',
      )
      db.transaction(() => {
        for (const { number, line } of lines) update.run({ number, line, state })
      })()
    },
    /** Settles a line, or queues it again unless its bulk change was cancelled. */
    settle(
      { number, line }: Pick<StoredLine, 'number' | 'line'>,
      state: 'done' | 'refused' | 'waiting',
      problem: Problem | null,
      at: number,
    ): void {
      prepared(
        db,
        `UPDATE offer_bulk_lines SET problem = :problem, settled_at = :at,
            state = CASE WHEN :state = 'waiting'
              AND (SELECT state FROM offer_bulks WHERE number = :number) = 'cancelled'
              THEN 'cancelled' ELSE :state END
          WHERE number = :number AND line = :line`,
      ).run({
        number,
        line,
        state,
        problem: problem === null ? null : JSON.stringify(problem),
        at: state === 'waiting' ? null : at,
      })
    },
    /** Queues refused lines again: those that were skipped, or the others. */
    retry(number: number, skipped: boolean): void {
      prepared(
        db,
        `UPDATE offer_bulk_lines SET state = 'waiting', problem = NULL, settled_at = NULL
          WHERE number = :number AND state = 'refused' AND ${IS_SKIPPED} = :skipped`,
      ).run({ number, skipped: Number(skipped) })
    },
    /** Refused lines to send again, with the offers that they change. */
    refusedLines: (number: number, skipped: boolean): StoredLine[] =>
      (
        prepared(
          db,
          `SELECT * FROM offer_bulk_lines WHERE number = :number AND state = 'refused'
            AND ${IS_SKIPPED} = :skipped ORDER BY line`,
        ).all({ number, skipped: Number(skipped) }) as LineRecord[]
      ).map(lineOf),
    moveAll(number: number, from: LineState, to: LineState): void {
      prepared(
        db,
        `UPDATE offer_bulk_lines SET state = :to, problem = NULL, settled_at = NULL
          WHERE number = :number AND state = :from`,
      ).run({ number, from, to })
    },
    /** Bases a line on the current state of its offer. */
    rebase({ number, line, before: planned, after }: StoredLine, before: BulkOfferState): void {
      const rebased: BulkOfferState = {
        ...after,
        ...(after.priceCents === planned.priceCents && {
          priceCents: before.priceCents,
          customerCents: before.customerCents,
        }),
        ...(after.status === planned.status && { status: before.status }),
      }
      prepared(
        db,
        `UPDATE offer_bulk_lines SET before = :before, after = :after
          WHERE number = :number AND line = :line`,
      ).run({ number, line, before: JSON.stringify(before), after: JSON.stringify(rebased) })
    },
    counts(number: number): Record<BulkResult['state'], number> {
      const rows = prepared(
        db,
        'SELECT state, count(*) AS count FROM offer_bulk_lines WHERE number = :number GROUP BY state',
      ).all({ number }) as { state: LineState; count: number }[]
      const counts = {
        waiting: 0,
        sending: 0,
        done: 0,
        refused: 0,
        skipped: 0,
        cancelled: 0,
        ...Object.fromEntries(rows.map(({ state, count }) => [state, count])),
      }
      if (counts.refused === 0) return counts
      const skipped = prepared(
        db,
        `SELECT count(*) FROM offer_bulk_lines
          WHERE number = :number AND state = 'refused' AND ${IS_SKIPPED}`,
      )
        .pluck()
        .get({ number }) as number
      return { ...counts, refused: counts.refused - skipped, skipped }
    },
    /** Rejected lines first, then lines in flight, waiting, and done. */
    results(
      number: number,
      state: BulkResult['state'] | null,
      offset: number,
      limit: number,
    ): BulkResult[] {
      const rows = prepared(
        db,
        `
        SELECT * FROM offer_bulk_lines
        WHERE number = :number AND (:state IS NULL OR state = :stored)
          AND (:state IS NULL OR :state NOT IN ('refused', 'skipped')
            OR ${IS_SKIPPED} = (:state = 'skipped'))
        ORDER BY ${RESULT_ORDER} LIMIT :limit OFFSET :offset`,
      ).all({
        number,
        state,
        stored: state === 'skipped' ? 'refused' : state,
        offset,
        limit,
      }) as LineRecord[]
      return rows.map(resultOf)
    },
    /** The numbers of all lines, in the order of their results. */
    linesByResult: (number: number): number[] =>
      prepared(
        db,
        `SELECT line FROM offer_bulk_lines WHERE number = :number ORDER BY ${RESULT_ORDER}`,
      )
        .pluck()
        .all({ number }) as number[],
    /** The results of these lines, in their order. */
    resultsOf: (number: number, lines: readonly number[]): BulkResult[] =>
      (
        prepared(
          db,
          `SELECT l.* FROM json_each(:lines) AS chosen CROSS JOIN offer_bulk_lines l
            ON l.number = :number AND l.line = chosen.value ORDER BY chosen.key`,
        ).all({ number, lines: JSON.stringify(lines) }) as LineRecord[]
      ).map(resultOf),
    /** Finished lines, read in chunks. */
    *doneLines(number: number): Generator<StoredLine, void, void> {
      for (let after = -1; ;) {
        const rows = prepared(
          db,
          `SELECT * FROM offer_bulk_lines WHERE number = :number AND state = 'done' AND line > :after
            ORDER BY line LIMIT 500`,
        ).all({ number, after }) as LineRecord[]
        yield* rows.map(lineOf)
        if (rows.length < 500) return
        after = rows.at(-1)?.line ?? after
      }
    },
  }
}
export type BulkStore = ReturnType<typeof bulkStore>
