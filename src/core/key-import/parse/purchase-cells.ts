import type { Detected } from './detect/detect.ts'
import type { Purchase } from './read-task.ts'
import { readCost, readSupplier } from './text/purchase-cell.ts'

/** A line refers to its purchase with 16 bits; 0 is none. */
const MOST_PURCHASES = 65_535

/**
 * Reads the cost and supplier in the records of a table; null for a file without such columns. Equal
 * costs of one supplier share an entry of `found`.
 */
export function createPurchaseCells({
  form,
  costColumn,
  currencyColumn,
  supplierColumn,
}: Pick<Detected, 'form' | 'costColumn' | 'currencyColumn' | 'supplierColumn'>) {
  if (form !== 'table' || (costColumn === null && supplierColumn === null)) return null
  const found: Purchase[] = []
  const numbers = new Map<string, number>()
  const cellOf = (fields: readonly string[], column: number | null): string =>
    column === null ? '' : (fields[column] ?? '')
  return {
    found,
    /** The index + 1 of the record's purchase in `found`; 0 if it names none. */
    indexOf(fields: readonly string[]): number {
      const cost = readCost(cellOf(fields, costColumn), cellOf(fields, currencyColumn))
      const supplier = readSupplier(cellOf(fields, supplierColumn))
      if (cost.costCents === null && !cost.unreadable && supplier === '') return 0
      const name = `${cost.costCents ?? (cost.unreadable ? '?' : '')} ${supplier}`
      const known = numbers.get(name)
      if (known !== undefined) return known
      if (found.length === MOST_PURCHASES) return 0
      found.push({ ...cost, supplier })
      numbers.set(name, found.length)
      return found.length
    },
  }
}
