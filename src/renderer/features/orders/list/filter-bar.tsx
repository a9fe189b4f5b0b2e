import { IconDownload } from '@tabler/icons-react'
import type { RefObject } from 'react'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { SearchField } from '../../../ui/controls/fields/search-field.tsx'
import { ChoiceChip } from '../../../ui/controls/filters/filter-chip.tsx'
import { formatEur } from '../../../ui/format.ts'
import { Bar } from '../../../ui/layout/page.tsx'
import { ColumnMenu } from '../../../ui/table/columns/column-menu.tsx'
import { TableCopy } from '../../../ui/table/copy/table-copy.tsx'
import type { TableHandle } from '../../../ui/table/data-table.tsx'
import styles from '../orders.module.css'
import { orderColumns } from './columns.tsx'
import { orderPeriods } from './use-order-list.ts'
import type { OrderList } from './use-order-list.ts'

const onlyRefunded = 'any amount'

/** The filters of the orders page, the totals of the matching orders, and their export. */
export function OrderFilterBar({
  list,
  table,
}: {
  list: OrderList
  table: RefObject<TableHandle | null>
}) {
  const { rows, typed, setTyped, days, refunded, look } = list
  return (
    <Bar
      label="Filter orders"
      end={
        <>
          {rows.page === undefined ? null : (
            <span className={styles.grey}>
              {formatEur(rows.page.totalCents)} charged, {formatEur(rows.page.refundedCents)}{' '}
              credited back{rows.page.complete ? '' : '. The history is still loading'}
            </span>
          )}
          <TableCopy
            tableId="orders"
            columns={orderColumns}
            rowsOf={rows.read}
            total={rows.total}
          />
          <ColumnMenu tableId="orders" columns={orderColumns} />
          <Button
            icon={<IconDownload size={16} stroke={1.6} />}
            busy={list.isExporting}
            disabled={rows.total === 0}
            onClick={() => list.exportOrders()}
          >
            Export
          </Button>
        </>
      }
    >
      <SearchField
        label="Reference, ID or product"
        width={290}
        value={typed}
        onChange={setTyped}
        list={table}
      />
      <ChoiceChip
        label="Placed"
        values={orderPeriods}
        chosen={days}
        onChange={(chosen) => look({ days: chosen.slice(-1) })}
      />
      <ChoiceChip
        label="Credited back"
        values={[onlyRefunded]}
        chosen={refunded ? [onlyRefunded] : []}
        onChange={(chosen) => look({ refunded: chosen.length > 0 })}
      />
    </Bar>
  )
}
