import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './lib/paths.mjs'

const documents = globSync(['*.md', 'docs/**/*.md', 'resources/**/*.md', 'src/**/*.md'], {
  cwd: root,
}).sort()
const sources = globSync('{server,src,e2e,bench,scripts}/**/*.{ts,tsx,mjs}', { cwd: root })
  .sort()
  .filter((path) => path !== 'scripts/docs.test.ts')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const withoutCode = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, '')
/**
 * The text of comments without the stars at the start of their lines, so that a citation can span
 * two lines.
 */
const flat = (text: string): string => text.replaceAll(/\n\s*(?:\*|\/\/)? ?/g, ' ')

const headingsOf = (text: string): string[] =>
  [...withoutCode(text).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading ?? '')
/** A document's anchors on the web: those of its headings and those it defines itself. */
const anchorsOf = (text: string): string[] => [
  ...headingsOf(text).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  ),
  ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id ?? ''),
]

test('documents link only to existing targets', () => {
  const broken = documents.flatMap((path) => {
    const text = read(path)
    const links = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link]) => link ?? '')
      .filter((link) => !link.startsWith('https://'))
    return links
      .filter((link) => {
        const [file = '', anchor] = link.split('#')
        const target = file === '' ? path : relative(root, join(root, dirname(path), file))
        return (
          !existsSync(join(root, target)) ||
          (anchor !== undefined && !anchorsOf(read(target)).includes(anchor))
        )
      })
      .map((link) => `${path}: ${link}`)
  })
  expect(broken).toEqual([])
})

test('every picture is shown in a document', () => {
  const pictures = globSync('docs/pictures/**/*.png', { cwd: root })
  expect(pictures.length).toBeGreaterThan(15)
  const text = documents.map(read).join('\n')
  expect(
    pictures.filter((path) => !text.includes(`${relative('docs', path).replaceAll('\\', '/')})`)),
  ).toEqual([])
})

test('documents name only existing files', () => {
  const named = documents.flatMap((path) =>
    [
      ...withoutCode(read(path)).matchAll(
        /`((?:server|src|e2e|bench|scripts|docs|resources)\/[\w./-]+\.\w+)`/g,
      ),
    ].map(([, file]) => ({ path, file: file ?? '' })),
  )
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter(({ file }) => !existsSync(join(root, file)))).toEqual([])
})

test("the product's decisions are numbered without gaps in file names and first lines", () => {
  const files = globSync('docs/decisions/*.md', { cwd: root }).sort()
  expect(files.length).toBeGreaterThan(7)
  expect(files.map((path) => read(path).split('.', 1)[0])).toEqual(
    files.map((_, index) => `# ${index + 1}`),
  )
  expect(files.map((path) => Number(/\/(\d{4})-/.exec(path)?.[1]))).toEqual(
    files.map((_, index) => index + 1),
  )
})

/** `3 to 5` and `2, 3 and 5` as numbers. */
const numbersOf = (list: string): number[] =>
  list.split(/, | and /).flatMap((part) => {
    const [first = 0, last = first] = part.split(' to ').map(Number)
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
const list = String.raw`\d+(?:(?:, | and | to )\d+)*`

test('every cited decision of the service exists', () => {
  const present = new Set(
    [...read('docs/service/decisions.md').matchAll(/^<a id="d(\d+)"><\/a>\*\*Decision (\d+)\./gm)]
      .filter(([, id, number]) => id === number)
      .map(([, id]) => Number(id)),
  )
  expect([...present]).toEqual(Array.from({ length: present.size }, (_, index) => index + 1))
  const cited = sources.flatMap((path) =>
    [...flat(read(path)).matchAll(new RegExp(String.raw`\bDecisions? (${list})`, 'g'))].flatMap(
      ([, numbers = '']) => numbersOf(numbers).map((number) => ({ path, number })),
    ),
  )
  expect(cited.length).toBeGreaterThan(90)
  expect(cited.filter(({ number }) => !present.has(number))).toEqual([])
})

/** The headings of an API's page, with the number of numbered rules below each. */
function rulesOf(page: string): Map<string, number> {
  const parts = read(page).split(/^#+ /m).slice(1)
  return new Map(
    parts.map((part) => [part.split('\n', 1)[0] ?? '', [...part.matchAll(/^(\d+)\. /gm)].length]),
  )
}

test('every cited heading and rule of an API’s page exists', () => {
  const pages = new Map([
    ['Partner', rulesOf('docs/service/partner-api.md')],
    ['Seller', rulesOf('docs/service/seller-api.md')],
  ])
  const citation = /\b(Partner|Seller) API(?:,? "([^"]+)"|, (?=[A-Z])|,? \((?=[A-Z]+ \/))(.{0,60})/g
  const cited = sources
    .flatMap((path) =>
      [...flat(read(path)).matchAll(citation)].map(([, api = '', quoted, rest = '']) => ({
        path,
        api,
        quoted,
        rest,
      })),
    )
    .filter(({ quoted, rest }) => quoted !== undefined || !rest.startsWith('Decision'))
  expect(cited.length).toBeGreaterThan(20)
  const broken = cited.filter(({ api, quoted, rest }) => {
    const headings = pages.get(api) ?? new Map<string, number>()
    const heading =
      quoted ??
      [...headings.keys()].sort((a, b) => b.length - a.length).find((each) => rest.startsWith(each))
    const count = heading === undefined ? undefined : headings.get(heading)
    if (heading === undefined || count === undefined) return true
    const numbers = new RegExp(`^(?: rules?)? (${list})`).exec(
      quoted === undefined ? rest.slice(heading.length) : rest,
    )?.[1]
    return (
      numbers !== undefined && numbersOf(numbers).some((number) => number < 1 || number > count)
    )
  })
  expect(broken).toEqual([])
})
