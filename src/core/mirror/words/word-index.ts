import type { Database, Statement } from 'better-sqlite3'
import { findNearWords } from './near-words.ts'
import type { NearWord } from './near-words.ts'
import { rowWriter } from '../database/many-rows.ts'
import { databaseNameOf } from '../database/database-name.ts'

/**
 * Tables of a word index: a contentless FTS5 index over words that {@link
 * import('./fold.ts').searchWords} made, and its vocabulary. The words are already folded, so
 * FTS5's plain `ascii` tokenizer keeps them intact; unicode61 would split them by its own, older
 * definition of letters.
 */
export const wordIndexTables = (name: string): string => `
  CREATE VIRTUAL TABLE ${name}_index USING fts5(
    words, content='', contentless_delete=1, detail='none', tokenize='ascii', prefix='1 2 3'
  );
  CREATE TABLE ${name}_words (word TEXT PRIMARY KEY, uses INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`

/** One alternative for a typed word: a complete word, or all words with this prefix. */
export type Term = { text: string; isPrefix: boolean }

/** One group of alternatives per typed word. A record must satisfy every group. */
export type WordQuery = readonly (readonly Term[])[]

/**
 * The FTS5 expression of a query. Terms consist of letters and digits and are quoted too, so none
 * of them is parsed as syntax.
 */
export const matchExpression = (query: WordQuery): string =>
  query
    .map(
      (terms) =>
        `(${terms.map(({ text, isPrefix }) => `"${text}"${isPrefix ? '*' : ''}`).join(' OR ')})`,
    )
    .join(' AND ')

export type WordsOf = (ids: readonly number[]) => readonly (readonly string[])[]

/** Change in the number of records that use each word. */
export type WordUses = Map<string, number>

export interface WordIndex {
  /**
   * Replaces the words of a record. `before` is the set it was last stored with (empty for a new
   * record). Call inside the record's transaction. With `uses`, vocabulary changes are only
   * collected there, and {@link settle} writes those of many records together.
   */
  put(id: number, words: readonly string[], before: readonly string[], uses?: WordUses): void
  /**
   * Adds records that the index doesn't have, with unique words each, and settles the vocabulary.
   * Call at the end of their transaction: FTS5 flushes its buffer before any statement that writes
   * several rows, in pieces that have to be merged later.
   */
  add(records: readonly { id: number; words: readonly string[] }[], uses: WordUses): void
  /**
   * Writes the collected vocabulary changes. Call inside the transaction that stored the records.
   */
  settle(uses: WordUses): void
  /** Removes a record. `before` is the set of words it was stored with. */
  remove(id: number, before: readonly string[], uses?: WordUses): void
  /**
   * Returns the same query with complete words in place of prefixes that few words have. FTS5
   * streams complete words, but collects everything about a longer prefix first.
   */
  narrow(query: WordQuery): WordQuery
  /** Whether any record has a word with this prefix. */
  hasPrefix(prefix: string): boolean
  /**
   * Words and prefixes within `most` typing mistakes, nearest and most used first, at most `limit`
   * of each kind. If `most` is two, neither mistake is in the first letter: people seldom miss it,
   * and without this rule the walk would cover the complete vocabulary.
   */
  near(word: string, most: number, limit: number): NearWord[]
  /**
   * The lowest matching ids, at most `limit`. A query that only narrows an earlier one with few
   * hits checks those hits instead of all records. `wordsOf` returns the words of records, in the
   * order of the ids.
   */
  firstMatches(query: WordQuery, limit: number, wordsOf?: WordsOf): number[]
  count(query: WordQuery): number
}

/** Prefixes up to this length have an index. */
const LONGEST_INDEXED = 3
/**
 * Maximum number of words that replace their common prefix: for the prefix of a frequent word, FTS5
 * takes several times as long as for the words themselves.
 */
const MAX_WORDS_PER_PREFIX = 256
/** Number of typed words whose similar words are cached. */
const MAX_CACHED_NEAR = 500
/**
 * Number of cached queries, and maximum number of hits of each: checking that many is faster than
 * searching again.
 */
const MAX_CACHED_QUERIES = 12
const MAX_CACHED_HITS = 1000

/** Whether a word matches a term. */
export const matchesTerm = (word: string, { text, isPrefix }: Term): boolean =>
  isPrefix ? word.startsWith(text) : word === text

const satisfies = (words: readonly string[], query: WordQuery): boolean =>
  query.every((terms) => words.some((word) => terms.some((term) => matchesTerm(word, term))))

/** Whether everything that satisfies `query` is certain to satisfy `wider` too. */
const isNarrowerThan = (query: WordQuery, wider: WordQuery): boolean =>
  wider.every((all) =>
    query.some((terms) =>
      terms.every((term) =>
        all.some((each) => matchesTerm(term.text, each) && (each.isPrefix || !term.isPrefix)),
      ),
    ),
  )

/** All hits of a query in order, and their words once they have been loaded. */
type CachedQuery = {
  query: WordQuery
  ids: readonly number[]
  words: readonly (readonly string[])[] | null
}

function filterCached(
  query: WordQuery,
  before: CachedQuery,
  wordsOf: WordsOf | undefined,
): CachedQuery {
  const words = (before.words ??= wordsOf?.(before.ids) ?? [])
  const fitting = before.ids
    .map((id, i) => ({ id, words: words[i] ?? [] }))
    .filter((each) => satisfies(each.words, query))
  return { query, ids: fitting.map(({ id }) => id), words: fitting.map((each) => each.words) }
}

const opened = new WeakMap<Database, Map<string, WordIndex>>()

/** The word index `name` of a database. Statements are prepared once per connection. */
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
      `SELECT word FROM ${name}_words WHERE word >= :from AND word < :to ORDER BY word
        LIMIT ${MAX_WORDS_PER_PREFIX + 1}`,
    )
    .pluck()
  const uses: Statement = db.prepare(`SELECT uses FROM ${name}_words WHERE word = :word`).pluck()
  const someMatches: Statement = db
    .prepare(`SELECT rowid FROM ${name}_index WHERE ${name}_index MATCH ? LIMIT ?`)
    .pluck()
  const version: Statement = db
    .prepare(`PRAGMA ${databaseNameOf(db, `${name}_index`)}.data_version`)
    .pluck()
  const countMatch: Statement = db
    .prepare(`SELECT count(*) FROM ${name}_index WHERE ${name}_index MATCH :match`)
    .pluck()

  const seek = (from: string): string | undefined => seekWord.get(from) as string | undefined
  const usesOf = (word: string): number => (uses.get({ word }) as number | undefined) ?? 0

  /**
   * Caches similar words and query hits, because most of a text stays the same from letter to
   * letter. Any write clears them.
   */
  const nearBefore = new Map<string, NearWord[]>()
  const foundBefore: CachedQuery[] = []
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
    // Sorted like their table and many per statement: written one by one, they took a tenth of a
    // first listing.
    const changed = [...uses].filter(([, by]) => by !== 0).sort(([a], [b]) => (a < b ? -1 : 1))
    gain(changed.flat())
    for (const [word, by] of changed) if (by < 0) forget.run(word)
  }

  const wholeWords = (term: Term): Term[] => {
    if (!term.isPrefix || [...term.text].length <= LONGEST_INDEXED) return [term]
    const words = wordsFrom.all({ from: term.text, to: `${term.text}\u{10ffff}` }) as string[]
    return words.length === 0 || words.length > MAX_WORDS_PER_PREFIX
      ? [term]
      : words.map((text) => ({ text, isPrefix: false }))
  }

  function findNear(word: string, most: number, limit: number): NearWord[] {
    const first = String.fromCodePoint(word.codePointAt(0) ?? 0)
    const found = findNearWords(
      word,
      most,
      most < 2
        ? seek
        : (from) => {
            const next = seek(from < first ? first : from)
            return next?.startsWith(first) === true ? next : undefined
          },
    )
    const complete = found
      .filter((each) => each.isComplete)
      .map((each) => ({ ...each, uses: usesOf(each.text) }))
      .sort((a, b) => a.distance - b.distance || b.uses - a.uses)
      .slice(0, limit)
      .map(({ text, distance }) => ({ text, distance, isComplete: true }))
    const prefixes = found
      .filter((each) => !each.isComplete)
      .sort((a, b) => a.distance - b.distance || b.text.length - a.text.length)
      .slice(0, limit)
    return [...complete, ...prefixes]
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
    remove(id, before, uses) {
      this.put(id, [], before, uses)
    },
    hasPrefix: (prefix) => seek(prefix)?.startsWith(prefix) ?? false,
    near(word, most, limit) {
      forgetOld()
      if (nearBefore.size >= MAX_CACHED_NEAR) nearBefore.clear()
      const key = `${most} ${limit} ${word}`
      const known = nearBefore.get(key) ?? findNear(word, most, limit)
      nearBefore.set(key, known)
      return known
    },
    firstMatches(query, limit, wordsOf) {
      forgetOld()
      const [before] = foundBefore
        .filter(
          (wider) =>
            (wider.ids.length === 0 || wordsOf !== undefined) && isNarrowerThan(query, wider.query),
        )
        .sort((a, b) => a.ids.length - b.ids.length)
      const now =
        before === undefined
          ? { query, ids: find(query, limit), words: null }
          : filterCached(query, before, wordsOf)
      if (now.ids.length < limit && now.ids.length <= MAX_CACHED_HITS) {
        foundBefore.unshift(now)
        foundBefore.length = Math.min(foundBefore.length, MAX_CACHED_QUERIES)
      }
      const found = now.ids.slice(0, limit)
      return found
    },
    count(query) {
      return countMatch.get({ match: matchExpression(narrow(query)) }) as number
    },
  }
}
