import { readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'

/**
 * @typedef {{ passed: number, failed: number, flaky: number, skipped: number, names: readonly
 *   string[] }} Counts `names`: the failed and flaky tests, each with its first error
 * @typedef {{ title: string, file?: string, specs?: readonly { title: string, file: string, tests:
 *   readonly { status: string, results?: readonly { error?: { message?: string, stack?: string }
 *   }[] }[] }[], suites?: readonly PlaywrightSuite[] }} PlaywrightSuite
 * @typedef {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number },
 *   errors: readonly unknown[], suites?: readonly PlaywrightSuite[] | undefined }} PlaywrightReport
 * @typedef {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests?:
 *   number, testResults: readonly { name?: string, status: string, message?: string,
 *   assertionResults: readonly { status: string, fullName?: string, failureMessages?: readonly
 *   string[] }[] }[] }} VitestReport
 */

/** @type {Counts} */
export const none = { passed: 0, failed: 0, flaky: 0, skipped: 0, names: [] }

/**
 * @param {Counts} a
 * @param {Counts} b
 * @returns {Counts}
 */
export function add(a, b) {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    flaky: a.flaky + b.flaky,
    skipped: a.skipped + b.skipped,
    names: [...a.names, ...b.names],
  }
}

/**
 * A suite that reports nothing or runs no tests has failed: silence must not look like success. So
 * has one that exits with an error without naming a failed test, such as an error outside of any
 * test.
 *
 * @param {Counts | undefined} counts the counts in the suite's report; undefined if it wrote none
 * @param {number} status its exit status
 * @returns {Counts}
 */
export function judge(counts, status) {
  if (counts === undefined) return { ...none, failed: 1 }
  const silent =
    counts.passed + counts.failed + counts.flaky === 0 || (status !== 0 && counts.failed === 0)
  return silent ? { ...counts, failed: counts.failed + 1 } : counts
}

/** @param {VitestReport['testResults'][number]} file */
const isUnloaded = ({ status, assertionResults }) =>
  status === 'failed' && !assertionResults.some((test) => test.status === 'failed')

/** @param {VitestReport['testResults'][number]['assertionResults'][number]} test */
const isFlaky = ({ status, failureMessages = [] }) =>
  status === 'passed' && failureMessages.length > 0

/**
 * @param {VitestReport} report of Vitest's JSON reporter
 * @param {string | null} [leftOut] the tag of tests that were left out, which don't count as
 *   skipped; null if every test was selected
 * @returns {Counts} tests. A file that could not be loaded counts as one failed test. A test that
 *   passed only on retry, which only continuous integration does, counts as flaky.
 */
export function countVitest(report, leftOut = null) {
  const unloaded = report.testResults.filter(isUnloaded).length
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  const flaky = tests.filter(isFlaky).length
  const unselected = tests.filter(
    ({ status, fullName = '' }) =>
      leftOut !== null && fullName.includes(leftOut) && ['pending', 'skipped'].includes(status),
  ).length
  return {
    passed: report.numPassedTests - flaky,
    failed: report.numFailedTests + unloaded,
    flaky,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0) - unselected,
    names: namesFromVitest(report),
  }
}

/**
 * @param {PlaywrightReport} report of Playwright's JSON reporter
 * @returns {Counts} a test that passed only on retry, which only continuous integration does,
 *   counts as flaky
 */
export function countPlaywright({ stats, suites }) {
  return {
    passed: stats.expected,
    failed: stats.unexpected,
    flaky: stats.flaky,
    skipped: stats.skipped,
    names: namesFromPlaywright({ suites }),
  }
}

/**
 * @param {PlaywrightReport} report of Playwright's JSON reporter
 * @returns {number} the exit status for it
 */
export function statusOfPlaywright({ stats, errors }) {
  return stats.unexpected === 0 && errors.length === 0 ? 0 : 1
}

/**
 * @param {VitestReport} report of Vitest's JSON reporter
 * @returns {string[]} a line for each failed or flaky test and each file that could not be loaded
 */
function namesFromVitest({ testResults }) {
  return testResults.flatMap((file) => [
    ...(isUnloaded(file) ? [`${file.name ?? ''}: not loaded${reason(file.message ?? '')}`] : []),
    ...file.assertionResults
      .filter((test) => test.status === 'failed' || isFlaky(test))
      .map((test) => {
        const [error = ''] = test.failureMessages ?? []
        return `${file.name ?? ''} › ${test.fullName ?? ''}${flakyMark(isFlaky(test))}${reason(error)}`
      }),
  ])
}

/**
 * @param {Pick<PlaywrightReport, 'suites'>} report of Playwright's JSON reporter
 * @returns {string[]} a line for each failed or flaky test
 */
function namesFromPlaywright({ suites = [] }) {
  return suites.flatMap((suite) => [
    ...(suite.specs ?? []).flatMap(({ file, title, tests }) =>
      tests
        .filter(({ status }) => status === 'unexpected' || status === 'flaky')
        .map(({ status, results = [] }) => {
          const { message = '', stack = message } =
            results.find(({ error }) => error !== undefined)?.error ?? {}
          return `${file} › ${title}${flakyMark(status === 'flaky')}${reason(stack)}`
        }),
    ),
    ...namesFromPlaywright(suite),
  ])
}

/** The most lines of an error's message that the list of failed tests repeats. */
const maxLines = 6
/** The most characters of each of them. */
const maxColumns = 160

/**
 * @param {string} error a message with its stack trace
 * @returns {string} indented lines with the start of the message and the first place in a test
 */
function reason(error) {
  const lines = stripVTControlCharacters(error).split('\n')
  const isPlace = (/** @type {string} */ line) => /^\s+at /.test(line)
  const message = lines.filter((line) => line.trim() !== '' && !isPlace(line)).slice(0, maxLines)
  const places = lines.filter((line) => isPlace(line) && /\.(test|spec)\.tsx?:/.test(line))
  return [...message, ...places.slice(0, 1)]
    .map((line) => `\n      ${line.trim().slice(0, maxColumns)}`)
    .join('')
}

/** @param {boolean} flaky */
const flakyMark = (flaky) => (flaky ? ' (flaky)' : '')

/**
 * @param {string} file
 * @returns {any} undefined when it is missing or incomplete
 */
export function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/**
 * @param {Counts} counts
 * @returns {string} the last line of `npm test`
 */
export function summary({ passed, failed, flaky, skipped }) {
  const flakyPart = flaky > 0 ? `, ${flaky} flaky` : ''
  const skippedPart = skipped > 0 ? `, ${skipped} skipped` : ''
  return `${passed} passed, ${failed} failed${flakyPart}${skippedPart}`
}
