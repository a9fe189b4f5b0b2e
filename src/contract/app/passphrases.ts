import { z } from 'zod'
import { procedure } from '../base.ts'

/**
 * A passphrase that a person chooses. The core rejects one that is easy to guess with
 * `WEAK_PASSPHRASE`.
 */
export const chosenPassphraseSchema = z.string().min(1).max(1024)

/** `weak` and `fair` passphrases are rejected. */
export const strengths = ['weak', 'fair', 'good', 'strong'] as const
export type Strength = (typeof strengths)[number]

const estimateSchema = z.object({
  strength: z.enum(strengths),
  /** The number of guesses an attacker needs, as a power of two. */
  bits: z.number().int(),
  isEnough: z.boolean(),
})
export type PassphraseEstimate = z.infer<typeof estimateSchema>

/** The number of words in a generated passphrase. */
export const wordCounts = [5, 6, 7] as const
export type WordCount = (typeof wordCounts)[number]

/** Judges and generates passphrases, on this computer. */
export const passphrasesContract = {
  /** How hard a passphrase is to guess. Nothing of it is stored. */
  estimate: procedure.input(z.object({ passphrase: z.string().max(1024) })).output(estimateSchema),
  /** Words chosen at random from a public list. */
  generate: procedure
    .input(z.object({ words: z.union([z.literal(5), z.literal(6), z.literal(7)]) }))
    .output(
      z.object({ words: z.array(z.string()), bits: z.number().int(), listed: z.number().int() }),
    ),
}
