import type { OutboxEntry, outboxTabs } from '../../../contract/outbox.ts'
import { rpc } from '../../lib/core/rpc.ts'

/** As many entries as one request can ask for. */
export const ENTRIES_PER_READ = 500

/** All matching entries, in windows. */
export async function everyEntry(
  accountId: string,
  tab: (typeof outboxTabs)[number],
  query: string,
): Promise<OutboxEntry[]> {
  const entries: OutboxEntry[] = []
  for (;;) {
    const { rows, total } = await rpc.outbox.list({
      accountId,
      tab,
      query,
      window: { offset: entries.length, limit: ENTRIES_PER_READ },
    })
    entries.push(...rows)
    if (rows.length === 0 || entries.length >= total) return entries
  }
}
