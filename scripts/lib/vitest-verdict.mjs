import { writeFileSync } from 'node:fs'

/** The environment variable with the file's path. */
export const verdictFile = 'KEYDESK_VITEST_VERDICT'

/**
 * A Vitest reporter that records the exit status of the run: Vitest's own JSON report ignores
 * errors outside of tests.
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
