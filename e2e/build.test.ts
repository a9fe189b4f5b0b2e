import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { builtFolder, root } from '../scripts/lib/paths.mjs'
import { separateBuilds } from '../vite.shared.ts'

const built = (pattern: string): string[] => globSync(pattern, { cwd: builtFolder }).sort()
const read = (path: string): string => readFileSync(join(builtFolder, path), 'utf8')

const statements = /^(?:import|export)\b[^"';]*["']([^"'.][^"']*)["'];?$/gm
const calls = /\b(?:import|require)\(\s*["']([^"'.][^"']*)["']\s*\)/g
/** The code the bundler emits for a `require` of an external package. */
const leftOutside = /\b__require\(\s*["']([^"'.][^"']*)["']\s*\)/g

/** Names of the packages a built module imports, in any form. */
function packagesOf(path: string, ways: readonly RegExp[] = [statements, calls]): string[] {
  const specifiers = ways
    .flatMap((pattern) => [...read(path).matchAll(pattern)])
    .map(([, specifier]) => specifier ?? '')
  const packages = specifiers.filter(
    (specifier) => !specifier.startsWith('node:') && !builtinModules.includes(specifier),
  )
  return [
    ...new Set(
      packages.map((specifier) =>
        specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/'),
      ),
    ),
  ]
}

describe('build output', () => {
  test('contains every entry', () => {
    const entries = separateBuilds.flatMap(({ name, input }) =>
      Object.keys(input).map((entry) => `${name}/${entry}.js`),
    )
    for (const path of [...entries, 'main/index.js', 'preload/index.cjs', 'renderer/index.html'])
      expect(built(path), path).toEqual([path])
  })

  test('imports only packages that an installation without tools has, outside the window', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>
    }
    const used = built('{browser-host,core,workers,main}/**/*.js').flatMap((path) =>
      packagesOf(path),
    )
    expect(used.length).toBeGreaterThan(0)
    expect(
      [...new Set(used)].filter((name) => name !== 'electron' && dependencies[name] === undefined),
    ).toEqual([])
  })

  test('bundles everything into the service except its database, even libraries whose texts contain "require"', () => {
    const used = built('server/**/*.js').flatMap((path) =>
      packagesOf(path, [statements, leftOutside]),
    )
    expect([...new Set(used)]).toEqual(['better-sqlite3'])
  })

  test('starts the service without loading TLS, which takes a twentieth of the time', () => {
    const tellsModules =
      'data:text/javascript,process.once("exit",()=>console.error(process.moduleLoadList.join()))'
    const service = join(builtFolder, 'server', 'main.js')
    const options = ['--memory', '--seed', 'empty', '--port', '0', '--exit-with-parent']
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', tellsModules, service, ...options],
      { input: '', encoding: 'utf8' },
    )
    expect(stdout).toContain('"ready":true')
    expect(stderr).toContain('NativeModule http,')
    expect(stderr).not.toMatch(/NativeModule (?:https|http2|tls),/)
  })

  test('builds preload as one CommonJS file, because a sandboxed window loads nothing else', () => {
    expect(built('preload/**/*.*')).toEqual(['preload/index.cjs'])
    expect(packagesOf('preload/index.cjs')).toEqual(['electron'])
    expect(read('preload/index.cjs')).not.toMatch(/^\s*(import|export)\b/m)
  })

  test('has no inline script, which the security policy would reject, and finds its files at any route depth', () => {
    const html = read('renderer/index.html')
    const scripts = [...html.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)]
    expect(scripts.length).toBeGreaterThan(0)
    for (const [, attributes, body] of scripts) {
      expect(body?.trim()).toBe('')
      expect(attributes).toMatch(/src="\/assets\//)
    }
    for (const [, address] of html.matchAll(/(?:src|href)="([^"]*)"/g))
      expect(address).toMatch(/^(\/assets\/|data:image\/)/)
  })
})
