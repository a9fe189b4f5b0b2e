/**
 * A vocabulary word, or a prefix of several, that is a few typing mistakes away from the typed
 * text.
 */
export type NearWord = {
  text: string
  /** True for a complete word of the vocabulary, false for a prefix of words. */
  isComplete: boolean
  /**
   * Number of insertions, deletions, substitutions and swaps of adjacent letters (optimal string
   * alignment).
   */
  distance: number
}

/**
 * The smallest text that sorts after every text starting with `letters`, or undefined if there is
 * none.
 */
function afterAll(letters: readonly string[]): string | undefined {
  for (let last = letters.length - 1; last >= 0; last -= 1) {
    const code = letters[last]?.codePointAt(0) ?? 0
    if (code >= 0x10ffff) continue
    return (
      letters.slice(0, last).join('') + String.fromCodePoint(code === 0xd7ff ? 0xe000 : code + 1)
    )
  }
  return undefined
}

/**
 * Walks a sorted vocabulary like a trie and returns the complete words and shortest prefixes at
 * most `most` edits away from `typed`. `seek` returns the first word at or after a text in code
 * point order. Even a vocabulary of a million words takes only a few hundred seeks, and no
 * allocation grows with it.
 */
export function findNearWords(
  typed: string,
  most: number,
  seek: (from: string) => string | undefined,
): NearWord[] {
  const query = [...typed]
  const length = query.length
  /**
   * rows[d]: distances between the first d letters of the current word and each prefix of the
   * query.
   */
  const rows: number[][] = [Array.from({ length: length + 1 }, (_, i) => i)]
  /** prefixNear[d]: whether any of the first d prefixes of the current word was near enough. */
  const prefixNear: boolean[] = [length <= most]
  let letters: string[] = []
  const found: NearWord[] = []

  let from: string | undefined = ''
  while (from !== undefined) {
    const word = seek(from)
    if (word === undefined) break
    const wanted = [...word]
    let depth = 0
    while (depth < letters.length && depth < wanted.length && letters[depth] === wanted[depth])
      depth += 1
    rows.length = depth + 1
    prefixNear.length = depth + 1
    letters = wanted.slice(0, depth)

    let dead = false
    while (depth < wanted.length && !dead) {
      const letter = wanted[depth] ?? ''
      const row = nextRow(rows, letters, letter, query)
      letters.push(letter)
      depth += 1
      rows.push(row)
      const distance = row[length] ?? most + 1
      const before = prefixNear[depth - 1] ?? false
      if (distance <= most && !before)
        found.push({ text: letters.join(''), isComplete: false, distance })
      prefixNear.push(before || distance <= most)
      dead = Math.min(...row) > most
    }
    if (dead) {
      from = afterAll(letters)
      continue
    }
    const distance = rows[wanted.length]?.[length] ?? most + 1
    if (distance <= most) found.push({ text: word, isComplete: true, distance })
    from = `${word}\u0001`
  }
  return found
}

/** The row for one more letter, computed from the last two rows. */
function nextRow(
  rows: readonly number[][],
  letters: readonly string[],
  letter: string,
  query: readonly string[],
): number[] {
  const above = rows[rows.length - 1] ?? []
  const twoAbove = rows[rows.length - 2]
  const previousLetter = letters[letters.length - 1]
  const row = [(above[0] ?? 0) + 1]
  for (let i = 1; i <= query.length; i += 1) {
    const same = query[i - 1] === letter
    let best = Math.min(
      (above[i - 1] ?? 0) + (same ? 0 : 1),
      (above[i] ?? 0) + 1,
      (row[i - 1] ?? 0) + 1,
    )
    if (
      twoAbove !== undefined &&
      i > 1 &&
      query[i - 2] === letter &&
      query[i - 1] === previousLetter
    )
      best = Math.min(best, (twoAbove[i - 2] ?? 0) + 1)
    row.push(best)
  }
  return row
}
