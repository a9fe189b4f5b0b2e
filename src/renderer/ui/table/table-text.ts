import Papa from 'papaparse'
import type { CopyForm } from '../copy-menu.tsx'
import type { Column } from './columns.ts'

const shown = { index: 0, open: false, checked: false, editing: false, typed: null, room: 0 }

/**
 * What a column says of a row outside the screen: its own words, else its cell where that is text.
 */
function saysOf<Row>(column: Column<Row>, row: Row): string {
  const says = column.text === undefined ? column.cell(row, shown) : column.text(row)
  return typeof says === 'string' || typeof says === 'number' ? String(says) : ''
}

/**
 * Rows as their columns say them, under their heads: csv (RFC 4180), or with tabs between. What a
 * spreadsheet would take for a formula begins with an apostrophe.
 */
export function tableText<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  form: CopyForm,
): string {
  const named = columns.filter(({ header }) => header !== '')
  const lines = [
    named.map(({ header }) => header),
    ...rows.map((row) => named.map((column) => saysOf(column, row))),
  ]
  return `${Papa.unparse(lines, { delimiter: form === 'csv' ? ',' : '\t', newline: '\r\n', escapeFormulae: true })}\r\n`
}

/** Cents as a spreadsheet takes them: `128460` is `1284.60`. Nothing for null. */
export const plainAmount = (amount: number | null): string =>
  amount === null ? '' : (amount / 100).toFixed(2)

/** A moment for a spreadsheet, ISO 8601 in UTC. Nothing for null. */
export const isoMoment = (at: number | null): string =>
  at === null ? '' : new Date(at).toISOString()
