import type { Import } from '../../../../contract/keys/import-records.ts'
import type { ImportReport } from '../../../../contract/keys/import-reports.ts'

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
