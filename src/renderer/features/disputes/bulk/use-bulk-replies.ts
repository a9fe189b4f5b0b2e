import { useQueries } from '@tanstack/react-query'
import type { Account } from '../../../../contract/app/accounts.ts'
import type { BulkReply } from '../../../../contract/disputes/dispute-replies.ts'
import { api } from '../../../lib/core/rpc.ts'

/** The latest bulk replies of several accounts, newest first. */
export function useBulkReplies(
  accounts: readonly Account[],
): { account: Account; bulk: BulkReply }[] {
  const queries = useQueries({
    queries: accounts.map(({ id }) =>
      api.disputes.bulkReplies.queryOptions({ input: { accountId: id } }),
    ),
  })
  return accounts
    .flatMap((account, at) => (queries[at]?.data ?? []).map((bulk) => ({ account, bulk })))
    .toSorted((a, b) => b.bulk.writtenAt - a.bulk.writtenAt)
}
