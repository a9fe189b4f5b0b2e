/**
 * CSV and tab-separated text, the same in every export and every copied table (decision 48).
 */

/** A value that is written unchanged, such as a key that a program reads back. */
export interface ExactCell {
  readonly exact: string
}
export type CsvCell = string | number | boolean | null | ExactCell
/** `csv` for files (RFC 4180), `tabs` for the clipboard. */
export type CsvForm = 'csv' | 'tabs'

const number = /^-?\d+(?:\.\d+)?$/
const formula = /^[=+\-@\t\r\n]/

/**
 * Marks a value that must not change. A spreadsheet may evaluate it: use it only for keys, which a
 * leading apostrophe would make worthless.
 */
export const exact = (value: string): ExactCell => ({ exact: value })

/**
 * A cell's text. Text that a spreadsheet would evaluate (it begins with = + - @, a tab or a line
 * break) starts with an apostrophe. Plain numbers, also negative ones, stay numbers.
 */
function cellText(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell === 'object') return cell.exact
  const text = String(cell)
  return typeof cell === 'string' && formula.test(text) && !number.test(text) ? `'${text}` : text
}

/**
 * Rows as text, each ending with CR and LF. A cell with a delimiter, a quote or a line break, or
 * one that begins with an apostrophe, is quoted.
 */
export function csvText(rows: readonly (readonly CsvCell[])[], form: CsvForm = 'csv'): string {
  const delimiter = form === 'csv' ? ',' : '\t'
  const quoted = (cell: CsvCell): string => {
    const text = cellText(cell)
    return text.includes(delimiter) || /["\r\n]/.test(text) || /^[\s']|\s$/.test(text)
      ? `"${text.replaceAll('"', '""')}"`
      : text
  }
  return rows.map((row) => `${row.map(quoted).join(delimiter)}\r\n`).join('')
}
