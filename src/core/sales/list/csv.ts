import type { Database } from 'better-sqlite3'
import Papa from 'papaparse'
import { type Cents, plainEuros } from '../../../../server/api/money.ts'
import type { SaleRow } from '../../../contract/sales.ts'
import { pagesOfSales } from './list.ts'
import type { SaleQuery } from './list.ts'

/** Sales written in one turn: the core handles other work between two turns. */
const WRITTEN_AT_ONCE = 500
const COLUMNS = [
  'Sold (UTC)',
  'Product',
  'Platform',
  'Region',
  'Sale',
  'Order',
  'Offer id',
  'Product id',
  'You receive EUR',
  'Customer paid EUR',
  'State',
  'Held by a dispute',
  'Dispute',
  'Release (UTC)',
  'Released (UTC)',
] as const

const money = (amount: Cents | null): string => (amount === null ? '' : plainEuros(amount))
const moment = (at: number | null): string => (at === null ? '' : new Date(at).toISOString())
const cellsOf = (sale: SaleRow): readonly (string | null)[] => [
  moment(sale.soldAt),
  sale.name,
  sale.platform,
  sale.region,
  sale.saleId,
  sale.orderId,
  sale.offerId,
  sale.productId,
  money(sale.priceCents),
  money(sale.customerCents),
  sale.status,
  sale.held ? 'yes' : 'no',
  sale.disputeId,
  moment(sale.releaseAt),
  moment(sale.releasedAt),
]

/**
 * The chosen sales as CSV, or separated by tabs for the clipboard; a cell that a spreadsheet would
 * read as a formula starts with an apostrophe. Yields to other work between turns.
 */
export async function salesCsv(
  db: Database,
  asked: Omit<SaleQuery, 'offset' | 'limit'>,
  form: 'csv' | 'text',
): Promise<{ text: string; sales: number }> {
  const written = { newline: '\r\n', delimiter: form === 'csv' ? ',' : '\t' }
  const lines = [Papa.unparse([COLUMNS], written)]
  let sales = 0
  for (const rows of pagesOfSales(db, asked, WRITTEN_AT_ONCE)) {
    sales += rows.length
    lines.push(Papa.unparse(rows.map(cellsOf), { ...written, escapeFormulae: true }))
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
  return { text: `${lines.join('\r\n')}\r\n`, sales }
}
