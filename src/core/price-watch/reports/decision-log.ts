import type { Database } from 'better-sqlite3'
import type { Cents } from '../../../../server/api/money.ts'
import type { DecisionReason } from '../../../contract/price-watch/price-rules.ts'
import type { OfferFacts } from '../rules/facts.ts'
import { DAY_MS } from '../../../../server/api/time.ts'

/** The inputs of a decision as stored. Cents, milliseconds; null if unknown. */
export type DecisionInputs = Pick<
  OfferFacts,
  | 'customerCents'
  | 'commissionPercent'
  | 'costCents'
  | 'isCheapest'
  | 'stock'
  | 'status'
  | 'seenAt'
  | 'bestCents'
  | 'bestAt'
  | 'ownElsewhereCents'
> & {
  revision: number | null
  targetCustomerCents: Cents | null
  floorCents: Cents | null
  ceilingCents: Cents | null
  changesToday: number
  changesInWindow: number
  lastChangeAt: number | null
  until: number | null
  /** The reason given by the pre-send check or the service. */
  note: string | null
}

export type DecisionEntry = {
  offerId: string
  at: number
  reason: DecisionReason
  ruleId: string | null
  ruleName: string | null
  beforeCents: Cents
  targetCents: Cents | null
  by: 'rule' | 'auto' | 'person'
  inputs: DecisionInputs
}
/** A decision that was made `times` times in a row, from `at` to `lastAt`. */
export type LoggedDecision = DecisionEntry & { number: number; lastAt: number; times: number }

export type DecisionFilter = {
  offerId: string | null
  reasons: readonly string[]
  from: number | null
  to: number | null
  sentOnly: boolean
}

type Row = {
  number: number
  offer_id: string
  at: number
  last_at: number
  times: number
  reason: DecisionReason
  rule_id: string | null
  rule_name: string | null
  before_cents: Cents
  target_cents: Cents | null
  by_whom: LoggedDecision['by']
  inputs: string
}
const loggedOf = (row: Row): LoggedDecision => ({
  number: row.number,
  offerId: row.offer_id,
  at: row.at,
  lastAt: row.last_at,
  times: row.times,
  reason: row.reason,
  ruleId: row.rule_id,
  ruleName: row.rule_name,
  beforeCents: row.before_cents,
  targetCents: row.target_cents,
  by: row.by_whom,
  inputs: JSON.parse(row.inputs) as DecisionInputs,
})

/** How long decisions without a change are kept; changes and sends are kept longer. */
const keepUnchangedMs = 30 * DAY_MS
const keepChangesMs = 400 * DAY_MS
/** Repeats are counted in memory and written in batches of this size. */
const FLUSH_CHUNK_SIZE = 500

const SEND_REASONS = "('applied', 'last-check', 'refused', 'answer-lost')"

/**
 * The fields that distinguish a decision from the previous one. Reading times and change counts
 * don't.
 */
type DecisionIdentity = Pick<
  DecisionEntry,
  'reason' | 'ruleId' | 'beforeCents' | 'targetCents' | 'by'
> &
  Pick<DecisionInputs, 'revision' | 'bestCents' | 'floorCents' | 'ceilingCents' | 'note'>
const identityOf = ({
  reason,
  ruleId,
  beforeCents,
  targetCents,
  by,
  inputs: { revision, bestCents, floorCents, ceilingCents, note },
}: DecisionEntry): DecisionIdentity => ({
  reason,
  ruleId,
  revision,
  beforeCents,
  targetCents,
  bestCents,
  floorCents,
  ceilingCents,
  by,
  note,
})
/** Two decisions are equal if they have the same reason, rule and prices. */
const isSameDecision = (
  one: DecisionIdentity,
  {
    reason,
    ruleId,
    beforeCents,
    targetCents,
    by,
    inputs: { revision, bestCents, floorCents, ceilingCents, note },
  }: DecisionEntry,
): boolean =>
  one.reason === reason &&
  one.ruleId === ruleId &&
  one.revision === revision &&
  one.beforeCents === beforeCents &&
  one.targetCents === targetCents &&
  one.bestCents === bestCents &&
  one.floorCents === floorCents &&
  one.ceilingCents === ceilingCents &&
  one.by === by &&
  one.note === note

/**
 * The decision log of one account: every decision, including those that change nothing. Repeats
 * share one row.
 */
export function createDecisionLog(db: Database) {
  const insert =
    db.prepare(`INSERT INTO watch_decisions (offer_id, at, last_at, times, reason, rule_id,
      rule_name, before_cents, target_cents, by_whom, inputs)
    VALUES (:offerId, :at, :at, 1, :reason, :ruleId, :ruleName, :beforeCents, :targetCents, :by, :inputs)`)
  const repeat = db.prepare(
    'UPDATE watch_decisions SET last_at = :lastAt, times = :times WHERE number = :number',
  )
  const lastRow = db.prepare<{ offerId: string }, Row>(
    'SELECT * FROM watch_decisions WHERE offer_id = :offerId ORDER BY number DESC LIMIT 1',
  )
  type Last = {
    number: number
    said: DecisionIdentity
    lastAt: number
    times: number
    dirty: boolean
  }
  const lasts = new Map<string, Last>()

  function lastOf(offerId: string): Last | null {
    const known = lasts.get(offerId)
    if (known !== undefined) return known
    const row = lastRow.get({ offerId })
    if (row === undefined) return null
    const last = {
      number: row.number,
      said: identityOf(loggedOf(row)),
      lastAt: row.last_at,
      times: row.times,
      dirty: false,
    }
    lasts.set(offerId, last)
    return last
  }
  const settle = (last: Last): void => {
    if (last.dirty) repeat.run({ number: last.number, lastAt: last.lastAt, times: last.times })
    last.dirty = false
  }

  return {
    /**
     * Records a decision, or counts it if it equals the offer's last one. Call inside a
     * transaction.
     */
    write(entry: DecisionEntry): void {
      const last = lastOf(entry.offerId)
      if (last !== null && isSameDecision(last.said, entry)) {
        last.lastAt = entry.at
        last.times += 1
        last.dirty = true
        return
      }
      if (last !== null) settle(last)
      const { inputs, ...columns } = entry
      const number = Number(
        insert.run({ ...columns, inputs: JSON.stringify(inputs) }).lastInsertRowid,
      )
      lasts.set(entry.offerId, {
        number,
        said: identityOf(entry),
        lastAt: entry.at,
        times: 1,
        dirty: false,
      })
    },
    /** Writes the counts of repeats, in batches. */
    async flush(): Promise<void> {
      const dirty = [...lasts.values()].filter((last) => last.dirty)
      for (let from = 0; from < dirty.length; from += FLUSH_CHUNK_SIZE) {
        db.transaction(() => dirty.slice(from, from + FLUSH_CHUNK_SIZE).forEach(settle))()
        await new Promise((resolve) => {
          setImmediate(resolve)
        })
      }
    },
    /** Newest first. */
    list(
      { offerId, reasons, from, to, sentOnly }: DecisionFilter,
      offset: number,
      limit: number,
    ): { total: number; rows: LoggedDecision[] } {
      // The condition contains only the requested filters, so that SQLite can use an index.
      const where =
        [
          ['offer_id = :offerId', offerId !== null],
          ['last_at >= :from', from !== null],
          ['at < :to', to !== null],
          ['reason IN (SELECT value FROM json_each(:reasons))', reasons.length > 0],
          [`reason IN ${SEND_REASONS}`, sentOnly],
        ]
          .flatMap(([condition, is]) => (is === true ? [condition] : []))
          .join(' AND ') || 'TRUE'
      const values = {
        ...(offerId !== null && { offerId }),
        ...(from !== null && { from }),
        ...(to !== null && { to }),
        ...(reasons.length > 0 && { reasons: JSON.stringify(reasons) }),
      }
      return {
        total:
          db
            .prepare<Record<string, unknown>, number>(
              `SELECT count(*) FROM watch_decisions WHERE ${where}`,
            )
            .pluck()
            .get(values) ?? 0,
        rows: db
          .prepare<Record<string, unknown>, Row>(
            `SELECT * FROM watch_decisions WHERE ${where} ORDER BY number DESC LIMIT :limit OFFSET :offset`,
          )
          .all({ ...values, limit, offset })
          .map(loggedOf)
          .map((row) => fresher(row)),
      }
    },
    latest(offerId: string): LoggedDecision | null {
      const row = lastRow.get({ offerId })
      return row === undefined ? null : fresher(loggedOf(row))
    },
    /** Deletes expired decisions. Returns the number of deleted rows. */
    prune: (now: number): number =>
      db
        .prepare(
          `DELETE FROM watch_decisions WHERE last_at < :change
            OR (last_at < :stay AND target_cents IS NULL AND reason NOT IN ${SEND_REASONS})`,
        )
        .run({ stay: now - keepUnchangedMs, change: now - keepChangesMs }).changes,
  }

  /** A row with repeats that aren't written yet. */
  function fresher(row: LoggedDecision): LoggedDecision {
    const last = lasts.get(row.offerId)
    return last?.number === row.number ? { ...row, lastAt: last.lastAt, times: last.times } : row
  }
}
