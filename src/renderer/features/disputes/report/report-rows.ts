import type { DisputeReport } from '../../../../contract/disputes/dispute-records.ts'

type Row = DisputeReport['total']

/** Rows of a table before all of them are requested. */
const FIRST_ROWS = 12

/**
 * The rows to show, so that they always add up: those that aren't shown are one row with the key
 * `others`, whose name is their number. `hidden`: how many could be shown.
 */
export function rowsToShow(rows: readonly Row[], all: boolean): { shown: Row[]; hidden: number } {
  const named = rows.filter(({ key }) => key !== 'others')
  const first = named.slice(0, FIRST_ROWS)
  const rest = rows.filter((row) => !first.includes(row))
  const [only] = rest
  if (all || rest.length === 0 || (rest.length === 1 && only?.key !== 'others'))
    return { shown: [...rows], hidden: 0 }
  const count = rest.reduce((sum, { key, name }) => sum + (key === 'others' ? Number(name) : 1), 0)
  const sum = (of: (row: Row) => number): number => rest.reduce((total, row) => total + of(row), 0)
  const others: Row = {
    key: 'others',
    name: String(count),
    claims: sum(({ claims }) => claims),
    replaced: sum(({ replaced }) => replaced),
    refunded: sum(({ refunded }) => refunded),
    rejected: sum(({ rejected }) => rejected),
    open: sum(({ open }) => open),
  }
  return { shown: [...first, others], hidden: named.length - first.length }
}
