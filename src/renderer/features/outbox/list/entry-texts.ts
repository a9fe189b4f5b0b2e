import type { OutboxEntry } from '../../../../contract/outbox.ts'
import type { Said } from '../../../ui/feedback/moves.ts'
import { currentText, wantedText } from './cell-texts.ts'

/** What sending queued changes does: the service's state, and the person's change. */
export const entryTexts = (entries: readonly OutboxEntry[]): Said[] =>
  entries.map((entry) => ({
    subject: entry.entryId,
    text:
      `${entry.title} (${entry.subtitle}): ` +
      `${currentText(entry, 0).text} to ${wantedText(entry, 0).text}`,
  }))

/** Identifies queued changes by what sending them does. */
export const entryKey = (entries: readonly OutboxEntry[]): string =>
  JSON.stringify(entryTexts(entries))
