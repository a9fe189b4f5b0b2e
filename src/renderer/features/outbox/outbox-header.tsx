import type { RefObject } from 'react'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { SearchField } from '../../ui/controls/fields/search-field.tsx'
import { CountTabs } from '../../ui/layout/count-tabs.tsx'
import { PageHeader } from '../../ui/layout/page.tsx'
import type { Column } from '../../ui/table/columns/columns.ts'
import { TableCopy } from '../../ui/table/copy/table-copy.tsx'
import type { TableHandle } from '../../ui/table/data-table.tsx'
import type { OutboxRow, OutboxTab } from './list/columns.tsx'
import type { OutboxList } from './list/use-outbox-list.ts'

/** The tabs of the queued changes, their filter, and the actions for all of them. */
export function OutboxHeader({
  list: { tab, typed, setTyped, rows, waiting },
  onTab,
  table,
  columns,
  onDiscardAll,
}: {
  list: OutboxList
  onTab: (tab: OutboxTab) => void
  table: RefObject<TableHandle | null>
  columns: readonly Column<OutboxRow>[]
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
        <>
          <SearchField
            label="Filter queued changes"
            width={230}
            value={typed}
            onChange={setTyped}
            list={table}
          />
          <TableCopy
            tableId={`outbox-${tab}`}
            columns={columns}
            rowsOf={rows.read}
            total={rows.total}
          />
          {tab === 'waiting' && waiting > 0 ? (
            <Button kind="quiet" onClick={onDiscardAll}>
              Discard all…
            </Button>
          ) : null}
        </>
      }
    />
  )
}
