import { bits } from '../spool/checked-lines.ts'
import type { CheckedLinesWriter } from '../spool/checked-lines.ts'
import type { ReadFileResult } from './read-task.ts'
import { classifyKey } from './text/classify-key.ts'
import type { ClassifiedKey, Rejection } from './text/classify-key.ts'
import { anyShape, shapesOfBytes } from './text/shapes.ts'
import { suspect } from './text/suspicious.ts'
import { fileProblem, UnreadableFile } from './unreadable.ts'

/**
 * An offer column with more distinct values is treated as a single value, because a column with a
 * million values names no offers.
 */
export const MOST_TARGETS = 5000
const OTHER_VALUES = '… other values'
/** Bytes of a rejected line that are stored for display. */
const SHOWN_CHARACTERS = 64
const PROGRESS_LINES = 50_000
/** Comparing more lines than this would exceed a typical computer's memory. */
export const MOST_LINES = 10_000_000
export const tooManyLines = fileProblem(
  'TOO_MANY_LINES',
  'An import accepts at most 10,000,000 lines.',
  'Split the file and import its parts one by one.',
)

function areDigits(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const code = bytes[at] ?? 0
    if (code < 48 || code > 57) return false
  }
  return true
}

const letterX = 88
const lowerCase = 32
/** Whether a key starts like XXXXX-XXXXX-XXXXX, which has the shape of a key but isn't one. */
const isPattern = (bytes: Uint8Array, from: number): boolean =>
  ((bytes[from] ?? 0) & ~lowerCase) === letterX && bytes[from + 1] === bytes[from]

const unreadable: ClassifiedKey = { key: '', cleaned: [], doubt: null, refusal: 'invalid-encoding' }

/**
 * Collects the text of lines, classifies it and writes the lines with their properties.
 *
 * @param targets filled as values of the offer column are found
 * @param tell called from time to time with the number of lines so far
 */
export function createLineCollector(
  writer: CheckedLinesWriter,
  targets: ReadFileResult['targets'],
  tell: (lines: number) => void,
) {
  const byValue = new Map<string | null, number>()
  const digits = new Map<number, number>()
  const none = new Uint32Array(4)
  const scratch = Buffer.alloc(16 * 1024)
  /** Reused for all lines to avoid a million allocations. */
  const record = { line: 0, offset: 0, length: 0, bits: 0, target: 0, shapes: 0, purchase: 0 }
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

  const begin = (): void => {
    lines++
    if (lines % PROGRESS_LINES === 0) tell(lines)
    if (lines > MOST_LINES) throw new UnreadableFile(tooManyLines)
  }
  const countTarget = (index: number): void => {
    const target = targets[index]
    if (target !== undefined) target.lines++
  }
  /** Writes a key to send: `bytes[from..to)`. */
  const put = (
    bytes: Uint8Array,
    from: number,
    to: number,
    line: number,
    offset: number,
    length: number,
    index: number,
    flags: number,
    shapes: number,
    purchase: number,
  ): void => {
    const size = to - from
    let all = flags
    if (size >= 6 && size <= 32 && areDigits(bytes, from, to)) {
      all |= bits.digits
      digits.set(size, (digits.get(size) ?? 0) + 1)
    }
    record.line = line
    record.offset = offset
    record.length = length
    record.bits = all
    record.target = index
    record.shapes = shapes
    record.purchase = purchase
    writer.add(record, bytes, from, to, null)
  }

  return {
    digits,
    count: () => lines,
    targetOf,
    /**
     * The fast path for a key of a known shape: it is plain, not a date and not a number. Returns
     * false without side effects if the line has no such key.
     *
     * @param targetIn finds the target of a line with such a key, -1 if it can't be read
     */
    collectShaped(
      bytes: Buffer,
      from: number,
      to: number,
      line: number,
      offset: number,
      length: number,
      targetIn: (bytes: Buffer) => number,
    ): boolean {
      const shapes = shapesOfBytes(bytes, from, to)
      if ((shapes & ~anyShape) === 0 || isPattern(bytes, from)) return false
      const index = targetIn(bytes)
      if (index < 0) return false
      begin()
      countTarget(index)
      put(bytes, from, to, line, offset, length, index, 0, shapes, 0)
      return true
    },
    /**
     * `text` null: the bytes are invalid in the encoding. `refusal`: a reason to reject the line
     * regardless of its text.
     */
    collect(
      text: string | null,
      line: number,
      offset: number,
      length: number,
      value: string | null,
      refusal: Rejection | null,
      purchase = 0,
    ): void {
      begin()
      const index = targetOf(value)
      countTarget(index)
      const judged = text === null ? unreadable : classifyKey(text)
      const why = refusal ?? judged.refusal
      if (why !== null) {
        const shown = scratch.write(judged.key.slice(0, SHOWN_CHARACTERS), 0, 'utf8')
        writer.add(
          { line, offset, length, bits: bits[why], target: index, shapes: 0 },
          scratch,
          0,
          shown,
          none,
        )
        return
      }
      const { key, suspicion, unnumbered } = suspect(judged.key)
      const size = scratch.write(key, 0, 'utf8')
      let flags: number = judged.doubt === null ? 0 : bits[judged.doubt]
      if (suspicion !== null) flags |= bits[suspicion]
      if (unnumbered) flags |= bits['label-removed']
      for (const what of judged.cleaned) flags |= bits[what]
      const shapes = shapesOfBytes(scratch, 0, size)
      put(scratch, 0, size, line, offset, length, index, flags, shapes, purchase)
    },
  }
}
