import { useQuery } from '@tanstack/react-query'
import type { ListedOffer } from '../../../../contract/offers/offers.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { api } from '../../../lib/core/rpc.ts'

/**
 * The current state of a dialog's offer. Until the offer is read again, it is
 * the one that the dialog was opened for: an older reading in the cache is no change.
 */
export function useCurrentOffer(asked: ListedOffer): ListedOffer {
  const { id: accountId } = useAccount()
  const { data, isFetchedAfterMount } = useQuery(
    api.offers.offer.queryOptions({ input: { accountId, offerId: asked.offerId } }),
  )
  return isFetchedAfterMount && data !== undefined ? data : asked
}
