import type { Database } from 'better-sqlite3'
import type { DisputeFilter } from '../../contract/dispute-records.ts'
import { prepared, says, wordsOf } from '../mirror/mirror.ts'

/** What a list of disputes `d` is narrowed to, as SQL. */
export type Narrow = {
  where: string
  values: Record<string, string>
  unread: boolean
  /**
   * By what the fewest are found: the ids that were typed, the names that say it, or the reasons
   * and languages chosen.
   */
  by: 'ids' | 'texts' | 'kinds' | null
  /** By nothing else. */
  alone: boolean
}

/** So few are sorted faster than they are found in an index by time. */
const FEW = 2000
const RESOLVED = "d.status = 'resolved'"
const ID_COLUMNS = ['dispute_id', 'sale_id', 'order_id'] as const
const ID_PREFIXES = ['dsp_', 'sal_', 'ord_'] as const
/** A word of fewer letters is looked for in names alone: ids hold all of them. */
const SHORT = 3

/** The texts that say all of the words which any text says, and the words that none does. */
function saying(
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
      .filter(({ text, name }) => says(word.length < SHORT ? name : text, word, parts))
      .map(({ id }) => id)
    if (found.length === 0) others.push(word)
    else {
      const among: ReadonlySet<number> = new Set(found)
      texts = texts === null ? found : texts.filter((id) => among.has(id))
    }
  }
  return { texts, others }
}

/**
 * Disputes of which an id begins with a word, with or without what ids of the service begin with.
 */
const idsBeginning = (at: number): string =>
  `d.rowid IN (${ID_COLUMNS.flatMap((column) =>
    ['id', ...ID_PREFIXES].map(
      (prefix) =>
        `SELECT rowid FROM disputes WHERE ${column} COLLATE NOCASE >= :${prefix}${at} AND ${column} COLLATE NOCASE < :${prefix}${at}end`,
    ),
  ).join(' UNION ')})`

/**
 * What was typed and chosen. A word is looked for in the few texts that many disputes share (names,
 * offers, products); one that none of them says is taken for the beginning of an id. `unread`: its
 * condition.
 */
export function narrowed(
  db: Database,
  {
    query,
    unread: onlyUnread,
    reasons,
    languages,
  }: Pick<DisputeFilter, 'query' | 'unread' | 'reasons' | 'languages'>,
  unread: string,
): Narrow {
  const values: Record<string, string> = {}
  const all = onlyUnread ? [`(${unread})`] : []
  const { texts, others } = saying(db, query.toLowerCase().split(/\s+/).filter(Boolean))
  if (texts !== null) {
    all.push('d.text_id IN (SELECT value FROM json_each(:texts))')
    values['texts'] = JSON.stringify(texts)
  }
  const typed = others.filter(
    (word) => !ID_PREFIXES.some((prefix) => word.length >= SHORT && prefix.startsWith(word)),
  )
  for (const [at, word] of typed.entries()) {
    all.push(idsBeginning(at))
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

/** Where resolved ones are found by what narrows them. */
const tableBy = (by: Narrow['by']): string =>
  by === 'ids'
    ? 'FROM disputes d NOT INDEXED'
    : by === 'texts'
      ? 'FROM disputes d INDEXED BY disputes_resolved_texts'
      : 'FROM disputes d INDEXED BY disputes_resolved_kinds'

/** How many resolved disputes fit; from sums that are kept where names alone narrow them. */
export function countResolved(
  db: Database,
  { where, values, unread, by, alone }: Narrow,
  joins: string,
): number {
  const count = (sql: string): number => prepared(db, sql).pluck().get(values) as number
  if (alone)
    return count(
      `SELECT coalesce(sum(resolved), 0) FROM dispute_text_sums ${by === 'texts' ? 'WHERE text_id IN (SELECT value FROM json_each(:texts))' : ''}`,
    )
  return count(
    `SELECT count(*) ${unread ? `FROM disputes d ${joins}` : tableBy(by)} WHERE ${RESOLVED} AND ${where}`,
  )
}

/**
 * From where the resolved ones that fit are read best, when there are so many: few by what narrows
 * them, many in their order until the window is full.
 */
export const tableOfResolved = ({ unread, by }: Narrow, count: number): string =>
  unread || by === null || (by !== 'ids' && count > FEW)
    ? 'FROM disputes d INDEXED BY disputes_resolved'
    : tableBy(by)
