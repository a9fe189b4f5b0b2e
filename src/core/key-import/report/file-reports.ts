import type { FileTally } from '../classify/file-tally.ts'

/** The lines of one file by outcome and reason, kept for the report after the file is deleted. */
export type FileReport = FileTally & {
  position: number
  /** Lines without an offer or set aside that are saved for later. */ remaining: number
}

/** Formats runs of lines: 3, 7–9, 20. */
export const shortLines = (runs: readonly (readonly [from: number, to: number])[]): string =>
  runs.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ')
