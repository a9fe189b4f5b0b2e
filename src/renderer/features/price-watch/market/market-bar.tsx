import { IconCheck } from '@tabler/icons-react'
import type { RefObject } from 'react'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { SearchField } from '../../../ui/controls/fields/search-field.tsx'
import { formatCount } from '../../../ui/format.ts'
import { CountTabs } from '../../../ui/layout/count-tabs.tsx'
import { Bar } from '../../../ui/layout/page.tsx'
import { ColumnMenu } from '../../../ui/table/columns/column-menu.tsx'
import { TableCopy } from '../../../ui/table/copy/table-copy.tsx'
import type { TableHandle } from '../../../ui/table/data-table.tsx'
import type { ChosenProposals } from './use-chosen-proposals.ts'
import { marketTabs, tabNames } from './use-market-list.ts'
import type { MarketList } from './use-market-list.ts'

/** The tabs and the filter of the market. */
export function MarketBar({
  list,
  chosen: { askAll },
  table,
}: {
  list: MarketList
  chosen: ChosenProposals
  table: RefObject<TableHandle | null>
}) {
  const { tab, rows, columns, typed, setTyped } = list
  const tabs = rows.page?.tabs
  return (
    <Bar
      label="Market"
      end={
        <>
          <SearchField
            label="Filter the market"
            width={170}
            value={typed}
            onChange={setTyped}
            list={table}
          />
          <TableCopy
            tableId="price-watch"
            columns={columns}
            rowsOf={rows.read}
            total={rows.total}
          />
          <ColumnMenu tableId="price-watch" columns={columns} />
        </>
      }
    >
      <CountTabs
        label="Market"
        value={tab}
        onChange={list.chooseTab}
        tabs={marketTabs.map((id) => ({
          id,
          label: tabNames[id],
          count: tabs?.[id] ?? null,
        }))}
      />
      {tab === 'proposals' && (tabs?.proposals ?? 0) > 1 ? (
        <Button icon={<IconCheck size={16} stroke={1.6} />} onClick={() => askAll()}>
          Apply all {formatCount(tabs?.proposals ?? 0)}…
        </Button>
      ) : null}
    </Bar>
  )
}
