import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from './lib/paths.mjs'

const MAX_COLUMNS = 120
const folders = ['src', 'server', 'e2e', 'bench', 'scripts', 'docs']
const kinds = /\.(?:tsx?|mjs|css|html|md)$/
/** What a program prints, as it prints it. */
const literalOutput = /^\{"ready":true,/

/**
 * @param name decides about the rows of Markdown tables, which can't be wrapped
 * @returns the numbers of the lines that are too long
 */
function longLines(name: string, text: string): number[] {
  const isTableRow = (line: string): boolean =>
    name.endsWith('.md') && line.trimStart().startsWith('|')
  return text
    .split('\n')
    .flatMap((line, index) =>
      line.length <= MAX_COLUMNS || isTableRow(line) || literalOutput.test(line) ? [] : [index + 1],
    )
}

/** A line that git writes into a file with conflicting changes. */
const conflictMarker = /^(?:<{7} |>{7} |={7}$)/m

const files = (): string[] => [
  ...readdirSync(root).filter((name) => kinds.test(name)),
  ...folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && kinds.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name))),
  ),
]

describe('line length', () => {
  const long = 'x'.repeat(MAX_COLUMNS + 1)

  test('finds lines of more than 120 columns, but no rows of Markdown tables', () => {
    expect(longLines('a.ts', `${'x'.repeat(MAX_COLUMNS)}\n${long}\n| ${long} |`)).toEqual([2, 3])
    expect(longLines('a.md', `${long}\n| ${long} |`)).toEqual([1])
  })

  test('no line of the sources and the documentation has more than 120 columns', () => {
    const found = files().flatMap((name) =>
      longLines(name, readFileSync(join(root, name), 'utf8')).map((line) => `${name}:${line}`),
    )
    expect(files().length).toBeGreaterThan(1000)
    expect(found).toEqual([])
  })

  test('no file contains a conflict that was committed unresolved', () => {
    expect(conflictMarker.test(`a\n${'<'.repeat(7)} HEAD\nb`)).toBe(true)
    const found = files().filter((name) =>
      conflictMarker.test(readFileSync(join(root, name), 'utf8')),
    )
    expect(found).toEqual([])
  })
})
