import { useQuery } from '@tanstack/react-query'
import type { OutboxKind } from '../../../contract/outbox.ts'
import { api, rpc } from '../core/rpc.ts'

/** The number of queued changes of an account. */
export function useQueuedCount(accountId: string): number {
  return (
    useQuery(
      api.outbox.list.queryOptions({ input: { accountId, window: { offset: 0, limit: 1 } } }),
    ).data?.counts.waiting ?? 0
  )
}

/** Discards the queued change of one subject. Resolves to whether nothing of it was sent. */
export async function discardQueued(
  accountId: string,
  kind: OutboxKind,
  subjectId: string,
): Promise<boolean> {
  const { rows } = await rpc.outbox.list({
    accountId,
    query: subjectId,
    window: { offset: 0, limit: 500 },
  })
  const entryIds = rows
    .filter((entry) => entry.kind === kind && entry.subjectId === subjectId)
    .map(({ entryId }) => entryId)
  if (entryIds.length === 0) return false
  const after = await rpc.outbox.discard({ accountId, entryIds })
  return after.every(({ state }) => state === 'dropped')
}
