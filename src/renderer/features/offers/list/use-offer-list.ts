import { useCallback, useDeferredValue, useState } from 'react'
import {
  type ListedOffer,
  offerSortColumns,
  type SavedView,
} from '../../../../contract/offers/offers.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import type { Sort as TableSort } from '../../../ui/table/columns/columns.ts'
import { usePagedRows } from '../../../ui/table/rows/paged-rows.ts'
import { oneOf, sortedBy, useListSettings, wordsOf } from '../../../ui/table/saved/list-settings.ts'

export const offerViews = ['all', 'not-cheapest', 'low-stock', 'empty', 'paused'] as const
export type OfferView = (typeof offerViews)[number]

type Sort = SavedView['look']['sort']
const lookParts = {
  view: oneOf(offerViews, 'all'),
  platforms: wordsOf(),
  regions: wordsOf(),
  sort: sortedBy(offerSortColumns, 'name', 'asc'),
}
type OfferPage = {
  total: number
  complete: boolean
  rows: ListedOffer[]
  views: Partial<Record<OfferView, number>>
  platforms: string[]
  regions: string[]
}

/** The filters and the order of the offers table, and the offers that match them. */
export function useOfferList() {
  const { id: accountId } = useAccount()
  const [{ view, platforms, regions, sort }, look] = useListSettings('offers', accountId, lookParts)
  const [typedQuery, setTypedQuery] = useState('')
  const query = useDeferredValue(typedQuery)
  const filter = { view, query, platforms, regions }
  const rows = usePagedRows<ListedOffer, OfferPage>(
    JSON.stringify([accountId, filter, sort]),
    (window) => api.offers.list.queryOptions({ input: { accountId, ...filter, sort, window } }),
    (offer) => offer.offerId,
  )
  return {
    filter,
    filterKey: JSON.stringify([accountId, filter]),
    isFiltered: view !== 'all' || query !== '' || platforms.length > 0 || regions.length > 0,
    sort,
    rows,
    typedQuery,
    setTypedQuery,
    look,
    sortBy: useCallback(
      (next: TableSort) =>
        look({ sort: { column: next.column as Sort['column'], direction: next.direction } }),
      [look],
    ),
    /** Finds the position of an offer in the list. */
    locate: useCallback(
      async (offerId: string) =>
        (
          await rpc.offers.position({
            accountId,
            view,
            query,
            platforms,
            regions,
            sort,
            offerId,
          })
        ).index,
      [accountId, view, query, platforms, regions, sort],
    ),
    /** Shows the list with the filters and the order of a saved view. */
    applyView(saved: Pick<SavedView['look'], 'filter' | 'sort'>): void {
      const { view: savedView, platforms: savedPlatforms, regions: savedRegions } = saved.filter
      look({
        view: savedView,
        platforms: savedPlatforms,
        regions: savedRegions,
        sort: saved.sort,
      })
      setTypedQuery(saved.filter.query)
    },
  }
}
export type OfferList = ReturnType<typeof useOfferList>
