import type { Database } from 'better-sqlite3'
import type { DisputeFilter } from '../../../contract/disputes/dispute-records.ts'
import { prepared, containsWord, wordsOf } from '../../mirror/mirror.ts'

/** The filter of a list of disputes `d`, as SQL. */
export type SqlFilter = {
  where: string
  values: Record<string, string>
  unread: boolean
  /**
   * The most selective part of the filter: typed ids, matching names, or the chosen reasons and
   * languages.
   */
  by: 'ids' | 'texts' | 'kinds' | null
  /** The filter has no other part. */
  alone: boolean
}

/** Up to this number, sorting the matches is faster than finding them in an index by time. */
const FEW = 2000
const RESOLVED = "d.status = 'resolved'"
const ID_COLUMNS = ['dispute_id', 'sale_id', 'order_id'] as const
const ID_PREFIXES = ['dsp_', 'sal_', 'ord_'] as const
/** Shorter words are searched in names only: every id contains them. */
const SHORT = 3

/** The texts that match all words found in any text, and the words found in none. */
function matchTexts(
  db: Database,
  words: readonly string[],
): { texts: number[] | null; others: string[] } {
  const known =
    words.length === 0
      ? []
      : (
          prepared(db, 'SELECT text_id AS id, text FROM dispute_texts').all() as {
            id: number
            text: string
          }[]
        ).map(({ id, text }) => ({ id, text, name: text.slice(0, text.indexOf('\n')) }))
  let texts: number[] | null = null
  const others: string[] = []
  for (const word of words) {
    const parts = wordsOf(word)
    const found = known
      .filter(({ text, name }) => containsWord(word.length < SHORT ? name : text, word, parts))
      .map(({ id }) => id)
    if (found.length === 0) others.push(word)
    else {
      const among: ReadonlySet<number> = new Set(found)
      texts = texts === null ? found : texts.filter((id) => among.has(id))
    }
  }
  return { texts, others }
}

/** Disputes with an id that starts with a word, with or without the service's id prefix. */
const idsStartingWith = (at: number): string =>
  `d.rowid IN (${ID_COLUMNS.flatMap((column) =>
    ['id', ...ID_PREFIXES].map(
      (prefix) =>
        `SELECT rowid FROM disputes WHERE ${column} COLLATE NOCASE >= :${prefix}${at}
          AND ${column} COLLATE NOCASE < :${prefix}${at}end`,
    ),
  ).join(' UNION ')})`

/**
 * Builds the filter from the query and the choices. Words are searched in the few texts that many
 * disputes share (names, offers, products); a word found in none of them is treated as the start of
 * an id. `unread` is the SQL condition of unread disputes.
 */
export function buildFilter(
  db: Database,
  {
    query,
    unread: onlyUnread,
    reasons,
    languages,
  }: Pick<DisputeFilter, 'query' | 'unread' | 'reasons' | 'languages'>,
  unread: string,
): SqlFilter {
  const values: Record<string, string> = {}
  const all = onlyUnread ? [`(${unread})`] : []
  const { texts, others } = matchTexts(db, query.toLowerCase().split(/\s+/).filter(Boolean))
  if (texts !== null) {
    all.push('d.text_id IN (SELECT value FROM json_each(:texts))')
    values['texts'] = JSON.stringify(texts)
  }
  const typed = others.filter(
    (word) => !ID_PREFIXES.some((prefix) => word.length >= SHORT && prefix.startsWith(word)),
  )
  for (const [at, word] of typed.entries()) {
    all.push(idsStartingWith(at))
    for (const prefix of ['id', ...ID_PREFIXES]) {
      const from = prefix === 'id' ? word : prefix + word
      Object.assign(values, { [prefix + at]: from, [`${prefix}${at}end`]: `${from}\uffff` })
    }
  }
  for (const [column, chosen] of [
    ['reason_kind', reasons],
    ['language', languages],
  ] as const) {
    if (chosen.length === 0) continue
    all.push(`coalesce(d.${column}, '') IN (SELECT value FROM json_each(:${column}))`)
    values[column] = JSON.stringify(chosen)
  }
  const by =
    typed.length > 0
      ? 'ids'
      : texts !== null
        ? 'texts'
        : reasons.length + languages.length > 0
          ? 'kinds'
          : null
  return {
    where: all.length === 0 ? 'TRUE' : all.join(' AND '),
    values,
    unread: onlyUnread,
    by,
    alone: all.length === (texts === null ? 0 : 1),
  }
}

/** The table or index that finds resolved disputes by the filter. */
const tableBy = (by: SqlFilter['by']): string =>
  by === 'ids'
    ? 'FROM disputes d NOT INDEXED'
    : by === 'texts'
      ? 'FROM disputes d INDEXED BY disputes_resolved_texts'
      : 'FROM disputes d INDEXED BY disputes_resolved_kinds'

/** Number of matching resolved disputes; taken from stored totals if only names narrow the list. */
export function countResolved(
  db: Database,
  { where, values, unread, by, alone }: SqlFilter,
  joins: string,
): number {
  const count = (sql: string): number => prepared(db, sql).pluck().get(values) as number
  if (alone)
    return count(
      `SELECT coalesce(sum(resolved), 0)
        FROM dispute_text_sums ${by === 'texts' ? 'WHERE text_id IN (SELECT value FROM json_each(:texts))' : ''}`,
    )
  return count(
    `SELECT count(*) ${unread ? `FROM disputes d ${joins}` : tableBy(by)} WHERE ${RESOLVED} AND ${where}`,
  )
}

/**
 * The table or index from which to read this many matching resolved disputes: by the filter if
 * there are few, in list order until the window is full if there are many.
 */
export const resolvedTable = ({ unread, by }: SqlFilter, count: number): string =>
  unread || by === null || (by !== 'ids' && count > FEW)
    ? 'FROM disputes d INDEXED BY disputes_resolved'
    : tableBy(by)
