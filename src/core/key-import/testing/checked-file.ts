import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createFingerprints } from '../fingerprint/fingerprint.ts'
import { writeCheckedLines } from '../spool/checked-lines.ts'
import type { FrameKey } from '../spool/frames.ts'

/** A line as if it had been read: its text, and what reading found. */
export type LineGiven = {
  text: string
  bits?: number
  target?: number
  shapes?: number
  /** The four words of the fingerprint; by default, they are computed from the text. */
  print?: readonly [number, number, number, number]
}

/** Computes the fingerprints of {@link writeCheckedFile}. */
export const testFingerprints = createFingerprints(Buffer.alloc(32, 7))

/** Writes lines into a sealed file of checked lines, numbered from 1. */
export function writeCheckedFile(
  folder: string,
  name: string,
  lines: readonly LineGiven[],
): { path: string; key: FrameKey } {
  const path = join(folder, name)
  const key: FrameKey = { seal: randomBytes(32), accountId: 'acc', record: name }
  const writer = writeCheckedLines(path, key, testFingerprints.many)
  let offset = 0
  for (const [index, { text, bits = 0, target = 0, shapes = 0, print }] of lines.entries()) {
    const bytes = Buffer.from(text)
    writer.add(
      { line: index + 1, offset, length: bytes.length, bits, target, shapes },
      bytes,
      0,
      bytes.length,
      print === undefined ? null : Uint32Array.from(print),
    )
    offset += bytes.length + 1
  }
  writer.finish()
  return { path, key }
}
