import { bits } from './checked-lines.ts'
import type { CheckedLinesWriter } from './checked-lines.ts'
import type { ReadFileResult } from './read-task.ts'
import { judge } from './text/judge.ts'
import type { Judged, Refusal } from './text/judge.ts'
import { anyShape, shapesOfBytes } from './text/shapes.ts'
import { fileProblem, UnreadableFile } from './unreadable.ts'

/**
 * More values than this in an offer column are one: a column of a million values is no offer
 * column.
 */
export const MOST_TARGETS = 5000
const OTHER_VALUES = '… other values'
/** How much of a refused line is kept to be shown. */
const SHOWN_CHARACTERS = 64
const PROGRESS_LINES = 50_000
/** More lines than this are not compared with each other in the memory of a usual machine. */
export const MOST_LINES = 10_000_000
export const tooManyLines = fileProblem(
  'TOO_MANY_LINES',
  'An import takes at most 10,000,000 lines.',
  'Split the file, and import its parts one after another.',
)

function areDigits(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const code = bytes[at] ?? 0
    if (code < 48 || code > 57) return false
  }
  return true
}

const unreadable: Judged = { key: '', cleaned: [], doubt: null, refusal: 'invalid-encoding' }

/**
 * Takes the texts of lines, judges them and writes them down with what they carry.
 *
 * @param targets filled as values of the offer column come up
 * @param tell the number of lines so far, now and then
 */
export function createTaker(
  writer: CheckedLinesWriter,
  targets: ReadFileResult['targets'],
  tell: (lines: number) => void,
) {
  const byValue = new Map<string | null, number>()
  const digits = new Map<number, number>()
  const none = new Uint32Array(4)
  const scratch = Buffer.alloc(16 * 1024)
  /** One for all lines: a million of them would have to be cleared away. */
  const record = { line: 0, offset: 0, length: 0, bits: 0, target: 0, shapes: 0 }
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
  /** Writes down a key that is to be sent: `bytes[from..to)`. */
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
    writer.add(record, bytes, from, to, null)
  }

  return {
    digits,
    count: () => lines,
    targetOf,
    /**
     * A key of a known shape needs no judging: it is plain, no date and no number. False, and
     * nothing is taken, where it has none.
     *
     * @param targetIn the target of a line with such a key, -1 where that can't be read
     */
    takeShaped(
      bytes: Buffer,
      from: number,
      to: number,
      line: number,
      offset: number,
      length: number,
      targetIn: (bytes: Buffer) => number,
    ): boolean {
      const shapes = shapesOfBytes(bytes, from, to)
      if ((shapes & ~anyShape) === 0) return false
      const index = targetIn(bytes)
      if (index < 0) return false
      begin()
      countTarget(index)
      put(bytes, from, to, line, offset, length, index, 0, shapes)
      return true
    },
    /**
     * `text` null: its bytes are no text of the encoding. `refusal`: known before, whatever the
     * text.
     */
    take(
      text: string | null,
      line: number,
      offset: number,
      length: number,
      value: string | null,
      refusal: Refusal | null,
    ): void {
      begin()
      const index = targetOf(value)
      countTarget(index)
      const judged = text === null ? unreadable : judge(text)
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
      const size = scratch.write(judged.key, 0, 'utf8')
      let flags: number = judged.doubt === null ? 0 : bits[judged.doubt]
      for (const what of judged.cleaned) flags |= bits[what]
      put(scratch, 0, size, line, offset, length, index, flags, shapesOfBytes(scratch, 0, size))
    },
  }
}
