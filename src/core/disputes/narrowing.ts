import type { Database } from 'better-sqlite3'
import type { DisputeFilter } from '../../contract/dispute-records.ts'

/** What a list of disputes `d` is narrowed to, as SQL. */
export type Narrow = {
  where: string
  values: Record<string, string>
  unread: boolean
  /** What an index of every three letters can be asked for; null where no word has three. */
  match: string | null
  /** The conditions that this index leaves open, on its own columns. */
  rest: string
  byKind: boolean
}

/** So few are sorted faster than they are found in an index by time. */
const FEW = 2000
const RESOLVED = "d.status = 'resolved'"

/** Every word of the search, at any place; the reasons and languages chosen. `unread`: its condition. */
export function narrowed({ query, unread: onlyUnread, reasons, languages }: Pick<DisputeFilter, 'query' | 'unread' | 'reasons' | 'languages'>, unread: string): Narrow {
  const values: Record<string, string> = {}
  const [words, short, long]: [string[], string[], string[]] = [[], [], []]
  for (const [at, word] of query.toLowerCase().split(/\s+/).filter(Boolean).entries()) {
    values[`word${at}`] = word
    words.push(`instr(d.search, :word${at}) > 0`)
    if ([...word].length >= 3 && !word.includes('\0')) long.push(`"${word.replaceAll('"', '""')}"`)
    else short.push(`instr(w.search, :word${at}) > 0`)
  }
  const kinds: string[] = []
  for (const [column, chosen] of [['reason_kind', reasons], ['language', languages]] as const) {
    if (chosen.length === 0) continue
    kinds.push(`coalesce(d.${column}, '') IN (SELECT value FROM json_each(:${column}))`)
    values[column] = JSON.stringify(chosen)
  }
  const all = [...(onlyUnread ? [`(${unread})`] : []), ...words, ...kinds]
  if (long.length > 0) values['match'] = long.join(' AND ')
  return {
    where: all.length === 0 ? 'TRUE' : all.join(' AND '), values, unread: onlyUnread, match: long.length === 0 ? null : 'dispute_words MATCH :match',
    rest: [...short, ...kinds.map((each) => each.replace('(d.', '(w.'))].join(' AND ') || 'TRUE', byKind: kinds.length > 0 && words.length === 0,
  }
}

/** How many resolved disputes fit, when so many others do. */
export function countResolved(db: Database, { where, values, unread, match, rest, byKind }: Narrow, others: number, joins: string): number {
  const count = (sql: string): number => db.prepare(`SELECT count(*) ${sql}`).pluck().get(values) as number
  if (unread) return count(`FROM disputes d ${joins} WHERE ${RESOLVED} AND ${where}`)
  if (match !== null) return count(`FROM dispute_words AS w WHERE ${match} AND ${rest}`) - others
  return count(`FROM disputes d INDEXED BY ${byKind ? 'disputes_resolved_kinds' : 'disputes_resolved'} WHERE ${RESOLVED} AND ${where}`)
}

/** From where the resolved ones that fit are read best, when there are so many: few by what narrows them, many in their order until the window is full. */
export function tableOfResolved({ where, unread, match, rest, byKind }: Narrow, count: number): { table: string; where: string } {
  if (unread || count > FEW || (match === null && !byKind)) return { table: 'FROM disputes d INDEXED BY disputes_resolved', where: `${RESOLVED} AND ${where}` }
  if (match === null) return { table: 'FROM disputes d INDEXED BY disputes_resolved_kinds', where: `${RESOLVED} AND ${where}` }
  return { table: 'FROM dispute_words AS w CROSS JOIN disputes d ON d.rowid = w.rowid', where: `${match} AND ${rest} AND ${RESOLVED}` }
}
