import { enableCompileCache } from './scripts/lib/compile-cache.mjs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'
import type { TestSpecification } from 'vitest/node'

enableCompileCache()

/**
 * Files that need their own process run first, because a shared process is stopped when the next
 * file can't use it.
 */
class SharedLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [true, false].flatMap((isolated) =>
      sorted.filter(({ project }) => project.config.isolate === isolated),
    )
  }
}

/**
 * Uses processes instead of threads, because better-sqlite3 and the workers under test are loaded
 * into each separately. Retries would only hide races, so there are none locally; continuous
 * integration retries a failed test once and reports it as flaky in the last line, as it does with
 * the browser tests.
 */
const common = {
  environment: 'node',
  // Sandboxes started by tests publish their keys here instead of in the user's data folder.
  env: { KEYDESK_SANDBOX_KEYS: join(tmpdir(), 'keydesk-test-sandbox-keys') },
  pool: 'forks',
  testTimeout: 60_000,
  hookTimeout: 60_000,
  restoreMocks: true,
  retry: process.env['CI'] === undefined ? 0 : 1,
} as const

/**
 * Most files share a process, because starting one and loading the same modules again takes longer
 * than most of the tests. Files that measure or test processes have their own.
 */
const alone = [
  'scripts/{child,core-dumps,electron,pack-sandbox,regexps,results,sandbox-command,start}.test.ts',
  'server/{branches,main,sandbox,smtp-post}.test.ts',
  'src/platform/**/*.test.ts',
]

/** Files that need several seconds each: decision 6. */
const long = '{server,src}/**/*.long.test.ts'

/**
 * `unit` and `unit, alone` need no build; `built` tests the files in out/; `packaged` packages the
 * app and tests its contents; `unit, long` and `soaks`, which runs a short slice of each bench and
 * soak, are left to a complete run. Each lists its files, because Playwright's specs in e2e/ have
 * their own runner.
 */
export default defineConfig({
  test: {
    // More than the number of cores, because many files wait for a process or a clock.
    maxWorkers: 3,
    sequence: { sequencer: SharedLast },
    globalSetup: ['./scripts/lib/vitest-workers.mjs'],
    projects: [
      {
        test: {
          ...common,
          name: 'unit',
          isolate: false,
          include: ['{scripts,server,src}/**/*.test.{ts,tsx}'],
          exclude: [...alone, long],
        },
      },
      { test: { ...common, name: 'unit, long', include: [long] } },
      { test: { ...common, name: 'unit, alone', include: alone } },
      {
        test: {
          ...common,
          name: 'built',
          include: ['e2e/**/*.test.ts'],
          exclude: ['e2e/packaged/**'],
        },
      },
      { test: { ...common, name: 'packaged', include: ['e2e/packaged/**/*.test.ts'] } },
      {
        test: {
          ...common,
          name: 'soaks',
          include: ['bench/**/*.test.ts'],
          exclude: ['bench/installed/desktop.test.ts'],
        },
      },
      { test: { ...common, name: 'desktop', include: ['bench/installed/desktop.test.ts'] } },
    ],
  },
})
