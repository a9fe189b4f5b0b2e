import type { RefObject } from 'react'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { SearchField } from '../../ui/controls/fields/search-field.tsx'
import { CountTabs } from '../../ui/layout/count-tabs.tsx'
import { Bar, PageHeader } from '../../ui/layout/page.tsx'
import type { Column } from '../../ui/table/columns/columns.ts'
import { TableCopy } from '../../ui/table/copy/table-copy.tsx'
import type { TableHandle } from '../../ui/table/data-table.tsx'
import type { OutboxRow, OutboxTab } from './list/columns.tsx'
import type { OutboxList } from './list/use-outbox-list.ts'

/** The tabs of the queued changes, and the button that discards all of them. */
export function OutboxHeader({
  list: { tab, rows, waiting },
  onTab,
  onDiscardAll,
}: {
  list: OutboxList
  onTab: (tab: OutboxTab) => void
  onDiscardAll: () => void
}) {
  return (
    <PageHeader
      title="Queued changes"
      beside={
        <CountTabs
          label="Views"
          value={tab}
          onChange={onTab}
          tabs={[
            { id: 'waiting', label: 'Queued', count: rows.page?.counts.waiting ?? null },
            { id: 'sent', label: 'Sent', count: rows.page?.counts.sent ?? null },
            { id: 'dropped', label: 'Discarded', count: rows.page?.counts.dropped ?? null },
          ]}
        />
      }
      actions={
        tab === 'waiting' && waiting > 0 ? (
          <Button kind="quiet" onClick={onDiscardAll}>
            Discard all…
          </Button>
        ) : undefined
      }
    />
  )
}

/** The filter of the changes, and the button that copies them. */
export function OutboxFilter({
  list: { tab, typed, setTyped, rows },
  table,
  columns,
}: {
  list: OutboxList
  table: RefObject<TableHandle | null>
  columns: readonly Column<OutboxRow>[]
}) {
  return (
    <Bar
      label="Filters"
      end={
        <TableCopy
          tableId={`outbox-${tab}`}
          columns={columns}
          rowsOf={rows.read}
          total={rows.total}
        />
      }
    >
      <SearchField
        label="Filter queued changes"
        width={230}
        value={typed}
        onChange={setTyped}
        list={table}
      />
    </Bar>
  )
}
