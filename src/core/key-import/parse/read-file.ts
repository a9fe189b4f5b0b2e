import type { FileSettings } from '../../../contract/keys/import-records.ts'
import { CHECKED_FORMAT, writeCheckedLines } from '../spool/checked-lines.ts'
import type { Fingerprints } from '../fingerprint/fingerprint.ts'
import type { FrameKey } from '../spool/frames.ts'
import { readFrames } from '../spool/frames.ts'
import { openSpool } from '../spool/spool-reader.ts'
import { readPictures } from './read-pictures.ts'
import type { ReadFileResult, ReadFileTask } from './read-task.ts'
import { createLineCollector, MOST_TARGETS } from './line-collector.ts'
import { detectForm } from './detect/detect.ts'
import type { Detected, KnownOffer } from './detect/detect.ts'
import { createEncodingProbe, decodeLine, markOf } from './text/encoding.ts'
import { emptyFile, isBinary, kindOf, noTextFile } from './text/file-kind.ts'
import { clean } from './text/classify-key.ts'
import { createKnownCells } from './text/known-cells.ts'
import { createLineSplitter } from './text/line-splitter.ts'
import type { TextEncodingName } from './text/line-splitter.ts'
import { createRecordReader, fieldsOf, findCells } from './text/records.ts'
import type { Cells, TableRecord } from './text/records.ts'
import { createPurchaseCells } from './purchase-cells.ts'
import { UnreadableFile } from './unreadable.ts'

const SAMPLE_BYTES = 256 * 1024
const SAMPLE_LINES = 500

type Inspected = { encoding: TextEncodingName; mark: number; ascii: boolean; sample: string[] }

/**
 * The first pass: detects the encoding from all bytes, and collects the first lines to detect the
 * format.
 */
function inspect(task: ReadFileTask): Inspected {
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

/** The length that at least 80 % of the digit-only keys have, if there are enough to decide. */
function usualLength(lengths: ReadonlyMap<number, number>): number | null {
  const total = [...lengths.values()].reduce((sum, count) => sum + count, 0)
  for (const [length, count] of lengths) if (total >= 5 && count >= total * 0.8) return length
  return null
}

/** The cell that names the offer. */
const offerName = (cell: string): string => clean(cell).slice(0, 200)

/** Finds the target of the line whose offer is in `cells`; -1 if that isn't text. */
function createCellTargets(
  cells: Cells,
  decode: (bytes: Buffer, from: number, to: number) => string | null,
  targetOf: (value: string) => number,
): (bytes: Buffer) => number {
  const known = createKnownCells(MOST_TARGETS)
  return (bytes) => {
    const { offerFrom, offerTo } = cells
    if (offerFrom < 0) return targetOf('')
    const before = known.find(bytes, offerFrom, offerTo)
    if (before >= 0) return before
    const value = decode(bytes, offerFrom, offerTo)
    if (value === null) return -1
    const target = targetOf(offerName(value))
    known.add(bytes, offerFrom, offerTo, target)
    return target
  }
}

/**
 * Reads a spooled file as a stream, classifies every line and writes the result to `task.checked`.
 * Memory use doesn't depend on the length of the file or its lines. Throws {@link UnreadableFile}
 * if the file isn't text.
 *
 * @param tell called from time to time with the number of lines read so far
 */
export function readImportFile(
  task: ReadFileTask,
  knownOffer: KnownOffer,
  fingerprints: Fingerprints,
  tell: (lines: number) => void,
): ReadFileResult {
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
  if (found.headerText !== null)
    return `header ${found.headerText.replace(/[^\u0021-\u007e]+/g, ' ').slice(0, 2000)}`
  return found.form === 'table'
    ? `${found.columns.length} columns ${found.delimiter} ${named}`
    : `lines ${found.logins ? 'logins ' : ''}${named}`
}

/** Passes on the received bytes of a file, without the `mark` bytes at its start. */
function pushContents(task: ReadFileTask, mark: number, push: (bytes: Buffer) => void): void {
  let skip = mark
  for (const chunk of readFrames(task.spool.path, task.spool.key)) {
    const skipped = Math.min(skip, chunk.length)
    skip -= skipped
    push(chunk.subarray(skipped))
  }
}

/** How the file was read. */
const settingsOf = (
  task: ReadFileTask,
  detected: Detected,
  encoding: FileSettings['encoding'],
): ReadFileResult['settings'] => ({
  form: detected.form,
  delimiter: detected.delimiter,
  encoding,
  header: detected.header,
  skipLines: detected.skipLines,
  keyColumn: detected.form === 'lines' ? 0 : detected.keyColumn,
  offerColumn: detected.offerColumn,
  costColumn: detected.costColumn,
  currencyColumn: detected.currencyColumn,
  supplierColumn: detected.supplierColumn,
  sheet: task.workbook?.sheet ?? 0,
})

function readText(
  task: ReadFileTask,
  knownOffer: KnownOffer,
  fingerprints: Fingerprints,
  tell: (lines: number) => void,
): ReadFileResult {
  const { encoding, mark, ascii, sample } = inspect(task)
  const fixed: Partial<FileSettings> =
    task.workbook === null
      ? task.fixed
      : { ...task.fixed, form: 'table', delimiter: '\t', encoding: 'utf-8' }
  const detected: Detected = detectForm(sample, task.name, knownOffer, fixed)
  const { form, delimiter, header, skipLines, keyColumn, offerColumn, columns } = detected
  const purchases = createPurchaseCells(detected)
  /** The last line above the keys: titles and the header. */
  const lastTitle = skipLines + Number(header)
  const targets: ReadFileResult['targets'] = []
  const writer = writeCheckedLines(task.checked.path, task.checked.key, fingerprints.many)
  const collector = createLineCollector(writer, targets, tell)

  const collectRecord = ({ text, line, offset, length, unclosed }: TableRecord): void => {
    if (line <= lastTitle) return
    const fields = text === null ? [] : fieldsOf(text, delimiter)
    const value = offerColumn === null ? null : offerName(fields[offerColumn] ?? '')
    const missing = unclosed || (text !== null && fields.length <= keyColumn && clean(text) !== '')
    collector.collect(
      text === null ? null : missing ? text : (fields[keyColumn] ?? ''),
      line,
      offset,
      length,
      value,
      missing ? 'missing-column' : null,
      purchases?.indexOf(fields) ?? 0,
    )
  }
  const records = createRecordReader(delimiter, collectRecord)
  const decode = (bytes: Buffer, start: number, end: number): string | null =>
    ascii ? bytes.toString('latin1', start, end) : decodeLine(bytes, start, end, encoding)
  const cells: Cells = { keyFrom: -1, keyTo: -1, offerFrom: -1, offerTo: -1 }
  const delimiterByte = delimiter.charCodeAt(0)
  const isNarrow = !encoding.startsWith('utf-16')
  const targetIn =
    form !== 'table' || offerColumn === null
      ? () => collector.targetOf(null)
      : createCellTargets(cells, decode, collector.targetOf)
  /** Nearly every line takes this path: its key has a known shape, so no string is created. */
  const collectShaped = (
    bytes: Buffer,
    start: number,
    end: number,
    offset: number,
    length: number,
  ): boolean => {
    if (form !== 'table')
      return collector.collectShaped(bytes, start, end, line, offset, length, targetIn)
    if (
      purchases !== null ||
      records.isOpen() ||
      !findCells(bytes, start, end, delimiterByte, keyColumn, offerColumn ?? -1, cells)
    )
      return false
    return collector.collectShaped(
      bytes,
      cells.keyFrom,
      cells.keyTo,
      line,
      offset,
      length,
      targetIn,
    )
  }
  let line = 0
  const splitter = createLineSplitter(encoding, mark, (bytes, start, end, offset, length) => {
    line++
    if (length > end - start) {
      if (form === 'table') records.end()
      return collector.collect(
        '',
        line,
        offset,
        length,
        offerColumn === null ? null : '',
        'too-long',
      )
    }
    if (isNarrow && line > lastTitle && collectShaped(bytes, start, end, offset, length)) return
    const text = decode(bytes, start, end)
    if (form === 'table') records.push({ text, line, offset, length, unclosed: false })
    else if (line > lastTitle) collector.collect(text, line, offset, length, null, null)
  })

  try {
    pushContents(task, mark, splitter.push)
    splitter.end()
    records.end()
    writer.finish()
  } catch (error) {
    writer.abandon()
    throw error
  }
  if (targets.length === 0) targets.push({ value: offerColumn === null ? null : '', lines: 0 })
  return {
    format: CHECKED_FORMAT,
    kind: task.workbook === null ? 'text' : 'workbook',
    sheets: task.workbook?.sheets ?? [],
    logins: detected.logins,
    shape: shapeOf(task, sample, knownOffer),
    settings: settingsOf(task, detected, encoding),
    columns,
    lines: collector.count(),
    targets,
    digitsLength: usualLength(collector.digits),
    purchases: purchases?.found ?? [],
  }
}
