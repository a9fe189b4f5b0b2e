import { readFileSync } from 'node:fs'

/**
 * @typedef {{ passed: number, failed: number, flaky: number, skipped: number }} Counts
 * @typedef {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number },
 *   errors: readonly unknown[] }} PlaywrightReport
 */

/** @type {Counts} */
export const none = { passed: 0, failed: 0, flaky: 0, skipped: 0 }

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

/**
 * @param {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests?:
 *   number, testResults: { status: string, assertionResults: { status: string, failureMessages?:
 *   string[] }[] }[] }} report of Vitest's JSON reporter
 * @returns {Counts} tests. A file that could not be loaded counts as one failed test. A test that
 *   passed only on retry, which only continuous integration does, counts as flaky.
 */
export function countVitest(report) {
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  ).length
  const flaky = report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(
      ({ status, failureMessages = [] }) => status === 'passed' && failureMessages.length > 0,
    ).length
  return {
    passed: report.numPassedTests - flaky,
    failed: report.numFailedTests + unloaded,
    flaky,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
  }
}

/**
 * @param {PlaywrightReport} report of Playwright's JSON reporter
 * @returns {Counts} a test that passed only on retry, which only continuous integration does,
 * counts
 *   as flaky
 */
export function countPlaywright({ stats }) {
  return {
    passed: stats.expected,
    failed: stats.unexpected,
    flaky: stats.flaky,
    skipped: stats.skipped,
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
