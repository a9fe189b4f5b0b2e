import type { DisputeReport } from '../../../../contract/disputes/dispute-records.ts'

/** A CSV cell; one that a spreadsheet would read as a formula starts with an apostrophe. */
const cell = (value: string | number): string => {
  const text =
    typeof value === 'number' ? String(value) : /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
const line = (...cells: readonly (string | number)[]): string => `${cells.map(cell).join(',')}\r\n`

/** A report as one table: the property, its value, and the totals. */
export function reportCsv({
  byReason,
  byProduct,
  byBatch,
  bySupplier,
  answer,
}: DisputeReport): string {
  const lists = [
    ['reason', byReason],
    ['product', byProduct],
    ['batch', byBatch],
    ['supplier', bySupplier],
  ] as const
  return (
    line('by', 'name', 'claims', 'replaced', 'refunded', 'rejected', 'open') +
    lists
      .flatMap(([by, rows]) =>
        rows.map((row) =>
          line(by, row.name, row.claims, row.replaced, row.refunded, row.rejected, row.open),
        ),
      )
      .join('') +
    answer.bars
      .map(({ upToHours, claims }) =>
        line(
          'first answer',
          upToHours === null ? 'later' : `within ${upToHours} h`,
          claims,
          '',
          '',
          '',
          '',
        ),
      )
      .join('')
  )
}
