import { useQuery } from '@tanstack/react-query'
import type { Account, Connection } from '../../../contract/app/accounts.ts'
import { api } from '../core/rpc.ts'

/** The connection of an account to its service; undefined until the core has responded. */
export function useServiceConnection(account: Account | null): Connection | undefined {
  return useQuery({
    ...api.accounts.connection.queryOptions({ input: { accountId: account?.id ?? '' } }),
    enabled: account !== null,
  }).data
}

/**
 * The time of the last sync while the service is offline, so that pages can say how old their data
 * is. Null when nothing has synced yet; undefined while online.
 */
export function useOfflineSince(account: Account): number | null | undefined {
  const connection = useServiceConnection(account)
  return connection?.state === 'offline' ? connection.lastSyncAt : undefined
}
