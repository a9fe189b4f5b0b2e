import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

/**
 * The runtime that everything outside the window is built for: Node 24, and Electron's own Node.
 */
export const nodeTarget = 'node24'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

/** Put into each bundle so that none reads package.json at run time. */
export const versionConstant = { __KEYDESK_VERSION__: JSON.stringify(version) }

export type BuildApart = {
  name: string
  input: Record<string, string>
  /**
   * With the packages it uses, all but native ones: a program that has to start at once reads one
   * file, not hundreds.
   */
  whole?: boolean
}

/**
 * Worker files by their name: `src/core/key-import/judge.worker.ts` becomes `judge`, built as
 * `out/workers/judge.js`.
 */
function workers(): Record<string, string> {
  const found: Record<string, string> = {}
  for (const path of globSync('src/{core,platform}/**/*.worker.ts').sort()) {
    const name = basename(path, '.worker.ts')
    if (found[name] !== undefined)
      throw new Error(`Two workers are called ${name}: ${found[name]} and ${path}`)
    found[name] = path
  }
  return found
}

/**
 * What is built apart from electron-vite's three, each by itself so that no shared chunk can pull
 * `electron` in. The name is the folder below out/.
 */
export const buildsApart: readonly BuildApart[] = [
  { name: 'browser-host', input: { index: 'src/browser-host/index.ts' } },
  { name: 'core', input: { 'core-entry': 'src/main/core-entry.ts' } },
  { name: 'workers', input: workers() },
  { name: 'server', input: { main: 'server/main.ts' }, whole: true },
]
