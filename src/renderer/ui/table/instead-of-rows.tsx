import { cssVariable } from '../css-variable.ts'
import { Delayed } from '../feedback/delayed.tsx'
import type { Column, RowHeight } from './columns/columns.ts'
import { ShownColumnsProvider } from './columns/shown-columns.tsx'
import styles from './data-table.module.css'
import { SkeletonRows } from './skeleton-rows.tsx'
import type { DataTableProps } from './table-props.ts'

/** Fills the table while it has no rows. */
export function InsteadOfRows<Row>({
  props: { loading = false, empty, checked },
  columns,
  template,
  rowHeight,
}: {
  props: DataTableProps<Row>
  columns: readonly Column<Row>[]
  /** The tracks of the table's grid. */
  template: string
  rowHeight: RowHeight
}) {
  return (
    <div className={styles.instead} style={cssVariable('--kd-columns', template)}>
      {loading ? (
        <Delayed>
          <SkeletonRows
            columns={columns.map((column) => column.align ?? 'start')}
            height={rowHeight}
          />
        </Delayed>
      ) : (
        <ShownColumnsProvider columns={columns} selectable={checked !== undefined}>
          {empty}
        </ShownColumnsProvider>
      )}
    </div>
  )
}
