/** Characters of other people's words that are drawn at first, and more each time somebody asks. */
export const PART = 12_000
/** A part ends at a space when one stands so near its end. */
const NEAR = 400
/**
 * Runs of letters without a space are drawn in pieces of so many: fonts shape a run as a whole, and
 * over for each of its lines.
 */
const RUN = 200

/**
 * Where a part that begins at `from` ends: after a line or a word where that is near, never within
 * a letter.
 */
function endOf(text: string, from: number): number {
  const to = from + PART
  if (to >= text.length) return text.length
  const tail = text.slice(to - NEAR, to)
  const space = Math.max(tail.lastIndexOf('\n'), tail.lastIndexOf(' '))
  if (space >= 0) return to - NEAR + space + 1
  return /[\uDC00-\uDFFF]/.test(text.charAt(to)) ? to - 1 : to
}

/** The first parts of a text, `most` at most, and how many characters they hold. */
export function partsOf(text: string, most: number): { parts: string[]; shown: number } {
  const parts: string[] = []
  let from = 0
  while (parts.length < most && from < text.length) {
    const to = endOf(text, from)
    parts.push(text.slice(from, to))
    from = to
  }
  return { parts, shown: from }
}

// Signs that lines break between anyway are no run.
const run = new RegExp(
  `[^\\s\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}]{${RUN + 1},}`,
  'gu',
)
const piece = new RegExp(`.{1,${RUN}}`, 'gsu')

/** A text in its order: what is drawn as it stands, and pieces of runs without an end. */
export function piecesOf(text: string): { text: string; isPiece: boolean }[] {
  const pieces: { text: string; isPiece: boolean }[] = []
  let from = 0
  for (const { 0: found, index } of text.matchAll(run)) {
    if (index > from) pieces.push({ text: text.slice(from, index), isPiece: false })
    for (const [some] of found.matchAll(piece)) pieces.push({ text: some, isPiece: true })
    from = index + found.length
  }
  return from < text.length ? [...pieces, { text: text.slice(from), isPiece: false }] : pieces
}
