import type { Database, Statement } from 'better-sqlite3'
import { nearWords } from './near.ts'
import type { Near } from './near.ts'
import { rowWriter } from '../many-rows.ts'
import { schemaOf } from '../schema-of.ts'

/**
 * Tables of a word index: an FTS5 index without content over words that {@link
 * import('./fold.ts').searchWords} made, and its vocabulary. The words come folded, so FTS5's plain
 * `ascii` tokenizer keeps them as they are; unicode61 would cut them by its own, older notion of
 * letters.
 */
export const wordIndexTables = (name: string): string => `
  CREATE VIRTUAL TABLE ${name}_index USING fts5(words, content='', contentless_delete=1, detail='none', tokenize='ascii', prefix='1 2 3');
  CREATE TABLE ${name}_words (word TEXT PRIMARY KEY, uses INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`

/** One alternative for a typed word: a whole word, or all words with this beginning. */
export type Term = { text: string; beginning: boolean }

/** One group of alternatives per typed word; a record must satisfy every group. */
export type WordQuery = readonly (readonly Term[])[]

/**
 * The FTS5 expression of a query. Terms hold letters and digits only and are quoted besides, so
 * nothing in them is syntax.
 */
export const matchExpression = (query: WordQuery): string =>
  query
    .map(
      (terms) =>
        `(${terms.map(({ text, beginning }) => `"${text}"${beginning ? '*' : ''}`).join(' OR ')})`,
    )
    .join(' AND ')

export type WordsOf = (ids: readonly number[]) => readonly (readonly string[])[]

/** By how much the uses of each word changed, in records. */
export type WordUses = Map<string, number>

export interface WordIndex {
  /**
   * Replaces the words of a record. `before` is what it was put with last (empty for a new record).
   * Call inside the record's transaction; with `uses`, changes of the vocabulary are only noted
   * there, and {@link settle} writes those of many records at once.
   */
  put(id: number, words: readonly string[], before: readonly string[], uses?: WordUses): void
  /**
   * Puts records that the index doesn't have, each word of one told once, and settles the
   * vocabulary. Call at the end of their transaction: before any statement that writes several rows
   * FTS5 writes out what it gathered, in pieces that are to be merged again.
   */
  add(records: readonly { id: number; words: readonly string[] }[], uses: WordUses): void
  /** Writes what was noted of the vocabulary. Call inside the transaction that put the records. */
  settle(uses: WordUses): void
  /** Takes a record out. `before` is what it was put with. */
  drop(id: number, before: readonly string[], uses?: WordUses): void
  /**
   * The same query with whole words in the place of beginnings that few words have: FTS5 reads
   * those as it goes, where it collects everything about a longer beginning first.
   */
  narrow(query: WordQuery): WordQuery
  /** Whether any record has a word with this beginning. */
  knows(beginning: string): boolean
  /**
   * Words and beginnings within `most` typing mistakes, the nearest and most used first, at most
   * `limit` of each kind. Of two mistakes none is in the first letter: people seldom miss it, and
   * without it a whole vocabulary would be walked through.
   */
  near(word: string, most: number, limit: number): Near[]
  /**
   * The lowest ids that match, at most `limit`. Of a query that only goes on from one before, among
   * whose hits its own must be, those are looked through by `wordsOf` instead of all records, where
   * there were few: what records are found by, in the order of the ids.
   */
  some(query: WordQuery, limit: number, wordsOf?: WordsOf): number[]
  count(query: WordQuery): number
}

/** Up to this length beginnings have an index of their own. */
const LONGEST_INDEXED = 3
/**
 * Words that stand for their common beginning at most: FTS5 takes several times as long over the
 * beginning of a frequent word as over the words themselves.
 */
const MOST_WORDS = 256
/** Typed words whose near ones are remembered. */
const MOST_NEAR = 500
/**
 * Queries whose hits are remembered, and how many hits each has at most: so many are looked through
 * sooner than found again.
 */
const MOST_QUERIES = 12
const MOST_LOOKED_THROUGH = 1000

/** Whether a word is one of a term's. */
export const isOneOf = (word: string, { text, beginning }: Term): boolean =>
  beginning ? word.startsWith(text) : word === text

const satisfies = (words: readonly string[], query: WordQuery): boolean =>
  query.every((terms) => words.some((word) => terms.some((term) => isOneOf(word, term))))

/** Whether whatever satisfies `query` is certain to satisfy `wider` too. */
const isWithin = (query: WordQuery, wider: WordQuery): boolean =>
  wider.every((all) =>
    query.some((terms) =>
      terms.every((term) =>
        all.some((each) => isOneOf(term.text, each) && (each.beginning || !term.beginning)),
      ),
    ),
  )

/** All hits of a query, in order, and what they are found by as soon as that was asked for. */
type Remembered = {
  query: WordQuery
  ids: readonly number[]
  words: readonly (readonly string[])[] | null
}

function amongThose(
  query: WordQuery,
  before: Remembered,
  wordsOf: WordsOf | undefined,
): Remembered {
  const words = (before.words ??= wordsOf?.(before.ids) ?? [])
  const fitting = before.ids
    .map((id, i) => ({ id, words: words[i] ?? [] }))
    .filter((each) => satisfies(each.words, query))
  return { query, ids: fitting.map(({ id }) => id), words: fitting.map((each) => each.words) }
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
  const insert = db.prepare(`INSERT INTO ${name}_index (rowid, words) VALUES (?, ?)`)
  const remove = db.prepare(`DELETE FROM ${name}_index WHERE rowid = ?`)
  const gain = rowWriter(
    db,
    `INSERT INTO ${name}_words (word, uses) $rows ON CONFLICT (word) DO UPDATE SET uses = uses + excluded.uses`,
    2,
  )
  const forget = db.prepare(`DELETE FROM ${name}_words WHERE word = ? AND uses <= 0`)
  const seekWord: Statement = db
    .prepare(`SELECT word FROM ${name}_words WHERE word >= ? ORDER BY word LIMIT 1`)
    .pluck()
  const wordsFrom: Statement = db
    .prepare(
      `SELECT word FROM ${name}_words WHERE word >= :from AND word < :to ORDER BY word LIMIT ${MOST_WORDS + 1}`,
    )
    .pluck()
  const uses: Statement = db.prepare(`SELECT uses FROM ${name}_words WHERE word = :word`).pluck()
  const someMatches: Statement = db
    .prepare(`SELECT rowid FROM ${name}_index WHERE ${name}_index MATCH ? LIMIT ?`)
    .pluck()
  const version: Statement = db
    .prepare(`PRAGMA ${schemaOf(db, `${name}_index`)}.data_version`)
    .pluck()
  const countMatch: Statement = db
    .prepare(`SELECT count(*) FROM ${name}_index WHERE ${name}_index MATCH :match`)
    .pluck()

  const seek = (from: string): string | undefined => seekWord.get(from) as string | undefined
  const usesOf = (word: string): number => (uses.get({ word }) as number | undefined) ?? 0

  /**
   * What was near to words typed lately, and found by queries: letter by letter, most of a text is
   * the same. Forgotten when anything was written.
   */
  const nearBefore = new Map<string, Near[]>()
  const foundBefore: Remembered[] = []
  let changes = 0
  let rememberedAt = ''
  function forgetOld(): void {
    const at = `${version.get() as number} ${changes}`
    if (at !== rememberedAt) {
      nearBefore.clear()
      foundBefore.length = 0
    }
    rememberedAt = at
  }

  const settle = (uses: WordUses): void => {
    changes += 1
    // In the order of their table, and many with a statement: one by one they took a tenth of a
    // first listing.
    const changed = [...uses].filter(([, by]) => by !== 0).sort(([a], [b]) => (a < b ? -1 : 1))
    gain(changed.flat())
    for (const [word, by] of changed) if (by < 0) forget.run(word)
  }

  const wholeWords = (term: Term): Term[] => {
    if (!term.beginning || [...term.text].length <= LONGEST_INDEXED) return [term]
    const words = wordsFrom.all({ from: term.text, to: `${term.text}\u{10ffff}` }) as string[]
    return words.length === 0 || words.length > MOST_WORDS
      ? [term]
      : words.map((text) => ({ text, beginning: false }))
  }

  function findNear(word: string, most: number, limit: number): Near[] {
    const first = String.fromCodePoint(word.codePointAt(0) ?? 0)
    const found = nearWords(
      word,
      most,
      most < 2
        ? seek
        : (from) => {
            const next = seek(from < first ? first : from)
            return next?.startsWith(first) === true ? next : undefined
          },
    )
    const whole = found
      .filter((each) => each.whole)
      .map((each) => ({ ...each, uses: usesOf(each.text) }))
      .sort((a, b) => a.distance - b.distance || b.uses - a.uses)
      .slice(0, limit)
      .map(({ text, distance }) => ({ text, distance, whole: true }))
    const beginnings = found
      .filter((each) => !each.whole)
      .sort((a, b) => a.distance - b.distance || b.text.length - a.text.length)
      .slice(0, limit)
    return [...whole, ...beginnings]
  }

  const narrow = (query: WordQuery): WordQuery => query.map((terms) => terms.flatMap(wholeWords))
  const find = (query: WordQuery, limit: number): number[] =>
    someMatches.all(matchExpression(narrow(query)), limit) as number[]

  return {
    narrow,
    put(id, words, before, noted) {
      if (words.length === before.length && words.every((word, i) => word === before[i])) return
      if (before.length > 0) remove.run(id)
      if (words.length > 0) insert.run(id, words.join(' '))
      const uses: WordUses = noted ?? new Map<string, number>()
      const old = new Set(before)
      const now = new Set(words)
      for (const word of now) if (!old.has(word)) uses.set(word, (uses.get(word) ?? 0) + 1)
      for (const word of old) if (!now.has(word)) uses.set(word, (uses.get(word) ?? 0) - 1)
      if (noted === undefined) settle(uses)
    },
    add(records, uses) {
      for (const { words } of records)
        for (const word of words) uses.set(word, (uses.get(word) ?? 0) + 1)
      settle(uses)
      for (const { id, words } of records) insert.run(id, words.join(' '))
    },
    settle,
    drop(id, before, uses) {
      this.put(id, [], before, uses)
    },
    knows: (beginning) => seek(beginning)?.startsWith(beginning) ?? false,
    near(word, most, limit) {
      forgetOld()
      if (nearBefore.size >= MOST_NEAR) nearBefore.clear()
      const key = `${most} ${limit} ${word}`
      const known = nearBefore.get(key) ?? findNear(word, most, limit)
      nearBefore.set(key, known)
      return known
    },
    some(query, limit, wordsOf) {
      forgetOld()
      const [before] = foundBefore
        .filter(
          (wider) =>
            (wider.ids.length === 0 || wordsOf !== undefined) && isWithin(query, wider.query),
        )
        .sort((a, b) => a.ids.length - b.ids.length)
      const now =
        before === undefined
          ? { query, ids: find(query, limit), words: null }
          : amongThose(query, before, wordsOf)
      if (now.ids.length < limit && now.ids.length <= MOST_LOOKED_THROUGH) {
        foundBefore.unshift(now)
        foundBefore.length = Math.min(foundBefore.length, MOST_QUERIES)
      }
      const found = now.ids.slice(0, limit)
      return found
    },
    count(query) {
      return countMatch.get({ match: matchExpression(narrow(query)) }) as number
    },
  }
}
