import { romanDigits, wordsOf } from './fold.ts'
import type { NearWord } from './near-words.ts'
import { matchExpression } from './word-index.ts'
import type { Term, WordIndex, WordQuery, WordsOf } from './word-index.ts'

/** A typed text as a query that finds something, if anything matches. */
export type InterpretedQuery = {
  query: WordQuery
  /** The typed words, folded. */
  words: string[]
  /** Typed words that were replaced by similar ones. */
  guessed: boolean[]
  /**
   * The lowest matching ids, limited to the number requested. Empty if the text can't be
   * understood.
   */
  found: number[]
}

/** Maximum number of alternatives for a mistyped word. */
const MAX_GUESSES = 50

/** The words among which those that differ only in doubled letters are chosen. */
const MOST_COMPARED = 1000

/**
 * Mistakes allowed: none in a word below 4 letters, otherwise one; from 5 letters two, if only
 * doubled letters differ (`tesselo` for `tesello`); from 8 letters any two, if these find nothing.
 */
type Level = { letters: number; mistakes: number; isComplete: boolean; onlyDoubled?: true }
const LEVELS: readonly Level[] = [
  { letters: 4, mistakes: 1, isComplete: true },
  { letters: 4, mistakes: 1, isComplete: false },
  { letters: 5, mistakes: 2, isComplete: true, onlyDoubled: true },
  { letters: 5, mistakes: 2, isComplete: false, onlyDoubled: true },
  { letters: 8, mistakes: 2, isComplete: true },
  { letters: 8, mistakes: 2, isComplete: false },
]
/** The shortest part of a word that is split, unless it is a number. */
const SHORTEST_PART = 3

/**
 * Interprets typed text. Every word is a prefix of a word of the record, in any order. Only if
 * nothing matches that way are words split or joined (`giftcard` for `gift card`), and then
 * replaced by similar ones: first the words that the index doesn't know, then any. `found` holds
 * the first `atMost` ids (`recordWords`: see {@link WordIndex.some}). Returns null for a text
 * without words.
 */
export function interpretQuery(
  index: WordIndex,
  text: string,
  atMost = 1,
  recordWords?: WordsOf,
): InterpretedQuery | null {
  const words = [...new Set(wordsOf(text).flatMap((word) => splitAtDigits(index, word)))]
  if (words.length === 0) return null
  const plain = words.map(asTyped)
  const nothingGuessed = words.map(() => false)
  const asTypedFound = index.firstMatches(plain, atMost, recordWords)
  if (asTypedFound.length > 0)
    return { query: plain, words, guessed: nothingGuessed, found: asTypedFound }

  for (const otherWords of regrouped(index, words)) {
    const query = otherWords.map(asTyped)
    const found = index.firstMatches(query, atMost, recordWords)
    if (found.length > 0)
      return { query, words: otherWords, guessed: otherWords.map(() => false), found }
  }

  const near: NearTo = (word, { mistakes, onlyDoubled }) =>
    onlyDoubled === undefined
      ? index.near(word, mistakes, MAX_GUESSES)
      : index
          .near(word, mistakes, MOST_COMPARED)
          .filter(({ text }) => withoutDoubles(text) === withoutDoubles(word))
  const tried = new Set([matchExpression(plain)])
  const unknown = words.map((word) => !index.hasPrefix(word))
  for (const among of unknown.includes(true)
    ? [unknown, words.map(() => true)]
    : [words.map(() => true)]) {
    for (const level of LEVELS) {
      const groups = words.map((word, i) =>
        among[i] === true ? withGuesses(near, word, unknown[i] === true, level) : asTyped(word),
      )
      const expression = matchExpression(groups)
      if (groups.some((group) => group.length === 0) || tried.has(expression)) continue
      tried.add(expression)
      const found = index.firstMatches(groups, atMost, recordWords)
      if (found.length > 0) {
        return {
          query: groups,
          words,
          found,
          guessed: groups.map(
            (group, i) =>
              among[i] === true &&
              (unknown[i] === true || group.length > asTyped(words[i] ?? '').length),
          ),
        }
      }
    }
  }
  return { query: plain, words, guessed: nothingGuessed, found: [] }
}

function asTyped(word: string): Term[] {
  const digits = romanDigits(word)
  return digits === undefined
    ? [{ text: word, isPrefix: true }]
    : [
        { text: word, isPrefix: true },
        { text: digits, isPrefix: false },
      ]
}

type NearTo = (word: string, level: Level) => NearWord[]

function withGuesses(near: NearTo, word: string, unknown: boolean, level: Level): Term[] {
  const typed = unknown ? [] : asTyped(word)
  const length = [...word].length
  if (length < level.letters) return typed
  const guesses = near(word, level).filter(
    (each) =>
      (each.isComplete || !level.isComplete) &&
      !typed.some(({ text }) => each.text.startsWith(text)),
  )
  return [...typed, ...guesses.map(termOf)]
}

/** The word with each run of a letter as one letter. */
const withoutDoubles = (word: string): string => word.replace(/(.)\1+/gu, '$1')

/**
 * The typed words with one of them split in two, or two neighbors joined, where the index knows
 * words that begin with each part.
 */
function* regrouped(index: WordIndex, words: readonly string[]): Generator<string[], void, void> {
  const isPart = (part: string): boolean =>
    (part.length >= SHORTEST_PART || /^\p{N}+$/u.test(part)) && index.hasPrefix(part)
  for (const [at, word] of words.entries()) {
    const next = words[at + 1]
    if (next !== undefined && index.hasPrefix(word + next))
      yield words.toSpliced(at, 2, word + next)
    for (let length = 1; length < word.length; length += 1) {
      const parts = [word.slice(0, length), word.slice(length)]
      if (parts.every(isPart)) yield words.toSpliced(at, 1, ...parts)
    }
  }
}

const termOf = (near: NearWord): Term => ({ text: near.text, isPrefix: !near.isComplete })

/**
 * `witcher3` typed for `witcher 3`: split into two words where the index has only the part with
 * letters.
 */
function splitAtDigits(index: WordIndex, word: string): string[] {
  const [, letters, digits] = /^(\p{L}{3,})(\p{N}+)$/u.exec(word) ?? []
  return letters !== undefined &&
    digits !== undefined &&
    !index.hasPrefix(word) &&
    index.hasPrefix(letters)
    ? [letters, digits]
    : [word]
}
