import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'
import { root } from './lib/paths.mjs'

const page = readFileSync(join(root, 'docs/conformance.md'), 'utf8')
const states = [...page.matchAll(/^\| (\w+) \| .* \|$/gm)]
  .map(([, word = '']) => word)
  .filter((word) => word !== 'state')
const chapters = [
  'Partner Ordering API',
  'Decisions 1–22',
  'Decisions 33 and 34',
  'Seller Import API',
  'Decisions 23–32',
  'Decisions 35–48',
  'Starting and the dashboard interface',
]

interface Row {
  chapter: string
  line: string
  cells: string[]
}

/** Every row of a table below a chapter's heading, without the table's header rows. */
function rowsOf(text: string): Row[] {
  let chapter = ''
  return text.split('\n').flatMap((line) => {
    chapter = /^## (.*)$/.exec(line)?.[1] ?? chapter
    if (chapter === '' || !line.startsWith('|') || /^\| (?:---|sentence) \|/.test(line)) return []
    return [
      {
        chapter,
        line,
        cells: line
          .slice(1, -1)
          .split(/(?<!\\)\|/)
          .map((cell) => cell.trim().replaceAll('\\|', '|')),
      },
    ]
  })
}

interface Title {
  pattern: RegExp
  written: string
}
interface Node {
  type?: string
  [field: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** `it`, `test`, `it.each(…)`, `test.skipIf(…)`: the name at the start of such a chain. */
function callerOf(node: unknown): unknown {
  if (!isNode(node)) return undefined
  return node['type'] === 'Identifier' ? node['name'] : callerOf(node['callee'] ?? node['object'])
}

const textOf = (node: unknown): string | undefined =>
  isNode(node) && node['type'] === 'Literal' && typeof node['value'] === 'string'
    ? node['value']
    : undefined

/**
 * All titles of a file's tests, without the tag of long ones. They are read from its syntax tree,
 * so that commented-out tests don't count.
 */
function titlesOf(node: unknown): Title[] {
  if (Array.isArray(node)) return node.flatMap(titlesOf)
  if (!isNode(node)) return []
  const below = Object.values(node).flatMap(titlesOf)
  const title =
    node['type'] === 'CallExpression' && Array.isArray(node['arguments'])
      ? textOf(node['arguments'][0])?.replace(/ @long$/, '')
      : undefined
  if (title === undefined || !['it', 'test'].includes(String(callerOf(node['callee']))))
    return below
  const pattern = title
    .split(/%[sjdifoO#]|\$[\w.]+/)
    .map(escaped)
    .join('(.+)')
  return [{ written: title, pattern: new RegExp(`^${pattern}$`, 'u') }, ...below]
}

const files = new Map<string, { text: string; titles: Title[] }>()
function testsOf(path: string): { text: string; titles: Title[] } {
  const known = files.get(path)
  if (known !== undefined) return known
  const text = readFileSync(join(root, path), 'utf8')
  const read = { text, titles: titlesOf(parseSync(path, text).program) }
  files.set(path, read)
  return read
}

/**
 * Whether a file has a test with this title. The parts that a table fills in must appear somewhere
 * in the file.
 */
function hasTest(path: string, title: string): boolean {
  const { text, titles } = testsOf(path)
  return titles.some(
    (each) =>
      each.written === title ||
      (each.pattern
        .exec(title)
        ?.slice(1)
        .every((part) => text.includes(part)) ??
        false),
  )
}

const citations = (cell: string): { path: string; title: string }[] =>
  cell.split('<br>').map((each) => {
    const [, path = '', title = ''] = /^`([^`]+)` › (.+)$/.exec(each.trim()) ?? []
    return { path, title }
  })

function complaintsAbout({ cells, line }: Row): string[] {
  const [sentence = '', tests = '', state = '', ...more] = cells
  const word = /^\w+/.exec(state)?.[0] ?? ''
  if (more.length > 0 || sentence === '') return [`not three cells: ${line}`]
  if (!states.includes(word)) return [`no such state: ${line}`]
  if (word !== 'holds' && state === word) return [`the missing part is not described: ${line}`]
  if (word === 'open' && tests === '–') return []
  return citations(tests).flatMap(({ path, title }) => {
    if (!/\.(?:test|spec)\.tsx?$|\/testing\//.test(path) || !existsSync(join(root, path)))
      return [`no such test file: ${line}`]
    return hasTest(path, title) ? [] : [`no such test in ${path}: ${title}`]
  })
}

describe('the conformance page', () => {
  const rows = rowsOf(page)

  it('has every chapter once, each with at least one row', () => {
    const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)
    expect(headings).toEqual(chapters)
    expect(chapters.filter((heading) => !rows.some(({ chapter }) => chapter === heading))).toEqual(
      [],
    )
  })

  it('gives every sentence an existing test and a state', () => {
    expect(rows.flatMap(complaintsAbout)).toEqual([])
  })

  it('lists every sentence once per chapter', () => {
    const told = rows.map(({ chapter, cells }) => `${chapter}: ${cells[0] ?? ''}`)
    expect(told.filter((each, index) => told.indexOf(each) !== index)).toEqual([])
  })
})

describe('the check itself', () => {
  const row = (tests: string, state: string): string[] =>
    rowsOf(`## A\n\n| ${tests.startsWith('|') ? '' : 'Sentence | '}${tests} | ${state} |`).flatMap(
      complaintsAbout,
    )
  const here = '`scripts/conformance.test.ts`'

  it('reports a row that breaks a rule', () => {
    expect(row(`${here} › reports a row that breaks a rule`, 'holds')).toEqual([])
    expect(row(`${here} › reports a row`, 'holds')).toHaveLength(1)
    expect(
      row(`${here} › reports a row that breaks a rule<br>${here} › another`, 'holds'),
    ).toHaveLength(1)
    expect(row('`scripts/nowhere.test.ts` › sees', 'holds')).toHaveLength(1)
    expect(row('`scripts/lib/paths.mjs` › root', 'holds')).toHaveLength(1)
    expect(row('–', 'holds')).toHaveLength(1)
    expect(row('–', 'open: not tested yet')).toEqual([])
    expect(row('–', 'open')).toHaveLength(1)
    expect(row(`${here} › reports a row that breaks a rule`, '')).toHaveLength(1)
    expect(row(`${here} › reports a row that breaks a rule`, 'surely')).toHaveLength(1)
  })

  it.each(['written', 'case'])('accepts a table title with %s', (word) => {
    expect(hasTest('scripts/conformance.test.ts', `accepts a table title with ${word}`)).toBe(true)
    expect(hasTest('scripts/conformance.test.ts', 'accepts a table title with %s')).toBe(true)
    expect(
      hasTest(
        'scripts/conformance.test.ts',
        ['accepts a table title with', 'unheard of'].join(' '),
      ),
    ).toBe(true)
    expect(
      hasTest('scripts/conformance.test.ts', ['accepts a table title with un', 'told'].join('')),
    ).toBe(false)
  })
})
