import { readFileSync } from 'node:fs'

/**
 * @typedef {{ status: string, mutatorName: string, replacement?: string, statusReason?: string,
 *   location: { start: { line: number, column: number }, end: { line: number, column: number } } }}
 *   Mutant
 */
/** @typedef {{ files: Record<string, { source: string, mutants: Mutant[] }> }} Report */

/**
 * Summarizes Stryker's JSON report of one folder. A mutant that times out counts as detected, because
 * it may loop; on a busy machine it may also be one whose tests were only slow.
 *
 * @param {string} folder
 * @param {string} file Stryker's report
 * @returns {{ lines: string[], percent: number }} one line per survivor, then the score
 */
export function mutationReport(folder, file) {
  /** @type {Report} */
  const { files } = JSON.parse(readFileSync(file, 'utf8'))
  const counts = { noticed: 0, timedOut: 0, survived: 0, excluded: 0 }
  /** @type {string[]} */
  const lines = []
  for (const [path, { source, mutants }] of Object.entries(files)) {
    const text = source.split('\n')
    for (const { status, mutatorName, replacement = '', statusReason, location } of mutants) {
      const place = `${path}:${location.start.line}`
      if (status === 'Killed' || status === 'Timeout') {
        counts.noticed += 1
        if (status === 'Timeout') counts.timedOut += 1
      } else if (status === 'Survived' || status === 'NoCoverage') {
        counts.survived += 1
        const original = (text[location.start.line - 1] ?? '').trim()
        const planted = replacement.replace(/\s+/g, ' ')
        lines.push(`survived  ${place}  ${mutatorName}: ${original} → ${planted}`)
      } else if (status === 'Ignored') {
        counts.excluded += 1
        lines.push(`excluded  ${place}  ${mutatorName}: ${statusReason ?? 'no reason given'}`)
      }
    }
  }
  const all = counts.noticed + counts.survived
  const percent = all === 0 ? 100 : (100 * counts.noticed) / all
  lines.push(
    `${folder}: ${counts.noticed} of ${all} mutants detected (${percent.toFixed(1)} %), ` +
      `${counts.survived} survived, ${counts.excluded} excluded` +
      (counts.timedOut === 0 ? '' : `; ${counts.timedOut} of the detected ones timed out`),
  )
  return { lines, percent }
}
