import { CopyMenu, useCopy } from '../copy-menu.tsx'
import { formatCount } from '../format.ts'
import type { Column } from './columns.ts'
import { tableText } from './table-text.ts'
import { useColumns } from './use-columns.ts'

/** So many rows are copied at once; a clipboard is no way to carry more. */
const MOST_COPIED = 20_000

export interface TableCopyProps<Row> {
  tableId: string
  columns: readonly Column<Row>[]
  /** Rows of the list, the first `most` of them, loaded or not. */
  rowsOf: (most: number) => Promise<readonly Row[]>
  /** All rows of the list. */
  total: number
}

/**
 * The menu from which a table is copied as it is shown: its columns in their order, its rows as
 * filtered and sorted.
 */
export function TableCopy<Row>({ tableId, columns, rowsOf, total }: TableCopyProps<Row>) {
  const chosen = useColumns(tableId, columns).columns
  const copies = useCopy(async (form) => ({
    text: tableText(chosen, await rowsOf(MOST_COPIED), form),
    what:
      total > MOST_COPIED
        ? `The first ${formatCount(MOST_COPIED)} of ${formatCount(total)} rows`
        : 'Everything the list shows',
  }))
  return <CopyMenu {...copies} />
}
