import type { Import, LineReason } from '../../../contract/imports.ts'

/** What each reason means, and what becomes of the line: the words of "What looks wrong". */
export const reasonWords: Record<LineReason, { title: string; text: string }> = {
  blank: { title: 'Blank lines', text: 'Nothing to send' },
  'too-long': { title: 'Too long', text: 'The service takes at most 4,096 characters' },
  'control-characters': { title: 'Control characters', text: 'Not a key the service takes' },
  'invalid-encoding': { title: 'Unreadable characters', text: 'Choose another encoding' },
  'spreadsheet-damage': { title: 'Spreadsheet damage', text: 'The last digits are gone for good' },
  'missing-column': { title: 'No key in this line', text: 'The key column is missing or empty' },
  'no-picture': { title: 'Not a picture', text: 'The service takes png, jpeg and gif' },
  'picture-too-large': { title: 'Picture too large', text: 'At most 512 KiB and 40 megapixels' },
  'duplicate-in-file': { title: 'Twice in this file', text: 'The first one is kept' },
  'duplicate-across-files': { title: 'Twice in these files', text: 'The first one is kept' },
  'uploaded-before': { title: 'Uploaded before', text: 'By this console, for the same product' },
  'on-another-offer': {
    title: 'On another offer',
    text: 'Uploaded by this console for another product',
  },
  'spaces-removed': { title: 'Spaces around the key', text: 'Removed, the key is unchanged' },
  'invisible-removed': {
    title: 'Byte order mark, invisible marks',
    text: 'Removed, the key is unchanged',
  },
  'quotes-removed': { title: 'Quotes around the key', text: 'Removed, the key is unchanged' },
  cleaned: { title: 'Spaces or marks around the key', text: 'Removed, the key is unchanged' },
  'unusual-shape': { title: 'Unusual shape', text: 'Not the usual form for this platform' },
  'leading-zero-lost': { title: 'Leading zero may be missing', text: 'Shorter than the others' },
  confusable: {
    title: 'Characters that look alike',
    text: 'Letters of another script, or a dash for a hyphen',
  },
  'looks-like-date': { title: 'Looks like a date', text: 'A spreadsheet may have changed it' },
  'no-offer': { title: 'No offer yet', text: 'Choose an offer, or leave out' },
}

/** What becomes of such a line, at the right of its row. */
const fateWords = {
  ready: 'will be sent',
  'no-offer': 'stay behind',
  duplicate: 'skipped',
  refused: 'refused',
} as const
const fateWordsAfter = { ...fateWords, ready: 'sent', 'no-offer': 'stayed behind' } as const

/** What was taken away, in the verdict of a line. */
export const cleanedWords: Partial<Record<LineReason, string>> = {
  'spaces-removed': 'spaces removed',
  'invisible-removed': 'marks removed',
  'quotes-removed': 'quotes removed',
}

/** Whether a reason only tells what was taken away around a key. */
export const isCleaning = (reason: LineReason): boolean =>
  reason === 'cleaned' || reason.endsWith('-removed')

/** What becomes, or after the upload became, of the lines found for a reason. */
export function fateOf(found: Import['problems'][number], state: Import['state']): string {
  if (isCleaning(found.reason)) return 'cleaned'
  return (state === 'done' ? fateWordsAfter : fateWords)[found.fate]
}

/**
 * The step of the import's page that belongs to its state: 0 files, 1 check, 2 upload, 3 report.
 */
export function stepOf(state: Import['state'], files: number): 0 | 1 | 2 | 3 {
  if (state === 'draft') return files === 0 ? 0 : 1
  return state === 'done' || state === 'cancelled' ? 3 : 2
}

export const steps = ['Files', 'Check', 'Upload', 'Report'] as const

/** `1 key`, `441,749 keys`. */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${new Intl.NumberFormat('en-GB').format(count)} ${count === 1 ? one : many}`
