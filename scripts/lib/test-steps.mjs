import { mkdirSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { build } from './build.mjs'
import { overdue, run } from './child.mjs'
import { modulesFolder, root } from './paths.mjs'
import { productNode } from './pinned-node.mjs'
import {
  add,
  countPlaywright,
  countVitest,
  judge,
  none,
  readReport,
  statusOfPlaywright,
} from './test-counts.mjs'
import { temporaryFolder } from './test-machine.mjs'
import { verdictFile } from './vitest-verdict.mjs'

/** @typedef {import('./test-counts.mjs').Counts} Counts */

/**
 * @typedef {{ name: string, about: string, needs?: string, beside?: true, long?: true, run:
 *   (options?: import('./child.mjs').RunOptions, isFull?: boolean) => Promise<Counts> }} Step
 *   `beside`: it leaves a processor idle, so that another such step can run at the same time.
 *   `long`: it runs only when it is named, or with `--full`. `isFull`: run long tests too
 */

const reports = join(root, 'test-results')

const minute = 60_000

// Node can hang at exit after all its work is done (nodejs/node#54918), so every wait has a limit.
// A suite that has written its complete report gets one more minute and is then judged by the
// report. A check that takes twenty times as long as usual is run once more.
const afterReportMs = minute
const suiteLimitMs = 30 * minute
const checkOptions = { limitMs: 10 * minute }

/**
 * Runs a tool of node_modules with the product's Node. Nested programs also find that Node first.
 *
 * @param {string} script below node_modules
 * @param {string[]} args
 * @param {import('./child.mjs').RunOptions} [options]
 */
function tool(script, args, { env = {}, ...options } = {}) {
  const path = `${join(modulesFolder, '.bin')}${delimiter}${process.env['PATH'] ?? ''}`
  return run(productNode(), [join(modulesFolder, script), ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...temporaryFolder(), ...env, PATH: path },
    ...options,
  })
}

/**
 * @param {() => Promise<number>} once returns the exit status
 * @returns {Promise<Counts>} the check as one test
 */
export async function check(once) {
  let status = await once()
  if (status === overdue) {
    console.error('The tool hung. Running it again.')
    status = await once()
  }
  return status === 0 ? { ...none, passed: 1 } : { ...none, failed: 1 }
}

/**
 * @template Report
 * @param {string} name of the report's file
 * @param {(file: string, options: import('./child.mjs').RunOptions) => Promise<number>} suite runs
 *   and writes its JSON report to the file
 * @param {(report: Report) => Counts} count
 * @param {(report: Report) => number} statusOf the exit status of a suite that wrote its report and
 *   did not exit
 * @returns {Promise<Counts>}
 */
export async function counted(name, suite, count, statusOf, graceMs = afterReportMs) {
  const file = join(reports, name)
  mkdirSync(reports, { recursive: true })
  rmSync(file, { force: true })
  /** @type {number | undefined} */
  let reportedAt
  const isOverdue = () => {
    if (reportedAt === undefined && readReport(file) !== undefined) reportedAt = Date.now()
    return reportedAt !== undefined && Date.now() - reportedAt > graceMs
  }
  const status = await suite(file, { limitMs: suiteLimitMs, isOverdue })
  const report = readReport(file)
  if (report === undefined) return judge(undefined, status)
  if (status === overdue)
    console.error('The suite hung after it wrote its report. Using the report.')
  return judge(count(report), status === overdue ? statusOf(report) : status)
}

/** Marks a test that takes seconds, at the end of its title: `npm test` alone leaves it out. */
const longTag = '@long'

/**
 * @param {string} step
 * @param {string[]} projects of vitest.config.ts
 * @param {boolean} [withLong] whether tests with the tag run too
 */
const vitest = (step, projects, withLong = true) => {
  const verdict = join(reports, `vitest-${step}-verdict.json`)
  rmSync(verdict, { force: true })
  return counted(
    `vitest-${step}.json`,
    (file, options) =>
      tool(
        'vitest/vitest.mjs',
        [
          'run',
          ...projects.flatMap((project) => ['--project', project]),
          ...(withLong ? [] : ['--testNamePattern', `^(?!.*${longTag})`]),
          '--reporter=default',
          '--reporter=json',
          `--reporter=${join(root, 'scripts/lib/vitest-verdict.mjs')}`,
          `--outputFile.json=${file}`,
        ],
        { ...options, env: { [verdictFile]: verdict } },
      ),
    (report) => countVitest(report, withLong ? null : longTag),
    () => readReport(verdict)?.status ?? 1,
  )
}

/**
 * @param {string} name of the report's file
 * @param {string[]} selection of tests, by file or by tag
 * @param {NodeJS.ProcessEnv} [env] more variables
 */
const playwright = (name, selection, env) =>
  counted(
    name,
    (file, options) =>
      tool(
        '@playwright/test/cli.js',
        ['test', '--project', 'console', '--reporter=list,json', ...selection],
        { ...options, env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: file } },
      ),
    countPlaywright,
    statusOfPlaywright,
  )

// Each checker resolves the contract’s types separately: one checker takes less than half the time
// of four.
const fewCheckers = ['--checkers', '1', '--builders', '2']

/** All steps of `npm test -- --full`, in this order. @type {readonly Step[]} */
export const steps = [
  {
    name: 'types',
    about: 'each folder against its own libraries',
    beside: true,
    run: (options) =>
      check(() =>
        tool('typescript/bin/tsc', ['-b', ...fewCheckers], { ...checkOptions, ...options }),
      ),
  },
  {
    name: 'format',
    about: 'oxfmt, at 100 columns',
    beside: true,
    run: (options) =>
      check(() => tool('oxfmt/bin/oxfmt', ['--check'], { ...checkOptions, ...options })),
  },
  {
    name: 'lint',
    about: 'oxlint',
    beside: true,
    run: (options) =>
      check(() => tool('oxlint/bin/oxlint', ['--deny-warnings'], { ...checkOptions, ...options })),
  },
  {
    name: 'boundaries',
    about: 'imports between folders',
    beside: true,
    run: (options) =>
      check(() => run(productNode(), ['scripts/boundaries.mjs'], { ...checkOptions, ...options })),
  },
  {
    name: 'unused',
    about: 'unused files, exports and packages',
    beside: true,
    run: (options) => check(() => tool('knip/bin/knip.js', [], { ...checkOptions, ...options })),
  },
  {
    name: 'build',
    about: 'everything into out/',
    beside: true,
    run: (options) => check(() => build({ always: true, ...checkOptions, ...options })),
  },
  {
    name: 'unit',
    about: 'Vitest: units and integration',
    run: (_options, isFull = false) => vitest('unit', ['unit', 'unit, alone'], isFull),
  },
  {
    name: 'built',
    about: 'Vitest: the built hosts, Electron’s with a test double',
    needs: 'build',
    run: (_options, isFull = false) => vitest('built', ['built'], isFull),
  },
  {
    name: 'e2e',
    about: 'Playwright: the built console in Chromium',
    needs: 'build',
    run: () => playwright('playwright.json', ['--grep-invert', longTag]),
  },
  {
    name: 'packaged',
    about: 'Vitest and Playwright: the packaged app with a stand-in for Electron',
    needs: 'build',
    long: true,
    run: async () =>
      add(
        await vitest('packaged', ['packaged']),
        await playwright('playwright-packaged.json', ['electron-double.spec.ts'], {
          KEYDESK_APP_FOLDER: join(root, 'test-results', 'packaged', 'app.asar'),
        }),
      ),
  },
  {
    name: 'soaks',
    about: 'Vitest: long units, and a short slice of each bench and soak',
    needs: 'build',
    long: true,
    run: () => vitest('soaks', ['unit, long', 'soaks']),
  },
  {
    name: 'sessions',
    about:
      'Playwright: every page’s accessibility, whole days of work, and long sessions with kills',
    needs: 'build',
    long: true,
    run: () => playwright('playwright-sessions.json', ['--grep', longTag]),
  },
]
