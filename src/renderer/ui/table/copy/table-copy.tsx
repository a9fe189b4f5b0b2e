import { CopyMenu, useCopy } from '../../controls/buttons/copy-menu.tsx'
import { formatCount } from '../../format.ts'
import type { Column } from '../columns/columns.ts'
import { tableText } from './table-text.ts'
import { useColumns } from '../columns/use-columns.ts'

/** Maximum number of rows to copy; a clipboard isn't suitable for more. */
const MOST_COPIED = 20_000

export interface TableCopyProps<Row> {
  tableId: string
  columns: readonly Column<Row>[]
  /** Returns the first `most` rows of the list and loads them if necessary. */
  rowsOf: (most: number) => Promise<readonly Row[]>
  /** Number of rows in the list. */
  total: number
}

/**
 * The menu that copies a table as shown: its columns in their order and its rows as filtered and
 * sorted.
 */
export function TableCopy<Row>({ tableId, columns, rowsOf, total }: TableCopyProps<Row>) {
  const chosen = useColumns(tableId, columns).columns
  const copies = useCopy(async (form) => ({
    text: tableText(chosen, await rowsOf(MOST_COPIED), form),
    what:
      total > MOST_COPIED
        ? `The first ${formatCount(MOST_COPIED)} of ${formatCount(total)} rows`
        : 'The complete list',
  }))
  return <CopyMenu {...copies} />
}
