import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { build } from './build.mjs'
import { run } from './child.mjs'
import { modulesFolder, root } from './paths.mjs'
import { productNode } from './pinned-node.mjs'
import { countPlaywright, countVitest, judge, none } from './test-counts.mjs'

/** @typedef {import('./test-counts.mjs').Counts} Counts */

/**
 * @typedef {{ name: string, about: string, needs?: string, run: () => Promise<Counts> }} Step
 */

const reports = join(root, 'test-results')

/**
 * Runs a tool of node_modules on the product's Node. Nested programs find that Node first as well.
 *
 * @param {string} script below node_modules
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
function tool(script, args, env = {}) {
  const path = `${join(modulesFolder, '.bin')}${delimiter}${process.env['PATH'] ?? ''}`
  return run(productNode(), [join(modulesFolder, script), ...args], { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env, PATH: path } })
}

/**
 * @param {number} status
 * @returns {Counts} a check as one test
 */
const check = (status) => status === 0 ? { ...none, passed: 1 } : { ...none, failed: 1 }

/**
 * @template Report
 * @param {string} name of the report's file
 * @param {(file: string) => Promise<number>} suite runs and leaves its JSON report in the file
 * @param {(report: Report) => Counts} count
 */
async function counted(name, suite, count) {
  const file = join(reports, name)
  mkdirSync(reports, { recursive: true })
  rmSync(file, { force: true })
  const status = await suite(file)
  return judge(existsSync(file) ? count(JSON.parse(readFileSync(file, 'utf8'))) : undefined, status)
}

/** @param {string} project of vitest.config.ts */
const vitest = (project) => counted(
  `vitest-${project}.json`,
  (file) => tool('vitest/vitest.mjs', ['run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]),
  countVitest,
)

// Each checker works out the contract’s types for itself: one of them does it in less than half the time of four.
const fewCheckers = ['--checkers', '1', '--builders', '2']

/** All that `npm test` does, in this order. @type {readonly Step[]} */
export const steps = [
  { name: 'types', about: 'each room against its own libraries', run: async () => check(await tool('typescript/bin/tsc', ['-b', ...fewCheckers])) },
  { name: 'lint', about: 'oxlint', run: async () => check(await tool('oxlint/bin/oxlint', ['--deny-warnings'])) },
  { name: 'boundaries', about: 'who imports whom', run: async () => check(await run(productNode(), ['scripts/boundaries.mjs'])) },
  { name: 'unused', about: 'files, exports and packages that nobody uses', run: async () => check(await tool('knip/bin/knip.js', [])) },
  { name: 'unit', about: 'Vitest: units and integration', run: () => vitest('unit') },
  { name: 'build', about: 'everything into out/', run: async () => check(await build({ always: true })) },
  { name: 'built', about: 'Vitest: the built hosts, Electron’s against a double of it', needs: 'build', run: () => vitest('built') },
  {
    name: 'e2e',
    about: 'Playwright: the built console in Chromium',
    needs: 'build',
    run: () => counted(
      'playwright.json',
      (file) => tool('@playwright/test/cli.js', ['test', '--project', 'console', '--reporter=list,json'], { PLAYWRIGHT_JSON_OUTPUT_FILE: file }),
      countPlaywright,
    ),
  },
]
