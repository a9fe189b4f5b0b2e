import type { QueryClient, QueryState } from '@tanstack/react-query'
import type { Cents } from '../../../../../server/api/money.ts'
import type { ListedOffer } from '../../../../contract/offers/offers.ts'
import { api } from '../../../lib/core/rpc.ts'

/**
 * Shows a price as being saved in every list that contains its offer, until the core reports the
 * change. A reading that is still on its way would show the old price again, so it is dropped.
 */
export function showSaving(
  client: QueryClient,
  accountId: string,
  offerId: string,
  priceCents: Cents,
): void {
  const queryKey = api.offers.list.key({ input: { accountId } })
  void client.cancelQueries({ queryKey })
  for (const query of client.getQueryCache().findAll({ queryKey })) {
    const { data: page, dataUpdatedAt } = query.state as QueryState<{ rows: ListedOffer[] }>
    if (page?.rows.some((row) => row.offerId === offerId) !== true) continue
    const rows = page.rows.map((row) =>
      row.offerId === offerId
        ? { ...row, pending: { state: 'saving', priceCents, status: null, problem: null } }
        : row,
    )
    // The page's other data is as old as before.
    client.setQueryData(query.queryKey, { ...page, rows }, { updatedAt: dataUpdatedAt })
  }
}
