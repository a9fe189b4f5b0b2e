import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A source file, named relative to the folder it was read from. */
export interface Source {
  name: string
  text: string
}

/** The source files below a folder, without tests. */
export const sourcesIn = (folder: string): Source[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))

/** The components of the page. */
export const components = sourcesIn('src/renderer').filter(({ name }) => name.endsWith('.tsx'))

/** Where the tag that begins at an index ends: the first `>` outside braces and quotes. */
function endOfTag(text: string, from: number): number {
  let depth = 0
  let quote: string | null = null
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at)
    if (quote !== null) quote = char === quote ? null : quote
    else if (depth === 0 && char === '"') quote = char
    else if (char === '{') depth += 1
    else if (char === '}') depth -= 1
    else if (char === '>' && depth === 0) return at
  }
  return text.length
}

/** A button in the source: its properties and its content, beginning with its first word. */
export interface ButtonSource {
  props: string
  label: string
}

/** The buttons with a label in a file. */
export const buttonsOf = (text: string): ButtonSource[] =>
  [...text.matchAll(/<Button\b/g)].flatMap(({ index }) => {
    const end = endOfTag(text, index)
    if (text.charAt(end - 1) === '/') return []
    return [
      {
        props: text.slice(index + '<Button'.length, end),
        label: text.slice(end + 1, text.indexOf('</Button>', end)).replace(/^[\s{'"`]+/, ''),
      },
    ]
  })
