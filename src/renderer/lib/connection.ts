import { useQuery } from '@tanstack/react-query'
import type { Account, Connection } from '../../contract/accounts.ts'
import { api } from './rpc.ts'

/** How an account stands to its service; undefined until the core told. */
export function useConnection(account: Account | null): Connection | undefined {
  return useQuery({
    ...api.accounts.connection.queryOptions({ input: { accountId: account?.id ?? '' } }),
    enabled: account !== null,
  }).data
}

/**
 * Since when the data on the screen is old, while the service can't be reached: the last sync, or
 * null when nothing was read yet; undefined while it can.
 */
export function useOfflineSince(account: Account): number | null | undefined {
  const connection = useConnection(account)
  return connection?.state === 'offline' ? connection.lastSyncAt : undefined
}
