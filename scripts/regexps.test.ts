import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { analyse } from 'scslre'
import { expect, test } from 'vitest'
import { root } from './lib/paths.mjs'

/*
 * Files, messages, names and responses come from other people. An expression whose time grows with
 * the square of its text lets one of them stop Keydesk: 800 line feeds once took 49 s.
 */

type Expression = { source: string; flags: string }

const files = globSync('{src,server}/**/*.{ts,tsx}', { cwd: root }).filter(
  (path) => !/[.]test[.]tsx?$|[/]testing[/]/.test(path),
)
const codeOf = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The regular expressions that a file contains as literals. */
function literalsOf(path: string, code: string): Expression[] {
  const found: Expression[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if ('regex' in node && typeof node.regex === 'object') {
      const { pattern, flags } = node.regex as { pattern: string; flags: string }
      found.push({ source: pattern, flags })
    }
    for (const child of Object.values(node)) visit(child)
  }
  visit(parseSync(path, code).program)
  return found
}

/** The regular expressions that a module builds from strings while it is loaded. */
async function builtBy(path: string): Promise<Expression[]> {
  const found: Expression[] = []
  const real = globalThis.RegExp
  globalThis.RegExp = new Proxy(real, {
    construct(target, [source, flags]: [string | RegExp, string?]) {
      const made = new target(source, flags)
      found.push({ source: made.source, flags: made.flags })
      return made
    },
  })
  try {
    await import(join(root, path))
  } finally {
    globalThis.RegExp = real
  }
  return found
}

const slowOnes = (path: string, expressions: readonly Expression[]): string[] =>
  expressions
    .filter((expression) => analyse(expression, { reportTypes: { Move: true } }).reports.length > 0)
    .map(({ source, flags }) => `${path}: /${source}/${flags}`)

test('every regular expression takes time in proportion to its text', () => {
  const found = files.map((path) => ({ path, literals: literalsOf(path, codeOf(path)) }))
  expect(found.flatMap(({ literals }) => literals).length).toBeGreaterThan(250)
  expect(found.flatMap(({ path, literals }) => slowOnes(path, literals))).toEqual([])
})

test('so does every expression that a module builds from strings', async () => {
  const slow: string[] = []
  let count = 0
  for (const path of files.filter((each) => /new RegExp[(]/.test(codeOf(each)))) {
    const built = await builtBy(path)
    count += built.length
    slow.push(...slowOnes(path, built))
  }
  expect(count).toBeGreaterThan(8)
  expect(slow).toEqual([])
})

test('recognizes expressions that backtrack', () => {
  for (const source of ['(a+)+$', String.raw`\s+$`, '^a*a*$', String.raw`^x\s*(?:,\s*)?\s*y`])
    expect(slowOnes('planted', [{ source, flags: '' }]), source).toHaveLength(1)
})
