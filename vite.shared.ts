import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

/** The build target for everything outside the window: Node 24, and Electron's own Node. */
export const nodeTarget = 'node24'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

/** The packages with native code. No bundle contains them, and an installed app has only these. */
export const nativePackages = ['better-sqlite3', 'keytar'] as const

/**
 * The version and the source of updates, inserted into each bundle, so that none reads files of the
 * repository at run time. `KEYDESK_UPDATE_SOURCE` names another file, for tests.
 */
export const versionConstant = {
  __KEYDESK_VERSION__: JSON.stringify(version),
  __KEYDESK_UPDATE_SOURCE__: readFileSync(
    process.env['KEYDESK_UPDATE_SOURCE'] ?? 'resources/update-source.json',
    'utf8',
  ),
}

export type SeparateBuild = {
  name: string
  input: Record<string, string>
}

/**
 * Worker files by name: `src/core/key-import/judge.worker.ts` becomes `judge`, built as
 * `out/workers/judge.js`.
 */
function workers(): Record<string, string> {
  const found: Record<string, string> = {}
  const paths = globSync('src/{core,platform}/**/*.worker.ts', { exclude: ['**/testing/**'] })
  for (const path of paths.sort()) {
    const name = basename(path, '.worker.ts')
    if (found[name] !== undefined)
      throw new Error(`Two workers have the name ${name}: ${found[name]} and ${path}`)
    found[name] = path
  }
  return found
}

/**
 * The programs that are built separately from electron-vite's three, so that no shared chunk can
 * pull `electron` in. The name is the folder in out/. They contain their packages, except native
 * ones: a program starts faster from one file than from hundreds.
 */
export const separateBuilds: readonly SeparateBuild[] = [
  { name: 'browser-host', input: { index: 'src/browser-host/index.ts' } },
  { name: 'core', input: { 'core-entry': 'src/main/core-entry.ts' } },
  { name: 'workers', input: workers() },
  {
    name: 'server',
    input: { main: 'server/main.ts', library: 'server/package/library.ts' },
  },
]
