import type { Problem } from '../../../../contract/base.ts'
import { fileProblem } from '../unreadable.ts'

export type FileKind = 'empty' | 'zip' | 'picture' | 'text' | Problem

/**
 * Recognizes a file by its first bytes, regardless of its name. Returns the problem to show for a
 * file that contains no readable keys.
 */
export function kindOf(start: Buffer): FileKind {
  if (start.length === 0) return 'empty'
  const magic = start.toString('latin1', 0, 12)
  const begins = (...openings: string[]): boolean =>
    openings.some((opening) => magic.startsWith(opening))
  if (begins('PK\u0003\u0004', 'PK\u0005\u0006')) return 'zip'
  if (begins('\u0089PNG', '\u00ff\u00d8\u00ff', 'GIF87a', 'GIF89a')) return 'picture'
  if (begins('RIFF') && magic.endsWith('WEBP'))
    return fileProblem(
      'NOT_TEXT',
      'This is a WebP picture.',
      'Save it as PNG, JPEG or GIF. The service accepts no other formats.',
    )
  if (begins('\u00d0\u00cf\u0011\u00e0'))
    return fileProblem(
      'NOT_TEXT',
      'This is an old Office document or a password-protected workbook.',
      'Save it as xlsx without a password, or as csv, and add that file.',
    )
  if (begins('%PDF'))
    return fileProblem(
      'NOT_TEXT',
      'This is a PDF document.',
      'Copy the keys into a text file, one per line.',
    )
  if (
    begins('\u001f\u008b', '7z\u00bc\u00af', 'Rar!', '\u007fELF', 'MZ\u0090', 'BZh', '\u00fd7zXZ')
  )
    return fileProblem(
      'NOT_TEXT',
      'This is an archive or a program, not a text file.',
      'Extract it and add the files inside.',
    )
  return 'text'
}

/**
 * Whether bytes of no known kind aren't text: more than 1 % zeros (and more than a few), or 8 % of
 * bytes that text doesn't contain (compressed and random data has 11 %). A few control characters
 * only affect their own lines. UTF-16 is ruled out before this check.
 */
export function isBinary(start: Buffer): boolean {
  let zeros = 0
  let controls = 0
  for (const byte of start) {
    if (byte === 0) zeros++
    if ((byte < 32 && !(byte >= 9 && byte <= 13)) || byte === 127) controls++
  }
  return (
    zeros > Math.max(4, start.length / 100) ||
    (start.length >= 256 && controls > start.length * 0.08)
  )
}

export const emptyFile = fileProblem('EMPTY_FILE', 'The file is empty.', 'Choose another file.')
export const noTextFile = fileProblem(
  'NOT_TEXT',
  'This isn’t a text file.',
  'Add a text file, a workbook (xlsx) or pictures (PNG, JPEG, GIF).',
)
