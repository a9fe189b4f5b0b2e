import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { catalogueSortColumns, type ProductRow } from '../../../contract/catalogue.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { api, rpc } from '../../lib/core/rpc.ts'
import { toast } from '../../ui/feedback/toasts.tsx'
import { formatCount } from '../../ui/format.ts'
import type { Sort } from '../../ui/table/columns/columns.ts'
import { type ListSetting, sortedBy, useListSettings } from '../../ui/table/saved/list-settings.ts'
import { usePagedRows } from '../../ui/table/rows/paged-rows.ts'
import { useCheckedRows } from '../../ui/table/rows/use-checked-rows.ts'
import { catalogueColumns } from './columns.tsx'
import { emptyFilter, useFilterState } from './filter-state.ts'

export type SyncState = Awaited<ReturnType<typeof rpc.catalogue.sync>>
export type SearchAnswer = {
  total: number
  more: boolean
  all: number
  rows: ProductRow[]
  guessed: string | null
  elapsedMs: number
}
type ChosenSort = { column: (typeof catalogueSortColumns)[number]; direction: 'asc' | 'desc' }
const byColumn = sortedBy(catalogueSortColumns, 'name', 'asc')
const byRelevance: ListSetting<ChosenSort | null> = {
  start: null,
  fits: (kept): kept is ChosenSort | null => kept === null || byColumn.fits(kept),
}
const tableParts = { sort: byRelevance }

/** Rows per read: a window full and a few more, so that each typed letter transfers little data. */
const rowsPerRead = 50
/** As many as one bulk change can have. */
const MAX_NEW_OFFERS = 20_000
export const keyOf = (row: ProductRow): string => row.productId

/** The filter and sort order of the catalogue, and the rows they match. */
export function useCatalogueList() {
  const account = useAccount()
  const filter = useFilterState((state) => state.byAccount[account.id]) ?? emptyFilter
  const change = useFilterState((state) => state.change)
  const [{ sort }, look] = useListSettings('catalogue-order', account.id, tableParts)
  const columns = useMemo(() => catalogueColumns(account.role), [account.role])
  const listed = JSON.stringify([account.id, filter, sort])
  const rows = usePagedRows<ProductRow, SearchAnswer>(
    listed,
    (window) =>
      api.catalogue.search.queryOptions({ input: { accountId: account.id, filter, sort, window } }),
    keyOf,
    rowsPerRead,
  )
  const sync = useQuery(api.catalogue.sync.queryOptions({ input: { accountId: account.id } })).data
  const isTyped = filter.query.trim() !== ''
  const shownSort = useMemo(
    (): Sort | null => sort ?? (isTyped ? null : { column: 'name', direction: 'asc' }),
    [sort, isTyped],
  )
  const onSort = useCallback(
    (next: Sort) =>
      look({ sort: { column: next.column as ChosenSort['column'], direction: next.direction } }),
    [look],
  )
  const locate = useCallback(
    async (wanted: string) =>
      (await rpc.catalogue.position({ accountId: account.id, filter, sort, productId: wanted }))
        .index,
    [account.id, filter, sort],
  )
  return { filter, change, columns, listed, rows, sync, sort: shownSort, onSort, locate }
}

/**
 * The checked products; `checkAll` checks as many as one bulk change can have. Another filter starts
 * without any.
 */
export function useCheckedProducts({
  filter,
  change,
  rows: { read, total, stale },
}: Pick<ReturnType<typeof useCatalogueList>, 'filter' | 'change' | 'rows'>) {
  const { id: accountId } = useAccount()
  const { checked, check, checkRead, clear, whenChecked } = useCheckedRows({
    list: JSON.stringify([accountId, filter]),
    stale,
    showList: () => change(accountId, filter),
  })
  const checkAll = useCallback(() => {
    checkRead(read(MAX_NEW_OFFERS).then((found) => new Set(found.map(keyOf))))
    whenChecked(({ size }) => {
      if (total > size)
        toast({
          kind: 'behind',
          title: `The first ${formatCount(size)} of ${formatCount(total)} are selected`,
          text: 'This is the most that one action can take.',
        })
    })
  }, [checkRead, whenChecked, read, total])
  return { checked, check, checkAll, clear }
}
