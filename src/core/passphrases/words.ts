import type { Randomness } from '../randomness.ts'

/**
 * The long word list of the Electronic Frontier Foundation (CC BY 3.0 US): 7,776 words that are
 * easy to type and to tell apart. Loaded when it is first needed.
 */
export const wordList = async (): Promise<readonly string[]> =>
  (await import('secure-password-utilities/wordlists')).EFF_LONG_WORDLIST

/** Numbers of two random bytes. */
const RANGE = 2 ** 16

/** Chooses words, each with the same probability. The list has at most 65,536. */
export function chooseWords(
  list: readonly string[],
  count: number,
  random: Pick<Randomness, 'bytes'>,
): string[] {
  // Numbers at the end of the range would make the first words more probable.
  const fair = RANGE - (RANGE % list.length)
  const words: string[] = []
  while (words.length < count) {
    const number = random.bytes(2).readUInt16BE()
    const word = list[number % list.length]
    if (number < fair && word !== undefined) words.push(word)
  }
  return words
}
