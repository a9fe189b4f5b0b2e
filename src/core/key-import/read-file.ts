import type { FileSettings } from '../../contract/imports.ts'
import { bits, CHECKED_FORMAT, writeCheckedLines } from './checked-lines.ts'
import type { CheckedLinesWriter } from './checked-lines.ts'
import type { Fingerprints } from './fingerprint.ts'
import type { FrameKey } from './frames.ts'
import { readFrames } from './frames.ts'
import { openSpool } from './spool-reader.ts'
import { readPictures } from './read-pictures.ts'
import type { ReadFileResult, ReadFileTask } from './read-task.ts'
import { detectForm } from './text/detect.ts'
import type { Detected, KnownOffer } from './text/detect.ts'
import { createEncodingProbe, decodeLine, markOf } from './text/encoding.ts'
import { emptyFile, isBinary, kindOf, noTextFile } from './text/file-kind.ts'
import { clean, judge } from './text/judge.ts'
import type { Judged, Refusal } from './text/judge.ts'
import { createLineSplitter } from './text/line-splitter.ts'
import type { TextEncodingName } from './text/line-splitter.ts'
import { createRecordReader, fieldsOf, findCells } from './text/records.ts'
import type { Cells, TableRecord } from './text/records.ts'
import { anyShape, shapesOfBytes } from './text/shapes.ts'
import { fileProblem, UnreadableFile } from './unreadable.ts'

/** More values than this in an offer column are one: a column of a million values is no offer column. */
const MOST_TARGETS = 5000
const OTHER_VALUES = '… other values'
const SAMPLE_BYTES = 256 * 1024
const SAMPLE_LINES = 500
/** How much of a refused line is kept to be shown. */
const SHOWN_CHARACTERS = 64
const PROGRESS_LINES = 50_000
/** More lines than this are not compared with each other in the memory of a usual machine. */
export const MOST_LINES = 10_000_000
export const tooManyLines = fileProblem('TOO_MANY_LINES', 'An import takes at most 10,000,000 lines.', 'Split the file, and import its parts one after another.')

type Looked = { encoding: TextEncodingName; mark: number; ascii: boolean; sample: string[] }

/** First look: the encoding by all bytes, and the first lines to detect the form by. */
function look(task: ReadFileTask): Looked {
  const probe = createEncodingProbe()
  const starts: Buffer[] = []
  let startLength = 0
  let total = 0
  for (const chunk of readFrames(task.spool.path, task.spool.key)) {
    if (startLength < SAMPLE_BYTES) {
      starts.push(chunk)
      startLength += chunk.length
    }
    total += chunk.length
    probe.push(chunk)
  }
  const start = Buffer.concat(starts).subarray(0, SAMPLE_BYTES)
  const found = probe.found()
  const encoding = task.fixed.encoding ?? found.encoding
  const marked = markOf(start)
  const mark = marked?.encoding === encoding ? marked.mark : 0
  if (!encoding.startsWith('utf-16') && isBinary(start)) throw new UnreadableFile(noTextFile)
  const sample: string[] = []
  const splitter = createLineSplitter(encoding, mark, (bytes, from, to) => {
    if (sample.length < SAMPLE_LINES) sample.push(decodeLine(bytes, from, to, encoding) ?? '')
  })
  splitter.push(start.subarray(mark))
  if (total <= start.length) splitter.end()
  return { encoding, mark, ascii: probe.ascii(), sample }
}

/** The first bytes of a spooled file. */
export function startOf(spool: { path: string; key: FrameKey }): Buffer {
  for (const chunk of readFrames(spool.path, spool.key)) if (chunk.length > 0) return chunk
  return Buffer.alloc(0)
}

/** The length that at least 80 % of the keys made of digits have, when there are enough to tell. */
function usualLength(lengths: ReadonlyMap<number, number>): number | null {
  const total = [...lengths.values()].reduce((sum, count) => sum + count, 0)
  for (const [length, count] of lengths) if (total >= 5 && count >= total * 0.8) return length
  return null
}

function areDigits(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const code = bytes[at] ?? 0
    if (code < 48 || code > 57) return false
  }
  return true
}

/** What a cell says of the offer. */
const offerName = (cell: string): string => clean(cell).slice(0, 200)

const unreadable: Judged = { key: '', cleaned: [], doubt: null, refusal: 'invalid-encoding' }

/** Takes judged texts and writes them down with what they carry. */
function createTaker(writer: CheckedLinesWriter, targets: ReadFileResult['targets'], tell: (lines: number) => void) {
  const byValue = new Map<string | null, number>()
  const digits = new Map<number, number>()
  const none = new Uint32Array(4)
  const scratch = Buffer.alloc(16 * 1024)
  let lines = 0

  const targetOf = (value: string | null): number => {
    const known = byValue.get(value)
    if (known !== undefined) return known
    const full = targets.length >= MOST_TARGETS
    const index = full ? MOST_TARGETS : targets.length
    if (targets.length === index) targets.push({ value: full ? OTHER_VALUES : value, lines: 0 })
    if (!full) byValue.set(value, index)
    return index
  }

  const byRaw = new Map<string, number>()
  const begin = (): void => {
    lines++
    if (lines % PROGRESS_LINES === 0) tell(lines)
    if (lines > MOST_LINES) throw new UnreadableFile(tooManyLines)
  }
  const countTarget = (index: number): void => {
    const target = targets[index]
    if (target !== undefined) target.lines++
  }
  /** Writes down a key that is to be sent: `bytes[from..to)`. */
  const put = (bytes: Uint8Array, from: number, to: number, line: number, offset: number, length: number, index: number, flags: number, shapes: number): void => {
    const size = to - from
    let all = flags
    if (size >= 6 && size <= 32 && areDigits(bytes, from, to)) {
      all |= bits.digits
      digits.set(size, (digits.get(size) ?? 0) + 1)
    }
    writer.add({ line, offset, length, bits: all, target: index, shapes }, bytes, from, to, null)
  }

  return {
    digits,
    count: () => lines,
    /** A key of a known shape needs no judging: it is plain, no date and no number. False, and nothing is taken, where it has none. */
    takeShaped(bytes: Uint8Array, from: number, to: number, line: number, offset: number, length: number, value: string | null): boolean {
      const shapes = shapesOfBytes(bytes, from, to)
      if ((shapes & ~anyShape) === 0) return false
      begin()
      let index = value === null ? targetOf(null) : byRaw.get(value)
      if (index === undefined) {
        index = targetOf(offerName(value ?? ''))
        if (byRaw.size < MOST_TARGETS) byRaw.set(value ?? '', index)
      }
      countTarget(index)
      put(bytes, from, to, line, offset, length, index, 0, shapes)
      return true
    },
    /** `text` null: its bytes are no text of the encoding. `refusal`: known before, whatever the text. */
    take(text: string | null, line: number, offset: number, length: number, value: string | null, refusal: Refusal | null): void {
      begin()
      const index = targetOf(value)
      countTarget(index)
      const judged = text === null ? unreadable : judge(text)
      const why = refusal ?? judged.refusal
      if (why !== null) {
        const shown = scratch.write(judged.key.slice(0, SHOWN_CHARACTERS), 0, 'utf8')
        writer.add({ line, offset, length, bits: bits[why], target: index, shapes: 0 }, scratch, 0, shown, none)
        return
      }
      const size = scratch.write(judged.key, 0, 'utf8')
      let flags: number = judged.doubt === null ? 0 : bits[judged.doubt]
      for (const what of judged.cleaned) flags |= bits[what]
      put(scratch, 0, size, line, offset, length, index, flags, shapesOfBytes(scratch, 0, size))
    },
  }
}

/**
 * Reads a spooled file as a stream, judges every line and writes what it found to `task.checked`. Memory stays flat whatever the file's
 * length or that of its longest line. Throws {@link UnreadableFile} for what is no text.
 *
 * @param tell the number of lines read so far, now and then
 */
export function readImportFile(task: ReadFileTask, knownOffer: KnownOffer, fingerprints: Fingerprints, tell: (lines: number) => void): ReadFileResult {
  if (task.pictures !== null) return readPictures(task, task.pictures, fingerprints, tell)
  const kind = kindOf(startOf(task.spool))
  if (typeof kind === 'object') throw new UnreadableFile(kind)
  if (kind === 'empty') throw new UnreadableFile(emptyFile)
  if (kind === 'picture') {
    const spool = openSpool(task.spool.path, task.spool.key)
    spool.close()
    return readPictures(task, [{ name: task.name, size: spool.size }], fingerprints, tell)
  }
  return readText(task, knownOffer, fingerprints, tell)
}

function shapeOf(task: ReadFileTask, sample: readonly string[], knownOffer: KnownOffer): string {
  const found = detectForm(sample, task.name, knownOffer, {})
  const named = task.name.toLowerCase().replace(/\d+/g, '#')
  if (found.header) return `header ${sample.find((line) => line.trim() !== '')?.replace(/[^\u0021-\u007e]+/g, ' ').slice(0, 2000) ?? ''}`
  return found.form === 'table' ? `${found.columns.length} columns ${found.delimiter} ${named}` : `lines ${found.logins ? 'logins ' : ''}${named}`
}

function readText(task: ReadFileTask, knownOffer: KnownOffer, fingerprints: Fingerprints, tell: (lines: number) => void): ReadFileResult {
  const { encoding, mark, ascii, sample } = look(task)
  const fixed: Partial<FileSettings> = task.workbook === null ? task.fixed : { ...task.fixed, form: 'table', delimiter: '\t', encoding: 'utf-8' }
  const detected: Detected = detectForm(sample, task.name, knownOffer, fixed)
  const { form, delimiter, header, keyColumn, offerColumn, columns } = detected
  const targets: ReadFileResult['targets'] = []
  const writer = writeCheckedLines(task.checked.path, task.checked.key, fingerprints.many)
  const taker = createTaker(writer, targets, tell)

  const takeRecord = ({ text, line, offset, length, unclosed }: TableRecord): void => {
    if (header && line === 1) return
    const fields = text === null ? [] : fieldsOf(text, delimiter)
    const value = offerColumn === null ? null : offerName(fields[offerColumn] ?? '')
    const missing = unclosed || (text !== null && fields.length <= keyColumn && clean(text) !== '')
    taker.take(text === null ? null : missing ? text : fields[keyColumn] ?? '', line, offset, length, value, missing ? 'missing-column' : null)
  }
  const records = createRecordReader(delimiter, takeRecord)
  const decode = (bytes: Buffer, start: number, end: number): string | null => (ascii ? bytes.toString('latin1', start, end) : decodeLine(bytes, start, end, encoding))
  const cells: Cells = { keyFrom: -1, keyTo: -1, offerFrom: -1, offerTo: -1 }
  const delimiterByte = delimiter.charCodeAt(0)
  const isNarrow = !encoding.startsWith('utf-16')
  /** Nearly every line: its key has a known shape, so no text is made of it. */
  const takeAtOnce = (bytes: Buffer, start: number, end: number, offset: number, length: number): boolean => {
    if (form !== 'table') return taker.takeShaped(bytes, start, end, line, offset, length, null)
    if (records.isOpen() || !findCells(bytes, start, end, delimiterByte, keyColumn, offerColumn ?? -1, cells)) return false
    const value = offerColumn === null ? null : cells.offerFrom < 0 ? '' : decode(bytes, cells.offerFrom, cells.offerTo)
    return (value !== null || offerColumn === null) && taker.takeShaped(bytes, cells.keyFrom, cells.keyTo, line, offset, length, value)
  }
  let line = 0
  const splitter = createLineSplitter(encoding, mark, (bytes, start, end, offset, length) => {
    line++
    if (length > end - start) {
      if (form === 'table') records.end()
      return taker.take('', line, offset, length, offerColumn === null ? null : '', 'too-long')
    }
    if (isNarrow && (!header || line > 1) && takeAtOnce(bytes, start, end, offset, length)) return
    const text = decode(bytes, start, end)
    if (form === 'table') records.push({ text, line, offset, length, unclosed: false })
    else if (!header || line > 1) taker.take(text, line, offset, length, null, null)
  })

  try {
    let skip = mark
    for (const chunk of readFrames(task.spool.path, task.spool.key)) {
      const skipped = Math.min(skip, chunk.length)
      skip -= skipped
      splitter.push(chunk.subarray(skipped))
    }
    splitter.end()
    records.end()
    writer.finish()
  } catch (error) {
    writer.abandon()
    throw error
  }
  if (targets.length === 0) targets.push({ value: offerColumn === null ? null : '', lines: 0 })
  return {
    format: CHECKED_FORMAT, kind: task.workbook === null ? 'text' : 'workbook', sheets: task.workbook?.sheets ?? [], logins: detected.logins,
    shape: shapeOf(task, sample, knownOffer),
    settings: { form, delimiter, encoding, header, keyColumn: form === 'lines' ? 0 : keyColumn, offerColumn, sheet: task.workbook?.sheet ?? 0 },
    columns, lines: taker.count(), targets, digitsLength: usualLength(taker.digits),
  }
}
