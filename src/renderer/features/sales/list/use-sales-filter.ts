import { useDeferredValue, useMemo, useState } from 'react'
import { useSearchParams } from 'wouter'
import { saleSortColumns, saleViews } from '../../../../contract/sales.ts'
import { oneOf, sortedBy, useListSettings } from '../../../ui/table/saved/list-settings.ts'
import { barAt, edgesOf, type Period, periods } from '../periods.ts'
import type { SaleView } from '../words.tsx'
import { useAccountNow } from '../../../lib/account/account-time.tsx'

const lookParts = {
  period: oneOf(
    periods.map(({ id }) => id),
    '30',
  ),
  view: oneOf(saleViews, 'all'),
  sort: sortedBy(saleSortColumns, 'sold', 'desc'),
}

function linked(search: URLSearchParams): { period?: Period; view?: SaleView } {
  const view = saleViews.find((each) => each === search.get('view'))
  return {
    ...((search.has('offer') || search.has('product')) && { period: 'all' as const }),
    ...(search.has('day') && { period: '30' as const }),
    ...(view !== undefined && { view }),
  }
}

/** The day that a link names, as the start of its bar. */
const dayOf = (link: URLSearchParams): number | null => Number(link.get('day')) || null

/** The filter of the sales page: saved parts, search words, the chosen bar, and the page's link. */
export function useSalesFilter(accountId: string) {
  const [search, setSearch] = useSearchParams()
  const [kept, keep] = useListSettings('sales', accountId, lookParts)
  // A link selects its own period and view without changing the saved ones.
  const [asLinked, setAsLinked] = useState(() => linked(search))
  const period = asLinked.period ?? kept.period
  const view = asLinked.view ?? kept.view
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(() => dayOf(search))
  const link = search.toString()
  const [shownLink, setShownLink] = useState(link)
  if (link !== shownLink) {
    // A link was followed while the page was open, such as from the palette: it replaces the filter.
    setShownLink(link)
    setAsLinked(linked(search))
    setChosen(dayOf(search))
    setTyped('')
  }
  const query = useDeferredValue(typed)
  const today = new Date(useAccountNow()).toDateString()
  const edges = useMemo(() => edgesOf(period, Date.parse(today)), [period, today])
  // A chosen bar that has left the period no longer filters, such as after midnight.
  const bar = barAt(edges, chosen)
  const barFrom = bar?.from ?? null
  const asked = {
    accountId,
    view,
    query,
    from: bar?.from ?? (period === 'all' ? null : (edges[0] ?? null)),
    to: bar?.to ?? null,
    offerId: search.get('offer'),
    productId: search.get('product'),
    sort: kept.sort,
  }
  return {
    asked,
    edges,
    period,
    typed,
    setTyped,
    barFrom,
    clearBar: (): void => setChosen(null),
    toggleBar: (from: number): void => setChosen(from === barFrom ? null : from),
    /** The page's link, to keep while a sale is open. */
    search: link === '' ? '' : `?${link}`,
    /** Whether more than the period leaves out sales. */
    isNarrowed:
      view !== 'all' ||
      query !== '' ||
      asked.offerId !== null ||
      asked.productId !== null ||
      barFrom !== null,
    look(change: { period?: Period; view?: SaleView }): void {
      setAsLinked({})
      if (change.period !== undefined && change.period !== period) setChosen(null)
      keep({ period, view, ...change })
    },
    sortBy: (column: (typeof saleSortColumns)[number], direction: 'asc' | 'desc'): void =>
      keep({ sort: { column, direction } }),
    setLinked(name: 'offer' | 'product', value: string | null): void {
      const next = new URLSearchParams(search)
      if (value === null) next.delete(name)
      else next.set(name, value)
      setShownLink(next.toString())
      setSearch(next)
    },
  }
}
export type SalesFilter = ReturnType<typeof useSalesFilter>
