import type { Import, LineReason } from '../../../contract/keys/import-records.ts'

/** Title and explanation of each reason, for the list of issues. */
export const reasonLabels: Record<LineReason, { title: string; text: string }> = {
  blank: { title: 'Blank lines', text: 'Nothing to send' },
  'too-long': { title: 'Too long', text: 'The service accepts at most 4,096 characters' },
  'control-characters': {
    title: 'Control characters',
    text: 'The service doesn’t accept them in keys',
  },
  'invalid-encoding': { title: 'Unreadable characters', text: 'Choose another encoding' },
  'spreadsheet-damage': { title: 'Spreadsheet damage', text: 'The last digits are lost' },
  'spreadsheet-error': {
    title: 'Spreadsheet error',
    text: 'The cell has an error or #### instead of a key',
  },
  'missing-column': { title: 'No key in this line', text: 'The key column is missing or empty' },
  'no-picture': { title: 'Not a picture', text: 'The service accepts PNG, JPEG and GIF' },
  'picture-too-large': { title: 'Picture too large', text: 'At most 512 KiB and 40 megapixels' },
  'duplicate-in-file': { title: 'Repeated in this file', text: 'Only the first is sent' },
  'duplicate-across-files': { title: 'Repeated across files', text: 'Only the first is sent' },
  'uploaded-before': { title: 'Uploaded before', text: 'From this computer, for the same product' },
  'on-another-offer': {
    title: 'On another offer',
    text: 'Uploaded from this computer for another product',
  },
  'spaces-removed': { title: 'Spaces around the key', text: 'Removed; the key is unchanged' },
  'invisible-removed': {
    title: 'Byte order mark or invisible characters',
    text: 'Removed; the key is unchanged',
  },
  'quotes-removed': { title: 'Quotes around the key', text: 'Removed; the key is unchanged' },
  'label-removed': {
    title: 'Number or label before the key',
    text: 'Removed; the key is unchanged',
  },
  placeholder: { title: 'Placeholder', text: 'Says that there is no key, such as N/A or -----' },
  'no-key': { title: 'Words instead of a key', text: 'Looks like a heading or a note' },
  'text-beside-key': {
    title: 'Text beside the key',
    text: 'Only the key is sent if you include them',
  },
  'code-beside-key': {
    title: 'PIN or second code beside the key',
    text: 'The whole line is sent if you include them',
  },
  'marked-used': {
    title: 'Marked as used',
    text: 'Only the key is sent if you include them',
  },
  cleaned: {
    title: 'Spaces or invisible characters around the key',
    text: 'Removed; the key is unchanged',
  },
  'unusual-shape': { title: 'Unusual format', text: 'Not the usual format for this platform' },
  'leading-zero-lost': {
    title: 'Leading zero may be missing',
    text: 'Shorter than the other keys',
  },
  confusable: {
    title: 'Lookalike characters',
    text: 'Letters from another script, or a dash instead of a hyphen',
  },
  'looks-like-date': { title: 'Looks like a date', text: 'A spreadsheet may have changed it' },
  'no-offer': { title: 'No offer yet', text: 'Choose an offer or skip' },
}

/** What happens to the affected lines, at the right of each row. */
const outcomeLabels = {
  ready: 'will be sent',
  'no-offer': 'won’t be sent',
  duplicate: 'skipped',
  refused: 'rejected',
  'set-aside': 'set aside',
} as const
const outcomeLabelsAfter = { ...outcomeLabels, ready: 'sent', 'no-offer': 'not sent' } as const

/** What was removed, for the outcome of a line. */
export const cleanedLabels: Partial<Record<LineReason, string>> = {
  'spaces-removed': 'spaces removed',
  'invisible-removed': 'invisible characters removed',
  'quotes-removed': 'quotes removed',
  'label-removed': 'label removed',
}

/** Whether a reason only reports what was removed around a key. */
export const isCleaning = (reason: LineReason): boolean =>
  reason === 'cleaned' || reason.endsWith('-removed')

/** What happens to the lines with this reason, or happened to them after the upload. */
export function outcomeLabel(found: Import['problems'][number], state: Import['state']): string {
  if (isCleaning(found.reason)) return 'cleaned'
  return (state === 'done' ? outcomeLabelsAfter : outcomeLabels)[found.fate]
}

/** The step of the import page for a state: 0 files, 1 check, 2 upload, 3 report. */
export function stepOf(state: Import['state'], files: number): 0 | 1 | 2 | 3 {
  if (state === 'draft') return files === 0 ? 0 : 1
  return state === 'done' || state === 'cancelled' ? 3 : 2
}

export const steps = ['Files', 'Check', 'Upload', 'Report'] as const
