/**
 * Characters of a customer's text that are shown at first, and added with each request for more.
 */
export const PART = 12_000
/** A part ends at a space if there is one this close to its end. */
const NEAR = 400
/**
 * Length of the pieces into which a run of letters without a space is split: fonts shape a run as
 * one unit, and again for each of its lines.
 */
const RUN = 200

/**
 * The end of a part that starts at `from`: after a line or word if one is near, never within a
 * letter.
 */
function endOf(text: string, from: number): number {
  const to = from + PART
  if (to >= text.length) return text.length
  const tail = text.slice(to - NEAR, to)
  const space = Math.max(tail.lastIndexOf('\n'), tail.lastIndexOf(' '))
  if (space >= 0) return to - NEAR + space + 1
  return /[\uDC00-\uDFFF]/.test(text.charAt(to)) ? to - 1 : to
}

/** The first parts of a text, at most `most`, and the number of characters they contain. */
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

// Scripts that allow line breaks between letters have no such runs.
const run = new RegExp(
  `[^\\s\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}]{${RUN + 1},}`,
  'gu',
)
const piece = new RegExp(`.{1,${RUN}}`, 'gsu')

/** A text in order: ordinary text, and pieces of very long runs. */
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
