import type { Database, Statement } from 'better-sqlite3'
import { nearWords } from './near.ts'
import type { Near } from './near.ts'

/**
 * Tables of a word index: an FTS5 index without content over words that {@link import('./fold.ts').searchWords} made, and its
 * vocabulary. The words come folded, so FTS5's plain `ascii` tokenizer keeps them as they are; unicode61 would cut them by its own,
 * older notion of letters.
 */
export const wordIndexTables = (name: string): string => `
  CREATE VIRTUAL TABLE ${name}_index USING fts5(words, content='', contentless_delete=1, detail='none', tokenize='ascii', prefix='1 2 3');
  CREATE TABLE ${name}_words (word TEXT PRIMARY KEY, uses INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`

/** One alternative for a typed word: a whole word, or all words with this beginning. */
export type Term = { text: string; beginning: boolean }

/** One group of alternatives per typed word; a record must satisfy every group. */
export type WordQuery = readonly (readonly Term[])[]

/** The FTS5 expression of a query. Terms hold letters and digits only and are quoted besides, so nothing in them is syntax. */
export const matchExpression = (query: WordQuery): string =>
  query.map((terms) => `(${terms.map(({ text, beginning }) => `"${text}"${beginning ? '*' : ''}`).join(' OR ')})`).join(' AND ')

export interface WordIndex {
  /** Replaces the words of a record. `before` is what it was put with last (empty for a new record). Call inside the record's transaction. */
  put(id: number, words: readonly string[], before: readonly string[]): void
  /** Takes a record out. `before` is what it was put with. */
  drop(id: number, before: readonly string[]): void
  /** Whether any record has a word with this beginning. */
  knows(beginning: string): boolean
  /** Words and beginnings within `most` typing mistakes, the nearest and most used first, at most `limit` of each kind. */
  near(word: string, most: number, limit: number): Near[]
  /** Whether anything matches. */
  any(query: WordQuery): boolean
  count(query: WordQuery): number
}

const opened = new WeakMap<Database, Map<string, WordIndex>>()

/** The word index `name` of a database; statements are prepared once per connection. */
export function wordIndex(db: Database, name: string): WordIndex {
  const known = opened.get(db) ?? new Map<string, WordIndex>()
  opened.set(db, known)
  const index = known.get(name) ?? createWordIndex(db, name)
  known.set(name, index)
  return index
}

function createWordIndex(db: Database, name: string): WordIndex {
  const insert = db.prepare(`INSERT INTO ${name}_index (rowid, words) VALUES (:id, :words)`)
  const remove = db.prepare(`DELETE FROM ${name}_index WHERE rowid = :id`)
  const gain = db.prepare(`INSERT INTO ${name}_words (word, uses) VALUES (:word, 1) ON CONFLICT (word) DO UPDATE SET uses = uses + 1`)
  const lose = db.prepare(`UPDATE ${name}_words SET uses = uses - 1 WHERE word = :word`)
  const forget = db.prepare(`DELETE FROM ${name}_words WHERE word = :word AND uses <= 0`)
  const seekWord: Statement = db.prepare(`SELECT word FROM ${name}_words WHERE word >= :from ORDER BY word LIMIT 1`).pluck()
  const uses: Statement = db.prepare(`SELECT uses FROM ${name}_words WHERE word = :word`).pluck()
  const anyMatch = db.prepare(`SELECT rowid FROM ${name}_index WHERE ${name}_index MATCH :match LIMIT 1`)
  const countMatch: Statement = db.prepare(`SELECT count(*) FROM ${name}_index WHERE ${name}_index MATCH :match`).pluck()

  const seek = (from: string): string | undefined => seekWord.get({ from }) as string | undefined
  const usesOf = (word: string): number => (uses.get({ word }) as number | undefined) ?? 0

  return {
    put(id, words, before) {
      if (words.length === before.length && words.every((word, i) => word === before[i])) return
      const old = new Set(before)
      const now = new Set(words)
      if (before.length > 0) remove.run({ id })
      if (words.length > 0) insert.run({ id, words: words.join(' ') })
      for (const word of now) if (!old.has(word)) gain.run({ word })
      for (const word of old) if (!now.has(word)) { lose.run({ word }); forget.run({ word }) }
    },
    drop(id, before) {
      this.put(id, [], before)
    },
    knows: (beginning) => seek(beginning)?.startsWith(beginning) ?? false,
    near(word, most, limit) {
      const found = nearWords(word, most, seek)
      const whole = found.filter((each) => each.whole).map((each) => ({ ...each, uses: usesOf(each.text) }))
        .sort((a, b) => a.distance - b.distance || b.uses - a.uses).slice(0, limit).map(({ text, distance }) => ({ text, distance, whole: true }))
      const beginnings = found.filter((each) => !each.whole).sort((a, b) => a.distance - b.distance || b.text.length - a.text.length).slice(0, limit)
      return [...whole, ...beginnings]
    },
    any: (query) => anyMatch.get({ match: matchExpression(query) }) !== undefined,
    count: (query) => countMatch.get({ match: matchExpression(query) }) as number,
  }
}
