import type { OfferFilter } from '../../../../contract/offers/offer-filter.ts'
import type { SavedView } from '../../../../contract/offers/offers.ts'
import type { Column, ColumnState } from '../../../ui/table/columns/columns.ts'

/** The current layout of the table for a saved view: the visible columns in their order. */
export function layoutOf<Row>(
  filter: OfferFilter,
  sort: SavedView['look']['sort'],
  state: ColumnState,
  columns: readonly Column<Row>[],
): SavedView['look'] {
  const ids = columns.map(({ id }) => id)
  const order = [
    ...state.order.filter((id) => ids.includes(id)),
    ...ids.filter((id) => !state.order.includes(id)),
  ]
  return {
    filter,
    sort,
    columns: order.filter(
      (id) => state.visibility[id] ?? columns.find((column) => column.id === id)?.hidden !== true,
    ),
  }
}
