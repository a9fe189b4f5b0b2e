import Papa from 'papaparse'
import { MAX_LINE_BYTES } from './line-splitter.ts'

export type Delimiter = ',' | ';' | '\t' | '|'

/** One record of a table: its text with line ends inside quotes as `\n`, the number of its first line, and where it stands in the file. */
export type TableRecord = { text: string | null; line: number; offset: number; length: number; /** A quote opens and never closes. */ unclosed: boolean }

const mostLines = 100

/** Whether a record's text ends inside a quoted field. A quote opens a field only as its first character. */
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

export interface RecordReader {
  push(record: TableRecord): void
  end(): void
}

/**
 * Joins lines whose quoted field goes on. A quote that doesn't close within 100 lines or 64 KiB makes only its own line wrong: the lines
 * after it are read by themselves, so that one stray quote never swallows a file.
 */
export function createRecordReader(delimiter: Delimiter, sink: (record: TableRecord) => void): RecordReader {
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
      if (record.text === null || !record.text.includes('"') || !endsInsideQuotes(record.text, delimiter)) return sink(record)
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
      const joined = { text: openText, line: first.line, offset: first.offset, length: record.offset + record.length - first.offset, unclosed: false }
      open = []
      openText = ''
      sink(joined)
    } else if (open.length >= mostLines || openText.length > MAX_LINE_BYTES) giveUp()
  }
  return {
    push,
    end() {
      while (open.length > 0) giveUp()
    },
  }
}
