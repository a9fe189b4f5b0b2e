import type { Problem } from '../../../contract/base.ts'

const problem = (code: string, what: string, next: string): Problem => ({ code, what, effect: 'Nothing of it is uploaded.', next, status: null, requestId: null, retryAfterMs: null })

/** What a file is by its first bytes, when it is no text: the problem to show. Null for a file that may be text. */
export function notText(start: Buffer): Problem | null {
  if (start.length === 0) return problem('EMPTY_FILE', 'The file is empty.', 'Choose another file.')
  const magic = start.toString('latin1', 0, 8)
  const begins = (...openings: string[]): boolean => openings.some((opening) => magic.startsWith(opening))
  if (begins('PK\u0003\u0004', 'PK\u0005\u0006')) return problem('NOT_TEXT', 'This is a zip archive or a workbook, whatever its name says.', 'Unpack it, or save the sheet as csv, and add that file.')
  if (begins('\u00d0\u00cf\u0011\u00e0')) return problem('NOT_TEXT', 'This is an old Office document.', 'Save the sheet as csv and add that file.')
  if (begins('%PDF')) return problem('NOT_TEXT', 'This is a PDF document.', 'Copy the keys into a text file, one per line.')
  if (begins('\u0089PNG', '\u00ff\u00d8\u00ff', 'GIF8')) return problem('NOT_TEXT', 'This is a picture.', 'Add text files: one key per line, or a table.')
  if (begins('\u001f\u008b', '7z\u00bc\u00af', 'Rar!', '\u007fELF', 'MZ\u0090')) return problem('NOT_TEXT', 'This is an archive or a program, no text.', 'Unpack it and add the text files inside.')
  return null
}

/**
 * Whether bytes of no known kind are none of a text: more than 1 % zeros, or 8 % of what no text has (compressed and random bytes have 11 %).
 * A few control characters are the matter of their own lines; UTF-16 is asked for before.
 */
export function isBinary(start: Buffer): boolean {
  let zeros = 0
  let controls = 0
  for (const byte of start) {
    if (byte === 0) zeros++
    if ((byte < 32 && !(byte >= 9 && byte <= 13)) || byte === 127) controls++
  }
  return zeros > start.length / 100 || (start.length >= 256 && controls > start.length * 0.08)
}

export const noTextFile = problem('NOT_TEXT', 'This is no text file.', 'Add text files: one key per line, or a table.')
export const changedWhileRead = problem('FILE_CHANGED', 'The file changed while it was read.', 'Close it in other programs and add it again.')
export const spoolDamaged = problem('SPOOL_DAMAGED', 'The encrypted copy of this file on this machine can’t be read any more.', 'Remove it here and add the file again.')
