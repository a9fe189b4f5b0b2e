import Papa from 'papaparse'
import type { OfferRow } from '../../contract/offers.ts'

const money = (amount: number | null): string => (amount === null ? '' : (amount / 100).toFixed(2))
const moment = (at: number | null): string => (at === null ? '' : new Date(at).toISOString())
const yesNo = (value: boolean | null): string => (value === null ? '' : value ? 'yes' : 'no')

/** The columns of the table as text, in their order. */
const COLUMNS: Readonly<Record<string, (row: OfferRow) => string>> = {
  'Offer id': (row) => row.offerId,
  'Product id': (row) => row.productId,
  Product: (row) => row.name,
  Platform: (row) => row.platform,
  Region: (row) => row.region,
  Status: (row) => row.status,
  'Price EUR': (row) => money(row.priceCents),
  'Customer EUR': (row) => money(row.customerCents),
  'Cost EUR': (row) => money(row.costCents),
  'Profit EUR': (row) => money(row.costCents === null ? null : row.priceCents - row.costCents),
  Cheapest: (row) => yesNo(row.isCheapest),
  'Best customer EUR': (row) => money(row.lowestCustomerCents),
  Stock: (row) => String(row.stock),
  Sold: (row) => (row.sold === null ? '' : String(row.sold)),
  'Changed (UTC)': (row) => moment(row.updatedAt),
  'Seen (UTC)': (row) => moment(row.seenAt),
}

/** Offers as a table: RFC 4180 for files, tabs for the clipboard. Text that a spreadsheet would calculate is made harmless by a `'`. */
export function tableText(rows: readonly OfferRow[], form: 'csv' | 'tabs'): string {
  const cells = rows.map((row) => Object.values(COLUMNS).map((cell) => cell(row)))
  return `${Papa.unparse({ fields: Object.keys(COLUMNS), data: cells }, { delimiter: form === 'csv' ? ',' : '\t', newline: '\r\n', escapeFormulae: true })}\r\n`
}
