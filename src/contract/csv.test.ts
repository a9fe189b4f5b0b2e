import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { cents, plainEuros } from '../../server/api/money.ts'
import { csvText, exact } from './csv.ts'
import type { CsvForm } from './csv.ts'

const source = join(import.meta.dirname, '..')
const forms: readonly CsvForm[] = ['csv', 'tabs']

test('escapes text that a spreadsheet evaluates, and nothing else', () => {
  for (const start of ['=', '+', '-', '@', '\t', '\r', '\n'])
    for (const form of forms) {
      const text = csvText([[`${start}HYPERLINK("x")`]], form)
      expect(text.replace(/^"/, '').startsWith(`'${start}`), JSON.stringify(text)).toBe(true)
    }
  expect(csvText([['Key = value', 'a-b', 'a@b', '', null, true]])).toBe(
    'Key = value,a-b,a@b,,,true\r\n',
  )
})

test('numbers stay numbers, also negative amounts', () => {
  expect(csvText([[plainEuros(cents(-123_456)), -7, '-7', '12.50', '0']])).toBe(
    '-1234.56,-7,-7,12.50,0\r\n',
  )
  for (const wrong of ['-1-1', '+1', '-', '--1', '-1e9', '-0x10', '-1.', '-1,5'])
    expect(csvText([[wrong]], 'tabs'), wrong).toBe(`"'${wrong}"\r\n`)
})

test('keys stay exactly as they are', () => {
  expect(csvText([[exact('=AAAA-"B",C'), exact('-12')]])).toBe('"=AAAA-""B"",C",-12\r\n')
})

test('a reader gets every cell back, with at most an apostrophe in front', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2, maxLength: 4 }),
      fc.constantFrom(...forms),
      (cells, form) => {
        const text = csvText([cells], form)
        const { data } = Papa.parse<string[]>(text, {
          delimiter: form === 'csv' ? ',' : '\t',
          newline: '\r\n',
        })
        expect(data[0]?.map((cell, at) => (cell === `'${cells[at]}` ? cells[at] : cell))).toEqual(
          cells,
        )
        for (const cell of data[0] ?? [])
          expect(/^[=+\-@\t\r\n]/.test(cell) && !/^-?\d+(?:\.\d+)?$/.test(cell)).toBe(false)
      },
    ),
  )
})

/** Text that Keydesk reads again keeps its lines as they were. */
const readBack = [
  'core/key-import/parse/workbook/workbook.ts',
  'core/key-import/report/rejected-keys.ts',
  'core/key-import/report/import-report.ts',
  'renderer/features/key-import/start/sample-file.ts',
]

test('every exporter in the sources uses this helper', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: source })
    .map((path) => path.replaceAll('\\', '/'))
    .filter(
      (path) =>
        !/\.test\.tsx?$|\/testing\/|^contract\/csv\.ts$/.test(path) && !readBack.includes(path),
    )
    .map((path) => ({ path, text: readFileSync(join(source, path), 'utf8') }))
  // Text with doubled quotes or a library that writes tables is another way to write CSV.
  const others = files.filter(({ text }) =>
    /Papa\.unparse|escapeFormulae|replaceAll\('"', '""'\)|replace\(\/"\/g, '""'\)/.test(text),
  )
  expect(others.map(({ path }) => path)).toEqual([])
  // A file name that ends in .csv is an export: it or a module that it imports uses the helper.
  const uses = (path: string, depth = 2): boolean => {
    const file = files.find((each) => each.path === path)
    if (file === undefined) return false
    if (/from '[./]*(?:contract\/)?csv\.ts'/.test(file.text) && file.text.includes('csvText'))
      return true
    return (
      depth > 0 &&
      [...file.text.matchAll(/from '(\.[^']+)'/g)].some(([, target]) =>
        uses(join(path, '..', target ?? '').replaceAll('\\', '/'), depth - 1),
      )
    )
  }
  const exporters = files.filter(({ text }) => /\.csv[`']/.test(text)).map(({ path }) => path)
  expect(exporters.length).toBeGreaterThan(7)
  expect(exporters.filter((path) => !uses(path))).toEqual([])
})
