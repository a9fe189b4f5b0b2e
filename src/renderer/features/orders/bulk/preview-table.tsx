import { useMemo } from 'react'
import { timesCents } from '../../../../../server/api/money.ts'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { Money, MoneyChange } from '../../../ui/data-display/amounts/money.tsx'
import { percentChange } from '../../../ui/percent-change.ts'
import type { Column } from '../../../ui/table/columns/columns.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import styles from '../orders.module.css'
import { ProductLines } from '../product-lines.tsx'
import type { PreviewRow } from './table-preview.ts'

const columns: readonly Column<PreviewRow>[] = [
  {
    id: 'external',
    header: 'Order',
    width: 110,
    hideable: false,
    cell: (row) => <span title={row.externalId}>{row.externalId}</span>,
  },
  {
    id: 'product',
    header: 'Product',
    width: 230,
    minWidth: 160,
    grow: true,
    hideable: false,
    cell: ({ name, line }) => (
      <ProductLines name={name} detail={line === null ? '' : variantLabel(line)} />
    ),
  },
  { id: 'units', header: 'Units', width: 54, align: 'end', cell: ({ line }) => line?.qty ?? '' },
  {
    id: 'price',
    header: 'Price now',
    width: 84,
    align: 'end',
    cell: ({ line }) =>
      line === null ? '' : line.priceCents === null ? '–' : <Money cents={line.priceCents} />,
  },
  {
    id: 'max',
    header: 'Max. each',
    width: 130,
    align: 'end',
    title: ({ line, previousMaxCents }) =>
      line === null || previousMaxCents === null
        ? undefined
        : `Changed by ${percentChange(previousMaxCents, line.maxUnitCents)} since the earlier try`,
    cell: ({ line, previousMaxCents }) =>
      line === null ? (
        ''
      ) : previousMaxCents === null ? (
        <Money cents={line.maxUnitCents} />
      ) : (
        <MoneyChange from={previousMaxCents} to={line.maxUnitCents} />
      ),
  },
  {
    id: 'total',
    header: 'At most',
    width: 90,
    align: 'end',
    cell: ({ line, isPlaced }) =>
      line === null || !isPlaced ? (
        '–'
      ) : (
        <Money cents={timesCents(line.maxUnitCents, line.qty)} strong />
      ),
  },
  {
    id: 'note',
    header: 'Note',
    width: 270,
    minWidth: 180,
    grow: true,
    title: ({ notes }) => notes.map(({ text }) => text).join('. ') || undefined,
    cell: ({ notes }) => (
      <span className={styles.rowNote} data-tone={notes[0]?.tone}>
        {notes.map(({ text }) => text).join('. ')}
      </span>
    ),
  },
]

/** Every line of a table of orders before it is placed. */
export function PreviewTable({ rows }: { rows: readonly PreviewRow[] }) {
  const getRow = useMemo(() => (index: number) => rows[index], [rows])
  return (
    <div className={styles.preview}>
      <DataTable
        tableId="order-table"
        label="Lines to order"
        columns={columns}
        total={rows.length}
        getRow={getRow}
        rowKey={({ key }) => key}
        isMuted={({ isPlaced }) => !isPlaced}
        toneOf={({ notes }) => notes[0]?.tone}
        rowHeight={44}
        empty={<p className="kd-nothing">No lines.</p>}
      />
    </div>
  )
}
