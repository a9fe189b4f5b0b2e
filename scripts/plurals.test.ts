import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from './lib/paths.mjs'

/** Plurals made by hand: `count === 1 ? 'key' : 'keys'`, and an `s` that depends on a count. */
const handMade = /[!=]== 1\s*\? '|\? '' : 's'/g

const findPlurals = (text: string): string[] =>
  Array.from(text.matchAll(handMade), ({ index }) => {
    const line = text.lastIndexOf('\n', index) + 1
    return text.slice(line, text.indexOf('\n', line)).trim()
  })

const sources = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.test)\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))

describe('plurals', () => {
  test.each([
    "{count === 1 ? 'key' : 'keys'}",
    // oxlint-disable-next-line eslint/no-template-curly-in-string -- Source text to find.
    "`${count} key${count === 1 ? '' : 's'}`",
    "count !== 1 ? 'keys' : 'key'",
    "count === 1\n  ? 'key' : 'keys'",
  ])('finds %s', (line) => {
    expect(findPlurals(`const a = 1\n${line}\n`)).toEqual([line.split('\n')[0]])
  })

  test.each(['src/renderer', 'src/main', 'src/browser-host'])(
    'in %s come from the catalogues, which translators can read',
    (folder) => {
      const found = sources(folder).flatMap((file) => findPlurals(readFileSync(file, 'utf8')))
      expect(sources(folder).length).toBeGreaterThan(3)
      expect(found).toEqual([])
    },
  )
})
