import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import {
  type MarketRow,
  marketSortColumns,
  type MarketTab,
} from '../../../../contract/price-watch/price-watch-records.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { useNow } from '../../../ui/hooks/use-now.ts'
import type { Sort } from '../../../ui/table/columns/columns.ts'
import { usePagedRows } from '../../../ui/table/rows/paged-rows.ts'
import { oneOf, sortedBy, useListSettings } from '../../../ui/table/saved/list-settings.ts'
import { marketColumns } from './market-columns.tsx'

type MarketPage = { total: number; rows: MarketRow[]; tabs: Record<MarketTab, number> }
type Sorted = { column: (typeof marketSortColumns)[number]; direction: 'asc' | 'desc' }

export const tabNames: Record<MarketTab, string> = {
  losing: 'Losing',
  proposals: 'Proposals',
  probing: 'Probing up',
  held: 'Held',
  all: 'All',
}
export const marketTabs = Object.keys(tabNames) as MarketTab[]
const lookParts = {
  tab: oneOf(marketTabs, 'losing'),
  sort: sortedBy(marketSortColumns, 'lost', 'desc'),
}
const AGE_STEP_MS = 10_000

/** The filter and sort order of the market, and the rows they match. */
export function useMarketList() {
  const account = useAccount()
  const now = useNow(AGE_STEP_MS)
  const [{ tab, sort }, look] = useListSettings('price-watch', account.id, lookParts)
  const [typed, setTyped] = useState('')
  const query = useDeferredValue(typed)
  const list = { accountId: account.id, tab, query, sort }
  const rows = usePagedRows<MarketRow, MarketPage>(
    JSON.stringify(list),
    (window) => api.priceWatch.market.queryOptions({ input: { ...list, window } }),
    (row) => row.offerId,
  )
  const locate = useCallback(
    async (wanted: string) => (await rpc.priceWatch.position({ ...list, offerId: wanted })).index,
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the list is a new object each time
    [JSON.stringify(list)],
  )
  const most = Math.max(
    1,
    ...Array.from(
      { length: Math.min(rows.total, 30) },
      (_, index) => rows.getRow(index)?.perDayCents ?? 0,
    ),
  )
  const steps = Math.floor(now / AGE_STEP_MS)
  const columns = useMemo(() => marketColumns((steps + 1) * AGE_STEP_MS, most), [steps, most])
  return {
    tab,
    sort,
    chooseTab: (next: MarketTab): void => look({ tab: next }),
    sortBy: (next: Sort): void => look({ sort: next as Sorted }),
    /** The search field's text, and the query it becomes. */
    typed,
    setTyped,
    query,
    /** The query of the rows. */
    asked: list,
    rows,
    locate,
    columns,
  }
}
export type MarketList = ReturnType<typeof useMarketList>
