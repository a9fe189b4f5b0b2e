import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { wordList } from './words.ts'

/**
 * The estimator looks at this many characters: its time grows faster than their number. The others
 * count for nothing, so that a long passphrase is never overrated.
 */
const EXAMINED = 64
/** Spellings such as `p4s5w0rd` that are tried for one passphrase. */
const MOST_SUBSTITUTIONS = 20

let estimator: Promise<ZxcvbnFactory> | null = null

/** The dictionaries are large, so they are loaded when a passphrase is first chosen. */
async function load(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Factory }, common, english, generated] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
    wordList(),
  ])
  return new Factory({
    dictionary: { ...common.dictionary, ...english.dictionary, generated: [...generated] },
    graphs: common.adjacencyGraphs,
    maxLength: EXAMINED,
    l33tMaxSubstitutions: MOST_SUBSTITUTIONS,
  })
}

/**
 * How many guesses an attacker needs for a passphrase, as a power of two: an attacker who knows
 * common passwords, names, keyboards, dates and the list of our generated words.
 *
 * @param known Words that this attacker tries first.
 */
export async function guessingBits(passphrase: string, known: string[]): Promise<number> {
  if (passphrase === '') return 0
  estimator ??= load()
  const { guessesLog10 } = (await estimator).check(passphrase, ['keydesk', ...known])
  return Math.min(guessesLog10 / Math.log10(2), await generatedBits(passphrase))
}

/** The bits of a passphrase that we could have generated; infinite for any other. */
async function generatedBits(passphrase: string): Promise<number> {
  const list = await wordList()
  const words = passphrase.trim().split(/\s+/)
  return words.every((word) => list.includes(word))
    ? words.length * Math.log2(list.length)
    : Number.POSITIVE_INFINITY
}
