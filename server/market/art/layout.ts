import type { Lettering } from './drawing/lettering.ts'
import { textWidth } from './drawing/lettering.ts'

/** A name split for typesetting: "Hollow Tide: The Drowned Bell – Deluxe Edition". */
export interface NameParts {
  /** The shared name of a series: "Hollow Tide". The same series always gets the same style. */
  series: string
  title: string
  /** The part after a dash or colon: "The Drowned Bell", "Deluxe Edition". */
  subtitles: string[]
}

export const nameParts = (name: string): NameParts => {
  const [first = name, ...subtitles] = name.split(/ – |: /)
  const [title = first] = first.split(' Gift Card ', 1)
  if (title !== first) subtitles.unshift(first.slice(title.length + 1).replace(/^Gift Card /, ''))
  return { series: title.replace(/ (\d+|I{1,3}|IV)$/, ''), title, subtitles }
}

export interface SetText {
  lines: string[]
  style: Lettering
  /** Height from the top of the first line to the bottom of the last. */
  height: number
}

/** Distance from one line's top to the next one's, in capital heights. */
export const lineStep = 1.32

const wrapped = (text: string, width: number, style: Lettering): string[] | null => {
  const lines: string[] = []
  // A number or an ampersand stays with the previous word.
  for (const word of text.split(/ (?!\d+$|I+$)/)) {
    const joined = `${lines.at(-1) ?? ''} ${word}`
    if (lines.length > 0 && textWidth(joined.trim(), style) <= width)
      lines[lines.length - 1] = joined
    else if (textWidth(word, style) <= width) lines.push(word)
    else return null
  }
  return lines
}

/**
 * Breaks a text into at most `maxLines` lines no wider than `width` pixels, as large as possible up
 * to `largest`. The size is never below six pixels: text that doesn't fit then gets more lines, or
 * one line that is too long.
 */
export const fitText = (
  text: string,
  width: number,
  largest: number,
  maxLines: number,
  style: Omit<Lettering, 'height'>,
): SetText => {
  for (let height = largest; ; height--) {
    const lines = wrapped(text, width, { ...style, height }) ?? [text]
    const fits =
      lines.length <= maxLines &&
      lines.every((line) => textWidth(line, { ...style, height }) <= width)
    if (fits || height <= 6)
      return {
        lines,
        style: { ...style, height },
        height: height * (1 + (lines.length - 1) * lineStep),
      }
  }
}
