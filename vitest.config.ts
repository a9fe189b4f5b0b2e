import { keepCompiled } from './scripts/lib/compiled.mjs'
import { defineConfig } from 'vitest/config'

keepCompiled()

/**
 * Separate processes: better-sqlite3 and the workers under test belong to one file each. A repetition would only hide a race, so there is none at a desk; continuous
 * integration repeats a failed test once and names it as flaky in the last line, as it does with those in the browser.
 */
const common = { environment: 'node', pool: 'forks', testTimeout: 60_000, hookTimeout: 60_000, restoreMocks: true, retry: process.env['CI'] === undefined ? 0 : 1 } as const

/**
 * `unit` needs no build; `built` runs what is in out/. Each names its files, because Playwright's specs in e2e/ have their own runner.
 */
export default defineConfig({
  test: {
    // One more than the cores that everybody has: many files wait for a process or a clock of their own.
    maxWorkers: 3,
    projects: [
      { test: { ...common, name: 'unit', include: ['{server,src,scripts,bench}/**/*.test.{ts,tsx}'] } },
      { test: { ...common, name: 'built', include: ['e2e/**/*.test.ts'] } },
    ],
  },
})
