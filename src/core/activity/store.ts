import type { Database } from 'better-sqlite3'
import type { ActivityEntry } from '../../contract/app/app.ts'
import type { RemovedAccount, activityViews } from '../../contract/app/activity.ts'
import { formatMessage, readMessage, storeMessage } from '../../contract/localization/localized.ts'
import { prepared, wordsOf } from '../mirror/mirror.ts'
import { HOUR_MS, accountWord, outcomeWord } from './schema.ts'

type Row = Omit<ActivityEntry, 'accountId' | 'requestId' | 'durationMs' | 'what' | 'detail'> & {
  what: string
  detail: string
  account_id: string | null
  request_id: string | null
  duration_ms: number | null
}
type View = (typeof activityViews)[number]
export type ActivityFilter = {
  accountId: string | null
  view: View
  query: string
  from: number | null
}
export type ActivityList = {
  total: number
  rows: ActivityEntry[]
  views: Record<View, number>
  countedUpTo: number | null
}

/** Maximum number of stored entries, and how many of the oldest are deleted in one step. */
const KEPT_ENTRIES = 1_000_000
const DROPPED_AT_ONCE = 2000
/** Matches of typed words are counted up to this number. */
const COUNTED = 2000
/** From this offset on, a window is located with the counts per hour. */
const DEEP = 1000

/** `keptEntries`: maximum number of stored entries. */
export function createActivityStore(database: Database, keptEntries = KEPT_ENTRIES) {
  const insert = database.prepare<
    Omit<ActivityEntry, 'what' | 'detail'> & { what: string; detail: string }
  >(`
    INSERT INTO activity (id, at, account_id, what, detail, outcome, code, status, request_id, duration_ms)
    VALUES (:id, :at, :accountId, :what, :detail, :outcome, :code, :status, :requestId, :durationMs)
  `)
  const addWords = database.prepare<{ seq: number | bigint; words: string }>(
    'INSERT INTO activity_words (rowid, words) VALUES (:seq, :words)',
  )
  const trims = [
    'seq <= (SELECT max(seq) FROM activity) - :kept ORDER BY seq',
    'at < :since ORDER BY at',
  ].map((old) =>
    database.prepare<{ kept: number; since: number }>(
      `DELETE FROM activity WHERE seq IN (SELECT seq FROM activity WHERE ${old} LIMIT ${DROPPED_AT_ONCE})`,
    ),
  )
  const remove = database.prepare<{ accountId: string }>(
    `DELETE FROM activity WHERE seq IN (SELECT seq FROM activity WHERE account_id = :accountId
      LIMIT ${DROPPED_AT_ONCE})`,
  )
  const sweep = database.prepare('DELETE FROM activity_sums WHERE entries = 0')
  const add = database.transaction((entries: readonly ActivityEntry[], since: number) => {
    for (const entry of entries)
      addWords.run({
        seq: insert.run({
          ...entry,
          what: storeMessage(entry.what),
          detail: entry.detail === null ? '' : storeMessage(entry.detail),
        }).lastInsertRowid,
        words: wordsOfEntry(entry),
      })
    const gone = trims.reduce(
      (sum, trim) => sum + trim.run({ kept: keptEntries, since }).changes,
      0,
    )
    if (gone >= DROPPED_AT_ONCE) sweep.run()
  })

  const own = ({ accountId, view }: Pick<ActivityFilter, 'accountId' | 'view'>): string =>
    `${accountId === null ? '' : ' AND account_id = :accountId'}${view === 'all' ? '' : ` AND outcome = '${view}'`}`
  const ownValues = ({ accountId }: ActivityFilter): { accountId?: string } =>
    accountId === null ? {} : { accountId }
  const hourOf = (from: number | null): number => (from === null ? 0 : Math.floor(from / HOUR_MS))

  /** Entries of each outcome, from the stored counts. */
  function countsOf(choice: ActivityFilter): Record<View, number> {
    const sums = prepared(
      database,
      `SELECT outcome, sum(entries) AS entries FROM activity_sums
        WHERE hour >= :hour${own({ ...choice, view: 'all' })} GROUP BY outcome`,
    ).all({ hour: hourOf(choice.from), ...ownValues(choice) }) as {
      outcome: string
      entries: number
    }[]
    const of = (outcome: string): number =>
      sums.find((sum) => sum.outcome === outcome)?.entries ?? 0
    return {
      all: sums.reduce((all, { entries }) => all + entries, 0),
      failed: of('failed'),
      unknown: of('unknown'),
    }
  }

  /**
   * Locates a window far down the list: the end of its hour, and the number of entries to skip from
   * there.
   */
  function deepStart(choice: ActivityFilter, offset: number): { before: number; rest: number } {
    let rest = offset
    if (offset < DEEP) return { before: Number.MAX_SAFE_INTEGER, rest }
    const hours = prepared(
      database,
      `SELECT hour, sum(entries) AS entries FROM activity_sums WHERE TRUE${own(choice)}
        GROUP BY hour ORDER BY hour DESC`,
    )
    for (const { hour, entries } of hours.iterate(ownValues(choice)) as Iterable<{
      hour: number
      entries: number
    }>) {
      if (rest < entries) return { before: (hour + 1) * HOUR_MS, rest }
      rest -= entries
    }
    return { before: 0, rest }
  }

  function plain(choice: ActivityFilter, offset: number, limit: number): ActivityList {
    const views = countsOf(choice)
    const { before, rest } = deepStart(choice, offset)
    const rows = prepared(
      database,
      `SELECT * FROM activity WHERE seq IN (SELECT seq FROM activity WHERE at >= :from
        AND at < :before${own(choice)} ORDER BY at DESC, seq DESC LIMIT :limit OFFSET :rest)
        ORDER BY at DESC, seq DESC`,
    ).all({
      from: hourOf(choice.from) * HOUR_MS,
      before,
      rest,
      limit,
      ...ownValues(choice),
    }) as Row[]
    return { total: views[choice.view], rows: rows.map(entryOf), views, countedUpTo: null }
  }

  /** Number of the first entry from an hour on: 0 without an hour, past the end if all are older. */
  const firstSince = (from: number | null): number =>
    from === null
      ? 0
      : ((prepared(database, 'SELECT seq FROM activity WHERE at >= :from ORDER BY at LIMIT 1')
          .pluck()
          .get({ from: hourOf(from) * HOUR_MS }) as number | undefined) ?? Number.MAX_SAFE_INTEGER)

  /** The words of a query, as index queries. */
  const matchesOf = ({ query }: ActivityFilter): string[] =>
    query.split(/\s+/).flatMap((word) => matchOf(word, isWord) ?? [])

  const matchIn = ({ accountId }: ActivityFilter, words: readonly string[], view: View): string =>
    [
      ...words,
      ...(accountId === null ? [] : [`"${accountWord(accountId)}"`]),
      ...(view === 'all' ? [] : [`"${outcomeWord(view)}"`]),
    ].join(' AND ')

  function found(
    choice: ActivityFilter,
    words: readonly string[],
    offset: number,
    limit: number,
  ): ActivityList {
    const first = firstSince(choice.from)
    const match = (view: View): string => matchIn(choice, words, view)
    const count = prepared(
      database,
      `SELECT count(*) FROM (SELECT 1 FROM activity_words WHERE activity_words MATCH :match
        AND rowid >= :first LIMIT ${COUNTED + 1})`,
    ).pluck()
    const counted = (view: View): number =>
      Math.min(COUNTED, count.get({ match: match(view), first }) as number)
    const views = { all: counted('all'), failed: counted('failed'), unknown: counted('unknown') }
    const rows = prepared(
      database,
      `SELECT * FROM activity WHERE seq IN (SELECT rowid FROM activity_words
        WHERE activity_words MATCH :match AND rowid >= :first ORDER BY rowid DESC
        LIMIT :limit OFFSET :offset) ORDER BY seq DESC`,
    ).all({
      match: match(choice.view),
      first,
      limit: Math.max(0, Math.min(limit, COUNTED - offset)),
      offset,
    }) as Row[]
    return {
      total: views[choice.view],
      rows: rows.map(entryOf),
      views,
      countedUpTo: views.all === COUNTED ? COUNTED : null,
    }
  }

  const anyOf = database.prepare<{ match: string }>(
    'SELECT 1 FROM activity_words WHERE activity_words MATCH :match LIMIT 1',
  )
  const isWord = (match: string): boolean => anyOf.get({ match }) !== undefined

  const retire = database.prepare<RemovedAccount>(
    `INSERT OR REPLACE INTO removed_account (account_id, name, role, mode, removed_at)
      VALUES (:accountId, :name, :role, :mode, :removedAt)`,
  )
  const forgetEmpty = database.prepare(
    `DELETE FROM removed_account WHERE account_id NOT IN
      (SELECT account_id FROM activity_sums WHERE entries > 0)`,
  )
  const removed = database.prepare<[], RemovedAccount>(
    `SELECT account_id AS accountId, name, role, mode, removed_at AS removedAt FROM removed_account
      ORDER BY removed_at DESC`,
  )

  return {
    /** Keeps the name of a removed account for its entries. */
    retire: (account: RemovedAccount): void => void retire.run(account),
    /** Removed accounts with entries, newest first. The names of others are deleted. */
    removedAccounts(): RemovedAccount[] {
      forgetEmpty.run()
      return removed.all()
    },
    /** Writes entries; deletes some of the oldest above the limit and those from before `since`. */
    add: (entries: readonly ActivityEntry[], since = 0): void => void add.immediate(entries, since),
    /** Newest first; for one account, or for all. */
    latest: (accountId: string | null, limit: number): ActivityEntry[] =>
      plain({ accountId, view: 'all', query: '', from: null }, 0, limit).rows,
    list(choice: ActivityFilter, offset: number, limit: number): ActivityList {
      const words = matchesOf(choice)
      return words.length === 0 ? plain(choice, offset, limit) : found(choice, words, offset, limit)
    },
    /** The numbers of the newest matching entries, newest first. */
    numbersOf(choice: ActivityFilter, most: number): number[] {
      const words = matchesOf(choice)
      const found = prepared(
        database,
        words.length === 0
          ? `SELECT seq FROM activity WHERE at >= :from${own(choice)}
              ORDER BY at DESC, seq DESC LIMIT :most`
          : `SELECT rowid FROM activity_words WHERE activity_words MATCH :match
              AND rowid >= :first ORDER BY rowid DESC LIMIT :most`,
      ).pluck()
      return (
        words.length === 0
          ? found.all({ from: hourOf(choice.from) * HOUR_MS, most, ...ownValues(choice) })
          : found.all({
              match: matchIn(choice, words, choice.view),
              first: firstSince(choice.from),
              most,
            })
      ) as number[]
    },
    /** The entries with these numbers that are still stored, in their order. */
    read: (numbers: readonly number[]): ActivityEntry[] =>
      (
        prepared(
          database,
          `SELECT a.* FROM json_each(:numbers) AS chosen CROSS JOIN activity a
            ON a.seq = chosen.value ORDER BY chosen.key`,
        ).all({ numbers: JSON.stringify(numbers) }) as Row[]
      ).map(entryOf),
    /** Deletes some of an account's entries; returns whether there may be more. */
    removeSome: (accountId: string): boolean => {
      const gone = remove.run({ accountId }).changes
      if (gone < DROPPED_AT_ONCE) sweep.run()
      return gone === DROPPED_AT_ONCE
    },
  }
}

/**
 * The index contains prefixes up to this length; a longer one is assembled from every word that
 * starts with it.
 */
const INDEXED_BEGINNING = 6

/**
 * A typed word as an index query: an id as a complete word (`req_7Hc…`), anything else by its
 * words, the last one as a prefix. A long word that the index contains is matched exactly. Null for
 * text without letters or digits.
 */
function matchOf(typed: string, isWord: (match: string) => boolean): string | null {
  const words = wordsOf(typed)
  if (words.length === 0) return null
  const whole = /^\w+$/.test(typed) ? `"${typed.toLowerCase()}"` : `"${words.join(' ')}"`
  return whole.length > INDEXED_BEGINNING + 2 && isWord(whole) ? whole : `${whole} *`
}

/** The searchable text of an entry: its words, and its ids as complete words. */
const wordsOfEntry = ({
  accountId,
  what,
  detail,
  outcome,
  code,
  status,
  requestId,
}: ActivityEntry): string => {
  const said = [
    formatMessage(what),
    detail === null ? null : formatMessage(detail),
    code,
    status,
    requestId,
  ]
    .filter((part) => part !== null)
    .join(' ')
  return [
    ...wordsOf(said),
    ...(said.match(/\w+/g) ?? []).filter((word) => word.includes('_')),
    ...(accountId === null ? [] : [accountWord(accountId)]),
    outcomeWord(outcome),
  ].join(' ')
}

const entryOf = ({
  id,
  at,
  account_id: accountId,
  what,
  detail,
  outcome,
  code,
  status,
  request_id: requestId,
  duration_ms: durationMs,
}: Row): ActivityEntry => ({
  id,
  at,
  accountId,
  what: readMessage(what),
  detail: detail === '' ? null : readMessage(detail),
  outcome,
  code,
  status,
  requestId,
  durationMs,
})
