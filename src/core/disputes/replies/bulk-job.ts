import { localized } from '../../../contract/localization/localized.ts'
import type { DisputeAccess } from '../access.ts'
import { replyStore } from './store.ts'

/**
 * Shows a bulk reply in the status bar until its last line is settled, then reports failures.
 * `undone`: replies that a person just undid, which aren't reported.
 */
export function createBulkJob({ context, accountOf }: DisputeAccess) {
  return function show(accountId: string, bulkId: string, undone: readonly string[] = []): void {
    const lines = replyStore(accountOf(accountId).store.db).ofBulk(bulkId)
    const left = lines.filter(({ state }) => state === 'held' || state === 'sending').length
    const failed = lines.filter(
      ({ state, replyId }) => state === 'failed' && !undone.includes(replyId),
    ).length
    const id = `disputes:${bulkId}`
    if (left > 0)
      return context.jobs.set({
        id,
        kind: 'dispute-replies',
        accountId,
        title: 'Replies',
        state: 'running',
        done: lines.length - left,
        total: lines.length,
        leftMs: null,
      })
    context.jobs.end(id)
    if (failed > 0)
      context.notices.notify({
        accountId,
        kind: 'dispute-not-sent',
        title: localized('disputes.bulk-failed', { failed, total: lines.length }),
        text: localized('disputes.bulk-failed-text'),
        path: '/disputes',
      })
  }
}
