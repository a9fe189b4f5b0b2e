import type { Canvas } from './canvas.ts'
import type { Paint } from './colour.ts'
import type { Glyph } from './glyphs.ts'
import { glyphs } from './glyphs.ts'
import type { Points } from './shapes.ts'
import { arc, rectangle, stroked } from './shapes.ts'

/**
 * Type settings: height of a capital in pixels, pen width and extra letter spacing as shares of it.
 */
export interface Lettering {
  height: number
  weight: number
  tracking: number
}

const kerned: Readonly<Record<string, number>> = {
  AV: -0.12,
  VA: -0.12,
  AT: -0.1,
  TA: -0.1,
  AW: -0.08,
  WA: -0.08,
  AY: -0.12,
  YA: -0.12,
  LT: -0.12,
  LY: -0.12,
  LV: -0.1,
  FA: -0.08,
  PA: -0.1,
  TO: -0.03,
  RT: -0.03,
}

const glyphOf = (letter: string): Glyph => {
  const glyph = glyphs[letter]
  if (glyph === undefined) throw new RangeError(`No glyph for the letter "${letter}"`)
  return glyph
}

/** Distance from one letter's left edge to the next one's. */
const advance = (
  letter: string,
  next: string | undefined,
  { height, weight, tracking }: Lettering,
): number =>
  (glyphOf(letter).width / 100) * (height - height * weight) +
  height * weight +
  (next === undefined ? 0 : height * (0.13 + tracking + (kerned[letter + next] ?? 0)))

/**
 * Width of a line of text in pixels. All text is set in capitals. Throws RangeError for a letter
 * without a glyph.
 */
export const textWidth = (text: string, style: Lettering): number => {
  const letters = [...text.toUpperCase()]
  return letters.reduce((sum, letter, index) => sum + advance(letter, letters[index + 1], style), 0)
}

interface Line {
  points: number[]
  /** Whether the first and last piece are parts of an arc, whose ends don't change. */
  roundStart: boolean
  roundEnd: boolean
}

/** The lines and dots of a glyph in its own units. */
const parse = (path: string): { lines: Line[]; dots: [number, number][] } => {
  const tokens = path.split(' ')
  const lines: Line[] = []
  const dots: [number, number][] = []
  let line: Line | null = null
  let at = 0
  const number = (): number => Number(tokens[at++])
  while (at < tokens.length) {
    const command = tokens[at++]
    if (command === 'M')
      lines.push((line = { points: [number(), number()], roundStart: false, roundEnd: false }))
    else if (command === 'L' && line !== null) {
      line.points.push(number(), number())
      line.roundEnd = false
    } else if (command === 'O') line = null
    else if (command === 'D') dots.push([number(), number()])
    else if (command === 'A') {
      const curve = arc(number(), number(), number(), number(), number(), number())
      const full =
        Math.hypot((curve[0] ?? 0) - (curve.at(-2) ?? 0), (curve[1] ?? 0) - (curve.at(-1) ?? 0)) <
        0.01
      // A closed ring overlaps its start a little, so that no seam is visible.
      if (full) curve.push(...curve.slice(2, 4))
      if (line === null || full)
        lines.push((line = { points: curve, roundStart: true, roundEnd: true }))
      else line.points.push(...curve)
      line.roundEnd = true
    }
  }
  return { lines, dots }
}

/**
 * Extends an end: a vertical one beyond the capital's edge, where the rows clip it flat; a
 * horizontal one by half the pen width.
 */
const extended = (
  points: readonly number[],
  fromX: number,
  fromY: number,
  x: number,
  y: number,
  pen: number,
  top: number,
  bottom: number,
): [number, number] => {
  const length = Math.hypot(x - fromX, y - fromY) || 1
  const steep = Math.abs(y - fromY) > Math.abs(x - fromX) * 0.4
  const atEdge = y <= top + pen / 2 + 0.01 || y >= bottom - pen / 2 - 0.01
  const more = steep && atEdge ? pen * 1.2 : steep ? 0 : pen / 2
  return points.length < 4
    ? [x, y]
    : [x + ((x - fromX) / length) * more, y + ((y - fromY) / length) * more]
}

const outline = (glyph: Glyph, left: number, top: number, style: Lettering): Points[] => {
  const pen = style.height * style.weight
  const scale = (style.height - pen) / 100
  const place = (value: number, index: number): number =>
    (index % 2 === 0 ? left : top) + pen / 2 + value * scale
  const { lines, dots } = parse(glyph.path)
  const bottom = top + style.height
  const strokes = lines.flatMap(({ points, roundStart, roundEnd }) => {
    const placed = points.map(place)
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = placed
    const [x2 = 0, y2 = 0, x3 = 0, y3 = 0] = placed.slice(-4)
    if (!roundStart) placed.splice(0, 2, ...extended(placed, x1, y1, x0, y0, pen, top, bottom))
    if (!roundEnd) placed.splice(-2, 2, ...extended(placed, x2, y2, x3, y3, pen, top, bottom))
    return stroked(placed, pen)
  })
  const side = pen * 1.12
  const squares = dots.map(([x, y]) =>
    rectangle(place(x, 0) - side / 2, place(y, 1) - pen / 2 - (side - pen), side, side),
  )
  return [...strokes, ...squares]
}

/**
 * Draws a line of text in capitals; `x` and `top` are the upper left corner of its first letter.
 * Returns the width.
 */
export const drawText = (
  canvas: Canvas,
  text: string,
  x: number,
  top: number,
  style: Lettering,
  paint: Paint,
): number => {
  const letters = [...text.toUpperCase()]
  const upper = Math.round(top)
  const height = Math.round(style.height)
  let left = x
  letters.forEach((letter, index) => {
    const glyph = glyphOf(letter)
    const rows =
      glyph.descends === true
        ? { from: upper, to: upper + height * 2 }
        : { from: upper, to: upper + height }
    canvas.fill(outline(glyph, left, upper, { ...style, height }), paint, rows)
    left += advance(letter, letters[index + 1], style)
  })
  return left - x
}

/** Removes the characters that have no glyph: first only the accents, then the letter itself. */
export const drawable = (text: string): string =>
  [...text.normalize('NFKD').replaceAll('’', "'")]
    .filter((letter) => letter.toUpperCase() in glyphs)
    .join('')
