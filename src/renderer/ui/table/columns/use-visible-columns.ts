import { useEffect, useMemo, useState } from 'react'
import type { DataTableProps } from '../table-props.ts'
import {
  checkboxWidth,
  contentWidths,
  fittingColumns,
  gridTemplate,
  spreadWidths,
  tablePadding,
} from './columns.ts'
import { useColumns } from './use-columns.ts'

/** The columns that fit into the scroller, with their widths. */
export function useVisibleColumns<Row>(
  { tableId, columns: all }: DataTableProps<Row>,
  scroller: HTMLDivElement | null,
  selectable: boolean,
) {
  const [width, setWidth] = useState(0)
  const chosen = useColumns(tableId, all)
  const available = width - (selectable ? checkboxWidth : 0) - tablePadding
  const columns = useMemo(
    () =>
      width === 0 ? chosen.columns : fittingColumns(chosen.columns, chosen.widthOf, available),
    [chosen, width, available],
  )
  const widthOf = useMemo(
    () => spreadWidths(columns, chosen, available),
    [columns, chosen, available],
  )
  const roomOf = useMemo(
    () => contentWidths(columns, widthOf, available),
    [columns, widthOf, available],
  )
  useEffect(() => {
    if (scroller === null) return
    const observer = new ResizeObserver(() => setWidth(scroller.clientWidth))
    observer.observe(scroller)
    setWidth(scroller.clientWidth)
    return () => observer.disconnect()
  }, [scroller])
  return { columns, chosen, widthOf, roomOf, template: gridTemplate(columns, widthOf, selectable) }
}
