import { setAsideReasonSchema } from '../../../contract/keys/import-records.ts'
import type {
  FileCounts,
  Import,
  LineOutcome,
  LineReason,
} from '../../../contract/keys/import-records.ts'

/** Runs of consecutive lines that are stored per reason; a report names no more. */
const MOST_RUNS = 12

/** The lines of one reason and outcome in a file, with the first of them as runs: 3, 7–9. */
export type ReasonTally = {
  reason: LineReason
  fate: LineOutcome
  count: number
  runs: [from: number, to: number][]
}

/** The lines of one file by outcome and reason. */
export type FileTally = FileCounts & { reasons: ReasonTally[] }

const setAsideReasons = new Set<string>(setAsideReasonSchema.options)
export const isSetAsideReason = (reason: LineReason): boolean => setAsideReasons.has(reason)

const counterOf = {
  ready: 'ready',
  'no-offer': 'noOffer',
  duplicate: 'duplicate',
  refused: 'refused',
  'set-aside': 'setAside',
} as const

const noLines: FileCounts = {
  ready: 0,
  noOffer: 0,
  duplicate: 0,
  refused: 0,
  setAside: 0,
  cleaned: 0,
  unusual: 0,
}

/** Counts the lines of one file while they are classified, in the order of the lines. */
export function createFileTally() {
  const counts = { ...noLines }
  const reasons = new Map<string, ReasonTally>()
  return {
    /** Adds lines with an outcome. */
    count(fate: LineOutcome, lines: number): void {
      counts[counterOf[fate]] += lines
    },
    cleaned(): void {
      counts.cleaned++
    },
    note(reason: LineReason, fate: LineOutcome, line: number): void {
      if (reason === 'unusual-shape' && fate === 'ready') counts.unusual++
      const key = `${reason} ${fate}`
      const found = reasons.get(key) ?? { reason, fate, count: 0, runs: [] }
      reasons.set(key, found)
      found.count++
      const last = found.runs.at(-1)
      if (last !== undefined && last[1] + 1 === line) last[1] = line
      else if (found.runs.length < MOST_RUNS) found.runs.push([line, line])
    },
    result: (): FileTally => ({ ...counts, reasons: [...reasons.values()] }),
  }
}

/** The sums of an import: each is the sum of its files. */
export function sumOfFiles(
  files: readonly FileCounts[],
): Omit<Import['sums'], 'warned' | 'requests'> {
  const sum = (of: keyof FileCounts): number => files.reduce((total, file) => total + file[of], 0)
  const all = {
    ready: sum('ready'),
    noOffer: sum('noOffer'),
    duplicate: sum('duplicate'),
    refused: sum('refused'),
    setAside: sum('setAside'),
  }
  return {
    read: Object.values(all).reduce((total, count) => total + count, 0),
    ...all,
    cleaned: sum('cleaned'),
  }
}
