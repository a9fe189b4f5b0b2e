import { closeSync, openSync } from 'node:fs'
import type { ImportFile, LineOutcome } from '../../../contract/keys/import-records.ts'
import type { z } from 'zod'
import type { importLineSchema } from '../../../contract/keys/import-records.ts'
import { blockOf, LINES_PER_BLOCK, readBlock } from '../spool/checked-lines.ts'
import type { Block } from '../spool/checked-lines.ts'
import { scanFrames } from '../spool/frames.ts'
import type { FrameKey } from '../spool/frames.ts'
import { maskKey } from '../../mask-key.ts'
import { outcomeOf, reasonsOf } from '../classify/classify-lines.ts'

type Line = z.infer<typeof importLineSchema>
export type LinesAsked = {
  offset: number
  limit: number
  reveal: boolean
  only: LineOutcome | null
}

/**
 * The line indexes in a window, in file order, that have the wanted outcome, and their total
 * number.
 */
function choose(
  verdicts: Buffer,
  { offset, limit, only }: LinesAsked,
): { total: number; indexes: number[] } {
  if (only === null) {
    const end = Math.min(verdicts.length, offset + limit)
    return {
      total: verdicts.length,
      indexes: Array.from({ length: Math.max(0, end - offset) }, (_, at) => offset + at),
    }
  }
  const indexes: number[] = []
  let total = 0
  for (let index = 0; index < verdicts.length; index++) {
    if (outcomeOf(verdicts[index]) !== only) continue
    if (total >= offset && indexes.length < limit) indexes.push(index)
    total++
  }
  return { total, indexes }
}

/**
 * Shows lines of a checked file, masked unless the caller asks to reveal them. Damaged text isn't a
 * key any more and is always shown.
 */
export function showLines(
  checked: { path: string; key: FrameKey },
  verdicts: Buffer,
  targets: ImportFile['targets'],
  asked: LinesAsked,
): { total: number; rows: Line[] } {
  const { total, indexes } = choose(verdicts, asked)
  const file = openSync(checked.path, 'r')
  try {
    const { frames } = scanFrames(file)
    let number = -1
    let block: Block | null = null
    const rows: Line[] = []
    for (const index of indexes) {
      const frame = frames[blockOf(index)]
      if (frame !== undefined && frame.index !== number) {
        number = frame.index
        block = readBlock(file, checked.key, frame)
      }
      if (block === null) break
      const place = index % LINES_PER_BLOCK
      const verdict = verdicts[index] ?? 3
      const reasons = [...reasonsOf(block.bitsOf(place), verdict)]
      const text = block.bytesOf(place).toString('utf8')
      rows.push({
        line: block.line(place).line,
        key:
          asked.reveal ||
          reasons.some((reason) => reason.startsWith('spreadsheet-') || reason === 'placeholder') ||
          text === ''
            ? text
            : maskKey(text),
        offerName: targets[block.targetOf(place)]?.offerName ?? null,
        fate: outcomeOf(verdict),
        reasons,
      })
    }
    return { total, rows }
  } finally {
    closeSync(file)
  }
}
