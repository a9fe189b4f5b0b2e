import { useQuery } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { useLocation } from 'wouter'
import type { ListedOffer } from '../../../../contract/offers/offers.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { api } from '../../../lib/core/rpc.ts'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import type { TargetTable } from '../../../ui/table/data-table.tsx'
import { type OfferChanges, statusOf } from '../price/use-offer-change.ts'

/**
 * The shortcuts of the offers page: a new offer, and for the open offer or otherwise the active row,
 * an import of keys and a pause.
 */
export function useOfferShortcuts(
  table: RefObject<TargetTable<ListedOffer> | null>,
  offerId: string | null,
  setStatus: OfferChanges['setStatus'],
): void {
  const { id: accountId } = useAccount()
  const [, go] = useLocation()
  const opened = useQuery({
    ...api.offers.offer.queryOptions({ input: { accountId, offerId: offerId ?? '' } }),
    enabled: offerId !== null,
  })
  const target = (): ListedOffer | undefined =>
    offerId === null ? table.current?.target() : opened.data
  useShortcut('N', () => go('/catalogue'))
  useShortcut('I', () => {
    const id = offerId ?? target()?.offerId
    go(id === undefined ? '/import' : `/import?offer=${encodeURIComponent(id)}`)
  })
  useShortcut('U', () => {
    const offer = target()
    if (offer !== undefined) setStatus(offer, statusOf(offer) === 'paused' ? 'active' : 'paused')
  })
}
