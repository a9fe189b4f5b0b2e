import { useQuery } from '@tanstack/react-query'
import { syncedLists } from '../../../contract/app/accounts.ts'
import type { Account, Connection, SyncedList } from '../../../contract/app/accounts.ts'
import { api } from '../core/rpc.ts'

/** The connection of an account to its service; undefined until the core has responded. */
export function useServiceConnection(account: Account | null): Connection | undefined {
  return useQuery({
    ...api.accounts.connection.queryOptions({ input: { accountId: account?.id ?? '' } }),
    enabled: account !== null,
  }).data
}

/**
 * The time of a list's last sync while the service is offline, so that pages can say how old their
 * data is. Null when it hasn't been synced completely yet; undefined while online.
 */
export function useOfflineSince(account: Account, list: SyncedList): number | null | undefined {
  const connection = useServiceConnection(account)
  return connection?.state === 'offline' ? (connection.synced[list] ?? null) : undefined
}

/** Whether an account's service can't be reached at the moment. */
export const useIsOffline = (account: Account): boolean =>
  useServiceConnection(account)?.state === 'offline'

/**
 * When the shown data was last synced: the list's time, or without a list the time of the list that
 * was synced first. The catalogue counts only without a list, because it is read much less often. Null
 * while a first sync isn't complete.
 */
export function syncedAt(synced: Connection['synced'], list: SyncedList | null): number | null {
  if (list !== null && synced[list] !== undefined) return synced[list]
  const times = syncedLists.flatMap((each) =>
    each === 'products' || synced[each] === undefined ? [] : [synced[each]],
  )
  return times.length === 0 || times.includes(null)
    ? null
    : Math.min(...times.flatMap((at) => at ?? []))
}
