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

/**
 * Mistakes allowed: none in a word below 4 letters, otherwise one; from 8 letters two, if one finds
 * nothing.
 */
const LEVELS: readonly { letters: number; mistakes: number; isComplete: boolean }[] = [
  { letters: 4, mistakes: 1, isComplete: true },
  { letters: 4, mistakes: 1, isComplete: false },
  { letters: 8, mistakes: 2, isComplete: true },
  { letters: 8, mistakes: 2, isComplete: false },
]

/**
 * Interprets typed text. Every word is a prefix of a word of the record, in any order. Only if
 * nothing matches that way are words replaced by similar ones: first the words that the index
 * doesn't know, then any. `found` holds the first `atMost` ids (`recordWords`: see {@link
 * WordIndex.some}). Returns null for a text without words.
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

  const near = (word: string, mistakes: number): NearWord[] =>
    index.near(word, mistakes, MAX_GUESSES)
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

type NearTo = (word: string, mistakes: number) => NearWord[]

function withGuesses(
  near: NearTo,
  word: string,
  unknown: boolean,
  level: (typeof LEVELS)[number],
): Term[] {
  const typed = unknown ? [] : asTyped(word)
  const length = [...word].length
  if (length < level.letters) return typed
  const guesses = near(word, level.mistakes).filter(
    (each) =>
      (each.isComplete || !level.isComplete) &&
      !typed.some(({ text }) => each.text.startsWith(text)),
  )
  return [...typed, ...guesses.map(termOf)]
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
