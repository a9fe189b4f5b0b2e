import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { modulesFolder, root } from './lib/paths.mjs'

/** The bans of our own rules: the planted file, its line, and the rule that must report it. */
const bans: readonly (readonly [path: string, line: string, rule: string])[] = [
  ['src/core/offers/a.ts', 'export const at = Date.now()', 'no-restricted-properties'],
  ['src/core/offers/b.ts', 'export const at = Math.random()', 'no-restricted-properties'],
  ['src/core/offers/c.ts', 'export const id = crypto.randomUUID()', 'no-restricted-properties'],
  ['src/core/offers/d.ts', 'setInterval(() => undefined, 1)', 'no-restricted-globals'],
  ['src/core/offers/e.ts', 'setTimeout(() => undefined, 1)', 'no-restricted-globals'],
  ['src/core/offers/f.ts', "export const home = process.env['HOME']", 'no-process-env'],
  ['src/core/offers/g.ts', "console.log('x')", 'no-console'],
  ['server/domain/a.ts', 'export const at = Date.now()', 'no-restricted-properties'],
  ['server/domain/b.ts', 'setInterval(() => undefined, 1)', 'no-restricted-globals'],
  ['server/http/a.ts', "console.log('x')", 'no-console'],
  ['src/renderer/a.tsx', "export const answer = fetch('/x')", 'no-restricted-globals'],
  ['src/renderer/b.ts', 'export const request = new XMLHttpRequest()', 'no-restricted-globals'],
  ['src/renderer/c.ts', "localStorage.setItem('a', 'b')", 'no-restricted-globals'],
  ['src/renderer/d.ts', "console.log('x')", 'no-console'],
  ['src/main/a.ts', 'export const a: any = 1', 'no-explicit-any'],
  ['src/main/b.ts', '// @ts-ignore\nexport const b = 1', 'ban-ts-comment'],
  ['src/main/c.ts', '// TODO later\nexport const c = 1', 'no-warning-comments'],
  [
    'src/main/d.ts',
    "import { DatabaseSync } from 'node:sqlite'\nexport const d = DatabaseSync",
    'no-restricted-imports',
  ],
  [
    'src/main/e.test.ts',
    "import { expect, test } from 'vitest'\ntest.only('x', () => { expect(1).toBe(1) })",
    'no-focused-tests',
  ],
  [
    'src/main/f.test.ts',
    "import { expect, test } from 'vitest'\ntest.skip('x', () => { expect(1).toBe(1) })",
    'no-disabled-tests',
  ],
]

const lawful: readonly (readonly [path: string, line: string])[] = [
  ['src/core/clock.ts', 'export const at = () => Date.now()'],
  ['src/core/offers/a.test.ts', 'export const at = Date.now()'],
  ['src/browser-host/a.ts', "export const home = process.env['HOME']"],
  ['src/renderer/lib/core/core-connection.ts', "export const answer = fetch('/session')"],
  ['src/core/service-client/a.ts', "export const answer = fetch('http://127.0.0.1')"],
]

/**
 * Plants the lines in a folder with the layout of the repository, and returns the linter's output
 * as lines.
 */
function lint(
  files: readonly (readonly [path: string, line: string, ...rest: string[]])[],
): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'keydesk-lint-'))
  try {
    copyFileSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
    for (const [path, line] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), `${line}\n`)
    }
    const { stdout } = spawnSync(
      process.execPath,
      [join(modulesFolder, 'oxlint', 'bin', 'oxlint'), '-f', 'unix', '.'],
      { cwd: folder, encoding: 'utf8' },
    )
    return stdout
      .split('\n')
      .filter((line) => line.includes('[Error/'))
      .map((line) => line.replace(/^\.\//, ''))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

let refused: string[] = []
let alsoRefused: string[] = []

beforeAll(() => {
  refused = lint(bans)
  alsoRefused = lint(lawful)
})

describe('lint', () => {
  test.each(bans)('in %s `%s` is rejected by %s', (path, _line, rule) => {
    expect(refused.filter((line) => line.startsWith(`${path}:`)).join('\n')).toContain(`(${rule})`)
  })

  test.each(lawful)('in %s `%s` is allowed', (path) => {
    expect(alsoRefused.filter((line) => line.startsWith(`${path}:`))).toEqual([])
  })

  /**
   * Lint can ban `Date.now` but not the constructor without arguments, because `new Date(text)` is
   * needed.
   */
  test('core and domain never read the system time with `new Date()`', () => {
    const files = globSync('{src/core,server/domain}/**/*.ts', { cwd: root }).filter(
      (path) => !/\.test\.ts$|\/testing\//.test(path),
    )
    expect(files.length).toBeGreaterThan(0)
    expect(
      files.filter((path) => /\bnew Date\(\s*\)/.test(readFileSync(join(root, path), 'utf8'))),
    ).toEqual([])
  })
})
