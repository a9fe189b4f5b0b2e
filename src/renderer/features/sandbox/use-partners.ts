import {
  partialMatchKey,
  type QueryKey,
  useQuery,
  type UseQueryResult,
} from '@tanstack/react-query'
import { useState } from 'react'
import type { SandboxPartner } from '../../../contract/sandbox/sandbox-accounts.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { api } from '../../lib/core/rpc.ts'

/**
 * The partners of the sandbox and the selected one. Until the user selects one, it is the current
 * account if that is a partner of the sandbox, otherwise another connected partner, otherwise the
 * oldest.
 */
export function usePartners(): {
  partners: readonly SandboxPartner[]
  /** The query of the partners, for `NotRead` until its data is there. */
  query: UseQueryResult
  chosen: SandboxPartner | undefined
  choose: (id: string) => void
} {
  const { serviceAccountId } = useAccount()
  const [id, choose] = useState<string | null>(null)
  const query = useQuery(api.sandbox.accounts.partners.queryOptions({ input: { limit: 100 } }))
  const partners = query.data?.results ?? []
  const own = useQuery(api.sandbox.state.queryOptions()).data?.accounts.find(
    ({ role }) => role === 'partner',
  )?.serviceAccountId
  const chosen =
    [id, serviceAccountId, own]
      .map((wanted) => partners.find((partner) => partner.id === wanted))
      .find((partner) => partner !== undefined) ?? partners.at(-1)
  return { partners, query, chosen, choose }
}

/**
 * For `placeholderData`: the previous page of the list that `key` identifies, while the next one
 * loads. The rows of another partner are never shown as this one's.
 */
export const previousPage =
  (key: QueryKey) =>
  <Data>(data: Data | undefined, query: { queryKey: QueryKey } | undefined): Data | undefined =>
    query !== undefined && partialMatchKey(query.queryKey, key) ? data : undefined
