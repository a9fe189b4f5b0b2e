import { columnOrderingFeature, columnSizingFeature, columnVisibilityFeature, tableFeatures, type Updater, useTable } from '@tanstack/react-table'
import { useMemo } from 'react'
import { useColumnState, useColumnStore } from './column-store.ts'
import type { Column } from './columns.ts'

const features = tableFeatures({ columnVisibilityFeature, columnOrderingFeature, columnSizingFeature })
const narrowest = 48
const widest = 900
const noRows: Record<string, never>[] = []

export interface ChosenColumns<Row> {
  columns: Column<Row>[]
  widthOf: (column: Column<Row>) => number
  resize: (column: Column<Row>, width: number) => void
}

const apply = <T>(updater: Updater<T>, old: T): T => (typeof updater === 'function' ? (updater as (old: T) => T)(old) : updater)

/** The columns as chosen for a table: order, visibility, widths. The table model holds their state; rows are drawn from the window of loaded ones. */
export function useColumns<Row>(tableId: string, columns: readonly Column<Row>[]): ChosenColumns<Row> {
  const state = useColumnState(tableId)
  const change = useColumnStore((store) => store.change)
  const definitions = useMemo(
    () => columns.map((column) => ({ id: column.id, header: column.header, size: column.width, minSize: column.minWidth ?? narrowest, maxSize: widest })),
    [columns],
  )
  const visibility = useMemo(
    () => ({ ...Object.fromEntries(columns.map((column) => [column.id, column.hidden !== true])), ...state.visibility }),
    [columns, state.visibility],
  )
  const table = useTable({
    features, data: noRows, columns: definitions,
    state: { columnVisibility: visibility, columnOrder: state.order, columnSizing: state.sizing },
    onColumnSizingChange: (updater) => change(tableId, { sizing: apply(updater, state.sizing) }),
  })
  const leaves = table.getVisibleLeafColumns()
  return {
    columns: leaves.flatMap((leaf) => columns.find((column) => column.id === leaf.id) ?? []),
    widthOf: (column) => table.getColumn(column.id)?.getSize() ?? column.width,
    resize: (column, width) => table.setColumnSizing((old) => ({ ...old, [column.id]: Math.min(widest, Math.max(column.minWidth ?? narrowest, width)) })),
  }
}
