import { writeFileSync } from 'node:fs'

/** The environment variable that names the file. */
export const verdictFile = 'KEYDESK_VITEST_VERDICT'

/**
 * A reporter of Vitest that leaves the exit status which the run is about to have: its own JSON
 * report does not know of errors outside of tests.
 */
export default class Verdict {
  /**
   * @param {readonly unknown[]} _modules
   * @param {readonly unknown[]} unhandled
   * @param {'passed' | 'failed' | 'interrupted'} reason
   */
  onTestRunEnd(_modules, unhandled, reason) {
    const file = process.env[verdictFile]
    if (file !== undefined)
      writeFileSync(
        file,
        JSON.stringify({ status: reason === 'passed' && unhandled.length === 0 ? 0 : 1 }),
      )
  }
}
