import type { Database } from 'better-sqlite3'
import type { Problem } from '../../contract/base.ts'
import type {
  OutboxEntry,
  OutboxEvent,
  OutboxFacts,
  OutboxKind,
  OutboxVerdict,
} from '../../contract/outbox.ts'
import { outboxVerdicts } from '../../contract/outbox.ts'
import { readMessage, storeMessage } from '../../contract/localization/localized.ts'
import type { Localized } from '../../contract/localization/localized.ts'
import { perDatabase, sortKey, wordsOf } from '../mirror/mirror.ts'
import type { Comparison } from './compare/compare-facts.ts'
import { readProblem } from '../stored-problem.ts'

export type StoredEntry = Omit<OutboxEntry, 'accountId'> & { textSealed: Buffer | null }
export type EntryState = OutboxEntry['state']

type Row = {
  entry_id: string
  kind: OutboxKind
  subject_id: string
  title: string
  subtitle: string
  state: EntryState
  verdict: OutboxVerdict
  reason: string | null
  seen: string
  seen_at: number
  present: string | null
  present_at: number | null
  wanted: string
  text_sealed: Buffer | null
  problem: string | null
  written_at: number
  settled_at: number | null
}

const entryOf = (row: Row): StoredEntry => ({
  entryId: row.entry_id,
  kind: row.kind,
  subjectId: row.subject_id,
  title: row.title,
  subtitle: row.subtitle,
  state: row.state,
  verdict: row.verdict,
  reason: row.reason === null ? null : readMessage(row.reason),
  seen: JSON.parse(row.seen) as OutboxFacts,
  seenAt: row.seen_at,
  present: row.present === null ? null : (JSON.parse(row.present) as OutboxFacts),
  presentAt: row.present_at,
  wanted: JSON.parse(row.wanted) as OutboxFacts,
  textSealed: row.text_sealed,
  problem: readProblem(row.problem),
  writtenAt: row.written_at,
  settledAt: row.settled_at,
})

/** States of entries that still need an action. */
const OPEN_STATES = "('waiting', 'sending', 'unknown')"
const TABS = { waiting: OPEN_STATES, sent: "('sent')", dropped: "('dropped')" } as const
const VERDICT_ORDER =
  "CASE verdict WHEN 'decide' THEN 0 WHEN 'gone' THEN 1 WHEN 'uncompared' THEN 2 WHEN 'ready' THEN 3 ELSE 4 END"
/** Maximum number of sent and discarded entries to keep. */
const MAX_SETTLED = 2000

/** The outbox tables of one account. */
export const openOutboxStore = perDatabase(createOutboxStore)
export type OutboxStore = ReturnType<typeof createOutboxStore>

function createOutboxStore(db: Database) {
  db.function('words_of', { deterministic: true }, (text: string) => ` ${sortKey(text)}`)
  const insert =
    db.prepare(`INSERT INTO outbox (entry_id, kind, subject_id, title, subtitle, state, verdict,
        seen, seen_at, wanted, text_sealed, written_at)
    VALUES (:entryId, :kind, :subjectId, :title, :subtitle, 'waiting', 'uncompared', :seen, :seenAt,
      :wanted, :textSealed, :writtenAt)`)
  const rewrite = db.prepare(
    `UPDATE outbox SET wanted = :wanted, verdict = 'uncompared', reason = NULL, problem = NULL,
        written_at = :at WHERE entry_id = :entryId AND state = 'waiting'`,
  )
  const note = db.prepare(`INSERT INTO outbox_events (entry_id, position, at, what, detail)
    VALUES (:entryId, (SELECT coalesce(max(position) + 1, 0) FROM outbox_events
      WHERE entry_id = :entryId), :at, :what, :detail)`)
  const one = db.prepare<{ entryId: string }, Row>('SELECT * FROM outbox WHERE entry_id = :entryId')
  const open = db.prepare<[], Row>(
    `SELECT * FROM outbox WHERE state IN ${OPEN_STATES} ORDER BY written_at, entry_id`,
  )
  const unsettled = db.prepare("SELECT 1 FROM outbox WHERE state IN ('sending', 'unknown') LIMIT 1")
  const openOf = db.prepare<{ kind: string; subjectId: string }, Row>(
    `SELECT * FROM outbox WHERE state IN ${OPEN_STATES} AND kind = :kind AND subject_id = :subjectId
        ORDER BY written_at DESC LIMIT 1`,
  )
  const setState = db.prepare(
    'UPDATE outbox SET state = :state, problem = :problem, settled_at = :settledAt WHERE entry_id = :entryId',
  )
  const recoverInterrupted = db.prepare(
    `UPDATE outbox SET state = 'unknown' WHERE state = 'sending'`,
  )
  const setPresent = db.prepare(
    `UPDATE outbox SET present = :present, present_at = :at, verdict = :verdict, reason = :reason
        WHERE entry_id = :entryId`,
  )
  const setWanted = db.prepare('UPDATE outbox SET wanted = :wanted WHERE entry_id = :entryId')
  const eventsOf = db.prepare<{ entryId: string }, { at: number; what: string; detail: string }>(
    'SELECT at, what, detail FROM outbox_events WHERE entry_id = :entryId ORDER BY position',
  )
  const trim = db.prepare(
    `DELETE FROM outbox WHERE state IN ('sent', 'dropped') AND entry_id NOT IN (SELECT entry_id
        FROM outbox WHERE state IN ('sent', 'dropped') ORDER BY settled_at DESC LIMIT ${MAX_SETTLED})`,
  )
  const counted = db.prepare<[], { state: EntryState; count: number }>(
    'SELECT state, count(*) AS count FROM outbox GROUP BY state',
  )
  const verdicts = db.prepare<
    [],
    { verdict: OutboxVerdict; count: number; since: number | null; compared: number }
  >(`
    SELECT verdict, count(*) AS count, min(present_at) AS since, count(present_at) AS compared
      FROM outbox WHERE state IN ${OPEN_STATES} GROUP BY verdict`)

  return {
    transaction: <Result>(work: () => Result): Result => db.transaction(work)(),
    add(
      entry: Pick<
        StoredEntry,
        | 'entryId'
        | 'kind'
        | 'subjectId'
        | 'title'
        | 'subtitle'
        | 'seen'
        | 'seenAt'
        | 'wanted'
        | 'textSealed'
        | 'writtenAt'
      >,
    ): void {
      insert.run({
        ...entry,
        seen: JSON.stringify(entry.seen),
        wanted: JSON.stringify(entry.wanted),
      })
    },
    /** Changes the wanted state of a waiting entry. */
    rewrite: (entryId: string, wanted: OutboxFacts, at: number): void =>
      void rewrite.run({ entryId, wanted: JSON.stringify(wanted), at }),
    want: (entryId: string, wanted: OutboxFacts): void =>
      void setWanted.run({ entryId, wanted: JSON.stringify(wanted) }),
    note: (entryId: string, at: number, what: Localized, detail: Localized | null): void =>
      void note.run({
        entryId,
        at,
        what: storeMessage(what),
        detail: detail === null ? '' : storeMessage(detail),
      }),
    find(entryId: string): StoredEntry | null {
      const row = one.get({ entryId })
      return row === undefined ? null : entryOf(row)
    },
    /** Marks the results of entries as unknown that a stop of Keydesk interrupted. */
    recoverInterrupted: (): void => void recoverInterrupted.run(),
    open: (): StoredEntry[] => open.all().map(entryOf),
    /** Whether an entry was sent and its result is open. */
    hasUnsettled: (): boolean => unsettled.get() !== undefined,
    openOf(kind: OutboxKind, subjectId: string): StoredEntry | null {
      const row = openOf.get({ kind, subjectId })
      return row === undefined ? null : entryOf(row)
    },
    setState(
      entryId: string,
      state: EntryState,
      problem: Problem | null,
      settledAt: number | null,
    ): void {
      setState.run({
        entryId,
        state,
        problem: problem === null ? null : JSON.stringify(problem),
        settledAt,
      })
      if (settledAt !== null) trim.run()
    },
    setPresent(
      entryId: string,
      present: OutboxFacts | null,
      at: number,
      { verdict, reason }: Comparison,
    ): void {
      setPresent.run({
        entryId,
        present: present === null ? null : JSON.stringify(present),
        at,
        verdict,
        reason: reason === null ? null : storeMessage(reason),
      })
    },
    events: (entryId: string): OutboxEvent[] =>
      eventsOf.all({ entryId }).map(({ at, what, detail }) => ({
        at,
        what: readMessage(what),
        detail: detail === '' ? null : readMessage(detail),
      })),
    /**
     * One window of a tab's entries that contain every word, and the number of entries per verdict.
     */
    list(tab: keyof typeof TABS, query: string, offset: number, limit: number) {
      const order =
        tab === 'waiting' ? `${VERDICT_ORDER}, written_at, entry_id` : 'settled_at DESC, entry_id'
      const from = `FROM outbox WHERE state IN ${TABS[tab]} AND NOT EXISTS (
        SELECT 1 FROM json_each(:words)
          WHERE instr(words_of(title || ' ' || subtitle || ' ' || subject_id), ' ' || value) = 0)`
      const words = JSON.stringify(wordsOf(query))
      const fitting = Object.fromEntries(outboxVerdicts.map((verdict) => [verdict, 0])) as Record<
        OutboxVerdict,
        number
      >
      for (const { verdict, count } of db
        .prepare<{ words: string }, { verdict: OutboxVerdict; count: number }>(
          `SELECT verdict, count(*) AS count ${from} GROUP BY verdict`,
        )
        .all({ words }))
        fitting[verdict] = count
      return {
        total: Object.values(fitting).reduce((sum, count) => sum + count, 0),
        rows: db
          .prepare<{ words: string; offset: number; limit: number }, Row>(
            `SELECT * ${from} ORDER BY ${order} LIMIT :limit OFFSET :offset`,
          )
          .all({ words, offset, limit })
          .map(entryOf),
        verdicts: fitting,
      }
    },
    sums() {
      const of = new Map(counted.all().map(({ state, count }) => [state, count]))
      const sum = (...states: EntryState[]): number =>
        states.reduce((total, state) => total + (of.get(state) ?? 0), 0)
      const groups = verdicts.all()
      const compared =
        groups.length > 0 &&
        groups.every(({ verdict }) => verdict !== 'uncompared') &&
        groups.every((group) => group.compared === group.count)
      return {
        counts: {
          waiting: sum('waiting', 'sending', 'unknown'),
          sent: sum('sent'),
          dropped: sum('dropped'),
        },
        comparedAt: compared ? Math.min(...groups.flatMap(({ since }) => since ?? [])) : null,
      }
    },
  }
}
