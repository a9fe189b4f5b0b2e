import type { Import, LineOutcome, LineReason } from '../../../../contract/keys/import-records.ts'
import type { ImportReport } from '../../../../contract/keys/import-reports.ts'
import { formatCount } from '../../../ui/format.ts'

/** The lines of a file by outcome. The outcomes add up to the lines read. */
export type ReportedLines = {
  read: number
  added: number
  /** Found by Keydesk or by the service, and how many of them by Keydesk. */
  duplicates: number
  skipped: number
  /** Rejected by Keydesk or by the service, and how many of them by Keydesk. */
  rejected: number
  rejectedHere: number
  /** Excluded by the user after their response was lost. */
  excluded: number
  setAside: number
  noOffer: number
  unsure: number
  notSent: number
  cleaned: number
}

export function reportedLines(file: ImportReport['files'][number]): ReportedLines {
  const { read, counts, added, unsure, notSent, cleaned } = file
  const skipped = counts?.duplicate ?? 0
  return {
    read,
    added,
    duplicates: skipped + file.duplicates,
    skipped,
    rejected: file.refused + file.notTaken,
    rejectedHere: file.refused,
    excluded: file.excluded,
    setAside: counts?.setAside ?? 0,
    noOffer: counts?.noOffer ?? 0,
    unsure,
    notSent,
    cleaned,
  }
}

/** Undetermined lines by reason; the reasons add up to the undetermined lines. */
export function undeterminedLines(
  { state, upload }: { state: Import['state']; upload: Pick<Import['upload'], 'keysInDoubt'> },
  unsure: number,
): { canceled: number; mixed: number } {
  const canceled = state === 'cancelled' ? Math.min(unsure, upload.keysInDoubt) : 0
  return { canceled, mixed: unsure - canceled }
}

/** The sums of several files. */
export function sumLines(files: readonly ReportedLines[]): ReportedLines {
  const sum = (of: keyof ReportedLines): number =>
    files.reduce((total, file) => total + file[of], 0)
  return {
    read: sum('read'),
    added: sum('added'),
    duplicates: sum('duplicates'),
    skipped: sum('skipped'),
    rejected: sum('rejected'),
    rejectedHere: sum('rejectedHere'),
    excluded: sum('excluded'),
    setAside: sum('setAside'),
    noOffer: sum('noOffer'),
    unsure: sum('unsure'),
    notSent: sum('notSent'),
    cleaned: sum('cleaned'),
  }
}

/** The lines of one outcome with the same reason: their number in all files and in each. */
export type LineGroup = {
  reason: LineReason
  fate: LineOutcome
  count: number
  files: { name: string; count: number; lines: string; isComplete: boolean }[]
}

/** The lines of one outcome by reason, over all files; most frequent first. */
export function groupsOf(report: Pick<ImportReport, 'files'>, fate: LineOutcome): LineGroup[] {
  const groups = new Map<LineReason, LineGroup>()
  for (const { name, reasons } of report.files)
    for (const each of reasons) {
      if (each.fate !== fate) continue
      const group = groups.get(each.reason) ?? { reason: each.reason, fate, count: 0, files: [] }
      const { count, lines, isComplete } = each
      group.count += count
      group.files.push({ name, count, lines, isComplete })
      groups.set(each.reason, group)
    }
  return [...groups.values()].sort((a, b) => b.count - a.count)
}

/** A list of more ranges is read in the exported report. */
const MOST_RANGES = 12

/**
 * Line numbers as ranges: 3, 7–9, 20.
 *
 * @param isComplete Whether these are all lines.
 */
export function lineRanges(lines: readonly number[], isComplete: boolean): string {
  const runs: [from: number, to: number][] = []
  for (const line of lines) {
    const last = runs.at(-1)
    if (last !== undefined && last[1] + 1 === line) last[1] = line
    else runs.push([line, line])
  }
  const shown = runs
    .slice(0, MOST_RANGES)
    .map(([from, to]) =>
      from === to ? formatCount(from) : `${formatCount(from)}–${formatCount(to)}`,
    )
  return `${shown.join(', ')}${isComplete && runs.length <= MOST_RANGES ? '' : ' and more'}`
}
