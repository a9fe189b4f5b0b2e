import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SandboxPartner } from '../../../contract/sandbox-accounts.ts'
import { useAccount } from '../../lib/current-account.ts'
import { api } from '../../lib/rpc.ts'

/** The partners of the sandbox and the one that is looked at: the account in front where it is one of them, else the first until somebody chooses. */
export function usePartners(): { partners: readonly SandboxPartner[]; chosen: SandboxPartner | undefined; choose: (id: string) => void } {
  const { serviceAccountId } = useAccount()
  const [id, choose] = useState<string | null>(null)
  const partners = useQuery(api.sandbox.accounts.partners.queryOptions({ input: { limit: 100 } })).data?.results ?? []
  const chosen = partners.find((partner) => partner.id === id) ?? partners.find((partner) => partner.id === serviceAccountId) ?? partners[0]
  return { partners, chosen, choose }
}
