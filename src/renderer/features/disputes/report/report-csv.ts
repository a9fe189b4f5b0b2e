import { csvText } from '../../../../contract/csv.ts'
import type { CsvCell } from '../../../../contract/csv.ts'
import type { DisputeReport } from '../../../../contract/disputes/dispute-records.ts'

const line = (...cells: readonly CsvCell[]): string => csvText([cells])

/** A report as one table: the property, its value, and the totals. */
export function reportCsv({
  byReason,
  byProduct,
  byBatch,
  bySupplier,
  answer,
  trend,
  total,
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
          line(
            by,
            row.key === 'others' ? `others (${row.name})` : row.name,
            row.claims,
            row.replaced,
            row.refunded,
            row.rejected,
            row.open,
          ),
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
      .join('') +
    line('total', '', total.claims, total.replaced, total.refunded, total.rejected, total.open) +
    trend
      .map(({ from, claims }) =>
        line('opened from', new Date(from).toISOString().slice(0, 10), claims, '', '', '', ''),
      )
      .join('')
  )
}
