import type { PassphraseEstimate, Strength, WordCount } from '../../contract/app/passphrases.ts'
import { failure } from '../failure.ts'
import type { Randomness } from '../randomness.ts'
import { guessingBits } from './guessing-bits.ts'
import { chooseWords, wordList } from './words.ts'

/**
 * The least a chosen passphrase must have: 10^12 guesses, which twelve random characters or three
 * unrelated words need. At 10,000 guesses a second, more than a rack of graphics cards makes at our
 * scrypt cost, they take years.
 */
const LEAST_BITS = 39
/** From here on, guessing takes centuries. */
const STRONG_BITS = 50
/** Below this, guessing takes hours. */
const FAIR_BITS = 26

export interface Passphrases {
  estimate(passphrase: string): Promise<PassphraseEstimate>
  generate(count: WordCount): Promise<{ words: string[]; bits: number; listed: number }>
  /** Throws Failure `WEAK_PASSPHRASE` for a passphrase that is easy to guess. */
  requireStrong(passphrase: string): Promise<void>
}

function strengthOf(bits: number): Strength {
  if (bits >= STRONG_BITS) return 'strong'
  if (bits >= LEAST_BITS) return 'good'
  return bits >= FAIR_BITS ? 'fair' : 'weak'
}

/**
 * Judges passphrases as an attacker would guess them, and generates them.
 *
 * @param known Words that an attacker tries first, such as the names of accounts.
 */
export function createPassphrases(random: Randomness, known: () => string[]): Passphrases {
  async function estimate(passphrase: string): Promise<PassphraseEstimate> {
    const bits = Math.floor(await guessingBits(passphrase.normalize('NFKC'), known()))
    return { bits, strength: strengthOf(bits), isEnough: bits >= LEAST_BITS }
  }
  return {
    estimate,
    async generate(count) {
      const list = await wordList()
      return {
        words: chooseWords(list, count, random),
        bits: Math.floor(count * Math.log2(list.length)),
        listed: list.length,
      }
    },
    async requireStrong(passphrase) {
      if ((await estimate(passphrase)).isEnough) return
      throw failure(
        'WEAK_PASSPHRASE',
        'This passphrase is too easy to guess.',
        'Add words that don’t belong together, or use generated words.',
        { effect: 'Nothing was changed.' },
      )
    },
  }
}
