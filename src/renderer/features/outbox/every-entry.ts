import type { OutboxEntry, outboxTabs } from '../../../contract/outbox.ts'
import { rpc } from '../../lib/core/rpc.ts'
import { readWindows } from '../../ui/table/rows/read-windows.ts'

/** As many entries as one request can ask for. */
export const ENTRIES_PER_READ = 500

/** All matching entries, in windows. */
export function everyEntry(
  accountId: string,
  tab: (typeof outboxTabs)[number],
  query: string,
): Promise<OutboxEntry[]> {
  return readWindows<OutboxEntry>((window) => rpc.outbox.list({ accountId, tab, query, window }), {
    keyOf: ({ entryId }) => entryId,
    size: ENTRIES_PER_READ,
  })
}

/** The entries that can still be discarded: the others are being sent, or their response was lost. */
export const discardable = (entries: readonly OutboxEntry[]): OutboxEntry[] =>
  entries.filter(({ state }) => state === 'waiting')
