import { readFileSync } from 'node:fs'
import type { LineOutcome } from '../../../contract/keys/import-records.ts'
import { outcomeOf } from '../classify/classify-lines.ts'
import { readCheckedLines, rejectedBits } from '../spool/checked-lines.ts'
import type { FrameKey } from '../spool/frames.ts'
import { openFrames, readFrames } from '../spool/frames.ts'
import { decodeLine, markOf } from '../parse/text/encoding.ts'
import { createLineSplitter, MAX_LINE_BYTES } from '../parse/text/line-splitter.ts'
import type { TextEncodingName } from '../parse/text/line-splitter.ts'

export type ExportedSource = {
  spool: { path: string; key: FrameKey }
  checked: { path: string; key: FrameKey }
  encoding: TextEncodingName
  /** The line that contains the column names; null without a header. */
  headerLine: number | null
  /** The file of the outcomes, to choose lines by them; null to choose the rejected lines. */
  outcomes: string | null
}

/** The outcomes of lines that stay with the import until they are assigned or included. */
const remaining: ReadonlySet<string> = new Set<LineOutcome>(['no-offer', 'set-aside'])

const PIECE_BYTES = 1 << 20
const lineEnds: Record<TextEncodingName, Buffer> = {
  'utf-8': Buffer.from('\n'),
  'windows-1252': Buffer.from('\n'),
  'utf-16le': Buffer.from([10, 0]),
  'utf-16be': Buffer.from([0, 10]),
}

/** Reads ranges of a spooled file in ascending order. */
function createRangeReader(
  frames: Generator<Buffer, void, void>,
): (offset: number, length: number) => Buffer {
  let held: Buffer = Buffer.alloc(0)
  let begins = 0
  return (offset, length) => {
    const parts: Buffer[] = []
    for (let from = offset; from < offset + length;) {
      if (from >= begins + held.length) {
        begins += held.length
        const next = frames.next()
        if (next.done === true) break
        held = next.value
        continue
      }
      const part = held.subarray(from - begins, Math.min(held.length, offset + length - begins))
      parts.push(part)
      from += part.length
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
  }
}

function* chosenRanges(
  source: ExportedSource,
): Generator<{ offset: number; length: number }, void, void> {
  const verdicts = source.outcomes === null ? null : readFileSync(source.outcomes)
  let at = 0
  for (const block of readCheckedLines(source.checked.path, source.checked.key)) {
    for (let index = 0; index < block.count; index++) {
      const isChosen =
        verdicts === null
          ? (block.bitsOf(index) & rejectedBits) !== 0
          : remaining.has(outcomeOf(verdicts[at++]))
      if (!isChosen) continue
      const { offset, length } = block.line(index)
      if (length <= MAX_LINE_BYTES * 2) yield { offset, length }
    }
  }
}

/** The extent of a line without its line end. */
function extentOf(
  wanted: number,
  bytes: Buffer,
  encoding: TextEncodingName,
  mark: number,
): { offset: number; length: number } {
  let found: { offset: number; length: number } | null = null
  let line = 0
  const splitter = createLineSplitter(encoding, mark, (_bytes, _start, _end, offset, length) => {
    if (++line === wanted) found = { offset, length }
  })
  splitter.push(bytes.subarray(mark))
  splitter.end()
  return found ?? { offset: mark, length: 0 }
}

/**
 * Writes the chosen lines of all files as one sealed text, byte for byte as in their files. Omits
 * lines over 128 KiB. If all lines come from one file, its byte order mark and header line come
 * first, so that the corrected text can be imported unchanged. For files with different encodings
 * the text is UTF-8.
 *
 * @returns the number of lines written
 */
export function writeChosenLines(
  sources: readonly ExportedSource[],
  path: string,
  key: FrameKey,
): number {
  const concerned = sources.filter((source) => !chosenRanges(source).next().done)
  const encodings = new Set(concerned.map((source) => source.encoding))
  const frames = openFrames(path, key, true)
  let piece: Buffer[] = []
  let size = 0
  let count = 0
  const add = (bytes: Buffer): void => {
    piece.push(Buffer.from(bytes))
    size += bytes.length
    if (size >= PIECE_BYTES) flush()
  }
  const flush = (): void => {
    if (size > 0) frames.append(Buffer.concat(piece))
    piece = []
    size = 0
  }
  for (const source of concerned) {
    const same = encodings.size === 1
    const convert = (bytes: Buffer): Buffer => {
      const text = same ? null : decodeLine(bytes, 0, bytes.length, source.encoding)
      return text === null ? bytes : Buffer.from(text, 'utf8')
    }
    const read = createRangeReader(readFrames(source.spool.path, source.spool.key))
    const end = same ? lineEnds[source.encoding] : lineEnds['utf-8']
    if (concerned.length === 1) {
      const start = Buffer.from(read(0, MAX_LINE_BYTES))
      const mark = markOf(start)
      const markLength = mark?.encoding === source.encoding ? mark.mark : 0
      add(start.subarray(0, markLength))
      if (source.headerLine !== null) {
        const { headerLine, encoding } = source
        const { offset, length } = extentOf(headerLine, start, encoding, markLength)
        add(start.subarray(offset, Math.min(offset + length, start.length)))
        add(end)
      }
    }
    const lines = createRangeReader(readFrames(source.spool.path, source.spool.key))
    for (const { offset, length } of chosenRanges(source)) {
      add(convert(lines(offset, length)))
      add(end)
      count++
    }
  }
  flush()
  frames.finish()
  return count
}
