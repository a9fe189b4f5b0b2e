import { useQuery } from '@tanstack/react-query'
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
  /** Whether the partners were read. */
  isRead: boolean
  chosen: SandboxPartner | undefined
  choose: (id: string) => void
} {
  const { serviceAccountId } = useAccount()
  const [id, choose] = useState<string | null>(null)
  const read = useQuery(api.sandbox.accounts.partners.queryOptions({ input: { limit: 100 } })).data
  const partners = read?.results ?? []
  const own = useQuery(api.sandbox.state.queryOptions()).data?.accounts.find(
    ({ role }) => role === 'partner',
  )?.serviceAccountId
  const chosen =
    [id, serviceAccountId, own]
      .map((wanted) => partners.find((partner) => partner.id === wanted))
      .find((partner) => partner !== undefined) ?? partners.at(-1)
  return { partners, isRead: read !== undefined, chosen, choose }
}
