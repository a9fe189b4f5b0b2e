import { keepCompiled } from './scripts/lib/compiled.mjs'
import { defineConfig } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'
import type { TestSpecification } from 'vitest/node'

keepCompiled()

/**
 * Files that have a process to themselves go first: one that is shared is given up when the next
 * file is not for it.
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
 * Processes, no threads: better-sqlite3 and the workers under test are loaded into each for itself.
 * A repetition would only hide a race, so there is none at a desk; continuous integration repeats a
 * failed test once and names it as flaky in the last line, as it does with those in the browser.
 */
const common = {
  environment: 'node',
  pool: 'forks',
  testTimeout: 60_000,
  hookTimeout: 60_000,
  restoreMocks: true,
  retry: process.env['CI'] === undefined ? 0 : 1,
} as const

/**
 * Most files share a process with others: to start one and to load the same modules again takes
 * longer than most of them run. What measures a process or is about processes has one to itself.
 */
const alone = ['bench/**', 'scripts/**', 'server/*.test.ts', 'src/platform/**']

/**
 * `unit` and `unit, alone` need no build; `built` runs what is in out/. Each names its files,
 * because Playwright's specs in e2e/ have their own runner.
 */
export default defineConfig({
  test: {
    // One more than the cores that everybody has: many files wait for a process or a clock of their
    // own.
    maxWorkers: 3,
    sequence: { sequencer: SharedLast },
    projects: [
      {
        test: {
          ...common,
          name: 'unit',
          isolate: false,
          include: ['{server,src}/**/*.test.{ts,tsx}'],
          exclude: alone,
        },
      },
      {
        test: {
          ...common,
          name: 'unit, alone',
          include: alone.map((files) => (files.endsWith('**') ? `${files}/*.test.ts` : files)),
        },
      },
      { test: { ...common, name: 'built', include: ['e2e/**/*.test.ts'] } },
    ],
  },
})
