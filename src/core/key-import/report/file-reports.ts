import { cleanedBits, readCheckedLines, rejectedBits } from '../spool/checked-lines.ts'
import type { FrameKey } from '../spool/frames.ts'

/**
 * The result of reading one file, kept for the report after the file is deleted. `lines`: the
 * numbers of the first rejected lines.
 */
export type FileReport = { position: number; refused: number; cleaned: number; lines: number[] }

/** The maximum number of rejected lines listed in a report. */
const LINES_NAMED = 500

export function reportFiles(
  files: readonly { position: number; checked: { path: string; key: FrameKey } }[],
): FileReport[] {
  return files.map(({ position, checked }) => {
    const report: FileReport = { position, refused: 0, cleaned: 0, lines: [] }
    for (const block of readCheckedLines(checked.path, checked.key)) {
      for (let index = 0; index < block.count; index++) {
        const found = block.bitsOf(index)
        if ((found & rejectedBits) !== 0) {
          report.refused++
          if (report.lines.length < LINES_NAMED) report.lines.push(block.line(index).line)
        } else if ((found & cleanedBits) !== 0) report.cleaned++
      }
    }
    return report
  })
}

/** Formats line numbers as ranges: 3, 7–9, 20. */
export function shortLines(lines: readonly number[]): string {
  const runs: { from: number; to: number }[] = []
  for (const line of lines) {
    const last = runs.at(-1)
    if (last !== undefined && last.to + 1 === line) last.to = line
    else runs.push({ from: line, to: line })
  }
  return runs.map(({ from, to }) => (from === to ? `${from}` : `${from}–${to}`)).join(', ')
}
