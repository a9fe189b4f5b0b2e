import { type Cents, plainEuros } from '../../../../../server/api/money.ts'
import { csvText } from '../../../../contract/csv.ts'
import type { CopyForm } from '../../controls/buttons/copy-menu.tsx'
import type { Column } from '../columns/columns.ts'

const shown = { index: 0, open: false, checked: false, editing: false, typed: null, room: 0 }

/** The text of a column for a copied row: its `text`, otherwise its cell if that is text. */
function textOf<Row>(column: Column<Row>, row: Row): string {
  const says = column.text === undefined ? column.cell(row, shown) : column.text(row)
  return typeof says === 'string' || typeof says === 'number' ? String(says) : ''
}

/**
 * Rows as the text of their columns, under the headers: CSV (RFC 4180) or tab-separated. Text that
 * a spreadsheet would treat as a formula gets an apostrophe.
 */
export function tableText<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  form: CopyForm,
): string {
  const named = columns.filter(({ header }) => header !== '')
  const lines = [
    named.map(({ header }) => header),
    ...rows.map((row) => named.map((column) => textOf(column, row))),
  ]
  return csvText(lines, form === 'csv' ? 'csv' : 'tabs')
}

/** Cents for a spreadsheet: `128460` becomes `1284.60`. Empty for null. */
export const plainAmount = (amount: Cents | null): string =>
  amount === null ? '' : plainEuros(amount)

/** A moment for a spreadsheet, ISO 8601 in UTC. Empty for null. */
export const isoMoment = (at: number | null): string =>
  at === null ? '' : new Date(at).toISOString()
