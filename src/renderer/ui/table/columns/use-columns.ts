import {
  columnOrderingFeature,
  columnVisibilityFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useMemo } from 'react'
import { useColumnState, useColumnStore } from './column-store.ts'
import type { Column, Widths } from './columns.ts'

const features = tableFeatures({ columnVisibilityFeature, columnOrderingFeature })
const narrowest = 48
const widest = 900
const noRows: Record<string, never>[] = []

export interface ChosenColumns<Row> extends Widths<Row> {
  columns: Column<Row>[]
  resize: (column: Column<Row>, width: number) => void
}

const within = <Row>(column: Column<Row>, width: number): number =>
  Math.min(widest, Math.max(column.minWidth ?? narrowest, width))

/**
 * The columns as chosen for a table: order, visibility and widths. The table model decides which
 * columns to show and in which order; rows come from the window of loaded rows.
 */
export function useColumns<Row>(
  tableId: string,
  columns: readonly Column<Row>[],
): ChosenColumns<Row> {
  const state = useColumnState(tableId)
  const change = useColumnStore((store) => store.change)
  const definitions = useMemo(
    () => columns.map((column) => ({ id: column.id, header: column.header })),
    [columns],
  )
  const visibility = useMemo(
    () => ({
      ...Object.fromEntries(columns.map((column) => [column.id, column.hidden !== true])),
      ...state.visibility,
    }),
    [columns, state.visibility],
  )
  const table = useTable({
    features,
    data: noRows,
    columns: definitions,
    state: { columnVisibility: visibility, columnOrder: state.order },
  })
  const leaves = table.getVisibleLeafColumns()
  // Stays the same object until someone changes a choice, so that components render again only
  // then.
  return useMemo(
    () => ({
      columns: leaves.flatMap((leaf) => columns.find((column) => column.id === leaf.id) ?? []),
      widthOf: (column) => within(column, state.sizing[column.id] ?? column.width),
      isSized: (column) => state.sizing[column.id] !== undefined,
      resize: (column, width) =>
        change(tableId, { sizing: { ...state.sizing, [column.id]: within(column, width) } }),
    }),
    [tableId, columns, leaves, state.sizing, change],
  )
}
