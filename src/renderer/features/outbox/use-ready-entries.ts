import { useQuery } from '@tanstack/react-query'
import type { OutboxEntry } from '../../../contract/outbox.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { api } from '../../lib/core/rpc.ts'
import { type Frozen, useFrozen } from '../../ui/hooks/use-frozen.ts'
import { everyEntry } from './every-entry.ts'
import { entryKey } from './list/entry-texts.ts'
import type { OutboxList } from './list/use-outbox-list.ts'
import type { OutboxActions } from './use-outbox.ts'

const none: readonly OutboxEntry[] = []

/**
 * The queued changes that are ready to send, as the person read them; null while there are none, or
 * while they are compared, sent or read again after the person's own action.
 */
export function useReadyEntries(
  { query, rows }: OutboxList,
  { comparing, finished, progress }: OutboxActions,
): Frozen<readonly OutboxEntry[] | null> {
  const { id: accountId } = useAccount()
  const isSettled = !comparing && progress === null && rows.page?.comparedAt != null
  const read =
    useQuery({
      queryKey: [...api.outbox.list.key(), 'ready', accountId, query, finished],
      queryFn: async () =>
        (await everyEntry(accountId, 'waiting', query)).filter(
          ({ state, verdict }) => state === 'waiting' && verdict === 'ready',
        ),
      enabled: isSettled,
      gcTime: 0,
    }).data ?? none
  return useFrozen(
    isSettled && read.length > 0 ? read : null,
    JSON.stringify([accountId, query, finished]),
    entryKey,
  )
}
