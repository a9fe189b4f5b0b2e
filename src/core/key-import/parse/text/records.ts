import Papa from 'papaparse'
import { MAX_LINE_BYTES } from './line-splitter.ts'

export type Delimiter = ',' | ';' | '\t' | '|'

/**
 * One record of a table: its text with line endings inside quotes as `\n`, the number of its first
 * line, and its position in the file.
 */
export type TableRecord = {
  text: string | null
  line: number
  offset: number
  length: number
  /** A quote is never closed. */ unclosed: boolean
}

const mostLines = 100
const quote = 34

/**
 * Whether a record's text ends inside a quoted field. A quote opens a field only as its first
 * character.
 */
function endsInsideQuotes(text: string, delimiter: Delimiter): boolean {
  let at = 0
  while (at <= text.length) {
    if (text.charAt(at) !== '"') {
      const next = text.indexOf(delimiter, at)
      if (next < 0) return false
      at = next + 1
      continue
    }
    for (at += 1; ; at += 2) {
      at = text.indexOf('"', at)
      if (at < 0) return true
      if (text.charAt(at + 1) !== '"') break
    }
    const next = text.indexOf(delimiter, at + 1)
    if (next < 0) return false
    at = next + 1
  }
  return false
}

/** The fields of one record. */
export function fieldsOf(text: string, delimiter: Delimiter): string[] {
  if (!text.includes('"')) return text.split(delimiter)
  const parsed = Papa.parse<string[]>(text, { delimiter, newline: '\n', header: false }).data
  return parsed[0] ?? ['']
}

/**
 * The positions of the key and offer fields in a line without quotes; a missing field starts and
 * ends at -1.
 */
export type Cells = { keyFrom: number; keyTo: number; offerFrom: number; offerTo: number }

/**
 * Finds two fields of `bytes[from..to)` without decoding them. Returns false for a line that must
 * be read as a record: one with a quote, or one without the key column. The delimiter is one byte,
 * so this requires an encoding in which every byte below 128 is its ASCII character.
 */
export function findCells(
  bytes: Uint8Array,
  from: number,
  to: number,
  delimiter: number,
  keyColumn: number,
  offerColumn: number,
  cells: Cells,
): boolean {
  cells.keyFrom = cells.keyTo = cells.offerFrom = cells.offerTo = -1
  let column = 0
  let begins = from
  for (let at = from; at <= to; at++) {
    const code = at === to ? delimiter : bytes[at]
    if (code === quote) return false
    if (code !== delimiter) continue
    if (column === keyColumn) {
      cells.keyFrom = begins
      cells.keyTo = at
    }
    if (column === offerColumn) {
      cells.offerFrom = begins
      cells.offerTo = at
    }
    column++
    begins = at + 1
  }
  return cells.keyFrom >= 0
}

export interface RecordReader {
  /** Whether a quoted field of an earlier line continues. */
  isOpen(): boolean
  push(record: TableRecord): void
  end(): void
}

/**
 * Joins lines whose quoted field continues. A quote that doesn't close within 100 lines or 64 KiB
 * invalidates only its own line: the following lines are read separately, so that one stray quote
 * never swallows a file.
 */
export function createRecordReader(
  delimiter: Delimiter,
  sink: (record: TableRecord) => void,
): RecordReader {
  let open: TableRecord[] = []
  let openText = ''

  function giveUp(): void {
    const [first, ...rest] = open
    open = []
    openText = ''
    if (first !== undefined) sink({ ...first, unclosed: true })
    for (const record of rest) push(record)
  }
  function push(record: TableRecord): void {
    if (open.length === 0) {
      if (
        record.text === null ||
        !record.text.includes('"') ||
        !endsInsideQuotes(record.text, delimiter)
      )
        return sink(record)
      open = [record]
      openText = record.text
      return
    }
    if (record.text === null) {
      giveUp()
      return push(record)
    }
    open.push(record)
    openText += `\n${record.text}`
    const first = open[0] ?? record
    if (!endsInsideQuotes(openText, delimiter)) {
      const joined = {
        text: openText,
        line: first.line,
        offset: first.offset,
        length: record.offset + record.length - first.offset,
        unclosed: false,
      }
      open = []
      openText = ''
      sink(joined)
    } else if (open.length >= mostLines || openText.length > MAX_LINE_BYTES) giveUp()
  }
  return {
    isOpen: () => open.length > 0,
    push,
    end() {
      while (open.length > 0) giveUp()
    },
  }
}
