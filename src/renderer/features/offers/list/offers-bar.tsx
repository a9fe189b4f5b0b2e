import type { RefObject } from 'react'
import type { ListedOffer, SavedView } from '../../../../contract/offers/offers.ts'
import { SearchField } from '../../../ui/controls/fields/search-field.tsx'
import { ChoiceChip } from '../../../ui/controls/filters/filter-chip.tsx'
import { Bar } from '../../../ui/layout/page.tsx'
import { ColumnMenu } from '../../../ui/table/columns/column-menu.tsx'
import { useColumnState, useColumnStore } from '../../../ui/table/columns/column-store.ts'
import type { Column } from '../../../ui/table/columns/columns.ts'
import type { TableHandle } from '../../../ui/table/data-table.tsx'
import type { OfferDialogs } from '../use-offer-dialogs.ts'
import { layoutOf } from './layout.ts'
import { MoreMenu } from './more-menu.tsx'
import type { OfferList } from './use-offer-list.ts'
import { ViewsMenu } from './views-menu.tsx'

/** Filters, saved views, columns and less frequent actions of the offers table. */
export function OffersBar({
  list,
  columns,
  checked,
  dialogs,
  table,
}: {
  list: OfferList
  columns: readonly Column<ListedOffer>[]
  checked: ReadonlySet<string>
  dialogs: OfferDialogs
  table: RefObject<TableHandle | null>
}) {
  const { filter, sort, look } = list
  const { page } = list.rows
  const columnState = useColumnState('offers')
  const changeColumns = useColumnStore((store) => store.change)
  const applyView = (saved: SavedView['look']): void => {
    list.applyView(saved)
    const shown = saved.columns
    if (shown !== null)
      changeColumns('offers', {
        order: shown,
        visibility: Object.fromEntries(columns.map(({ id }) => [id, shown.includes(id)])),
      })
  }
  return (
    <Bar
      label="Filter the offers"
      end={
        <>
          <ColumnMenu tableId="offers" columns={columns} />
          <MoreMenu
            choice={{ filter, sort, offerIds: checked.size === 0 ? null : [...checked] }}
            onCreate={dialogs.create}
            onCosts={dialogs.enterCosts}
            onResults={dialogs.showResults}
          />
        </>
      }
    >
      <SearchField
        label="Filter these offers"
        value={list.typedQuery}
        onChange={list.setTypedQuery}
        list={table}
      />
      <ChoiceChip
        label="Platform"
        values={page?.platforms ?? []}
        chosen={filter.platforms}
        onChange={(chosen) => look({ platforms: [...chosen] })}
      />
      <ChoiceChip
        label="Region"
        values={page?.regions ?? []}
        chosen={filter.regions}
        onChange={(chosen) => look({ regions: [...chosen] })}
      />
      <ViewsMenu look={layoutOf(filter, sort, columnState, columns)} onApply={applyView} />
    </Bar>
  )
}
