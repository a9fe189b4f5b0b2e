import type { Ref } from 'react'
import type { ListedOffer } from '../../../../contract/offers/offers.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { NoMatches } from '../../../ui/feedback/no-matches.tsx'
import type { Column } from '../../../ui/table/columns/columns.ts'
import { DataTable, type TargetTable } from '../../../ui/table/data-table.tsx'
import { OfferBulkBar } from './bulk-bar.tsx'
import { NoOffers } from './no-offers.tsx'
import type { BulkSelection } from './use-bulk-selection.ts'
import type { OfferList } from './use-offer-list.ts'
import type { PriceEdit } from './use-price-edit.ts'

const keyOf = (offer: ListedOffer): string => offer.offerId
const isResting = (offer: ListedOffer): boolean => offer.status !== 'active'

/** The offers that match the filters, with their prices to edit and their bulk actions. */
export function OffersTable({
  ref,
  list,
  columns,
  edit,
  selection,
  offerId,
  onOpen,
}: {
  ref: Ref<TargetTable<ListedOffer>>
  list: OfferList
  columns: readonly Column<ListedOffer>[]
  edit: PriceEdit
  selection: BulkSelection
  /** The open offer. */
  offerId: string | null
  onOpen: (offerId: string | null) => void
}) {
  const { rows, isFiltered } = list
  const { page } = rows
  if (rows.error !== null)
    return <ErrorState problem={problemOf(rows.error)} onRetry={rows.retry} />
  return (
    <DataTable
      ref={ref}
      autoFocus
      tableId="offers"
      label="Offers"
      columns={columns}
      total={rows.total}
      getRow={rows.getRow}
      rowKey={keyOf}
      onRange={rows.onRange}
      sort={list.sort}
      onSort={list.sortBy}
      openKey={offerId}
      locate={list.locate}
      onOpen={(row) => onOpen(row.offerId)}
      onClose={() => onOpen(null)}
      isMuted={isResting}
      editing={edit.editing}
      onEdit={(row, _index, digit) => edit.begin(row, digit)}
      checked={selection.checked}
      onCheck={selection.check}
      onCheckAll={selection.checkAll}
      over={
        <OfferBulkBar
          checked={selection.checked}
          total={rows.total}
          onSelectAll={selection.checkAll}
          onClose={selection.clear}
          onChange={selection.begin}
        />
      }
      loading={rows.loading}
      stale={rows.stale}
      empty={
        page?.complete === false ? undefined : isFiltered ? (
          <NoMatches query={list.filter.query} onClear={() => list.setTypedQuery('')} />
        ) : (
          <NoOffers />
        )
      }
    />
  )
}
