import type { Database } from 'better-sqlite3'
import { type Cents, plainEuros } from '../../../../server/api/money.ts'
import { csvText } from '../../../contract/csv.ts'
import type { CsvCell } from '../../../contract/csv.ts'
import type { SaleRow } from '../../../contract/sales.ts'
import { pagesOfSales } from './list.ts'
import type { SaleQuery } from './list.ts'

/** Sales written in one turn: the core handles other work between two turns. */
const WRITTEN_AT_ONCE = 500

const money = (amount: Cents | null): string => (amount === null ? '' : plainEuros(amount))
const moment = (at: number | null): string => (at === null ? '' : new Date(at).toISOString())

/** The cells of a sale by the title of their column. */
const columns: Readonly<Record<string, (sale: SaleRow) => string | null>> = {
  'Sold (UTC)': ({ soldAt }) => moment(soldAt),
  Product: ({ name }) => name,
  Platform: ({ platform }) => platform,
  Region: ({ region }) => region,
  Delivery: ({ deliveryType }) => deliveryType,
  Sale: ({ saleId }) => saleId,
  Order: ({ orderId }) => orderId,
  'Offer id': ({ offerId }) => offerId,
  'Product id': ({ productId }) => productId,
  'You receive EUR': ({ priceCents }) => money(priceCents),
  'Customer paid EUR': ({ customerCents }) => money(customerCents),
  'Cost EUR': ({ costCents }) => money(costCents),
  'Profit EUR': ({ profitCents }) => money(profitCents),
  State: ({ status }) => status,
  'Held by a dispute': ({ held }) => (held ? 'yes' : 'no'),
  Dispute: ({ disputeId }) => disputeId,
  'Release (UTC)': ({ releaseAt }) => moment(releaseAt),
  'Released (UTC)': ({ releasedAt }) => moment(releasedAt),
}
const titles = Object.keys(columns)
const cells = Object.values(columns)

/**
 * The chosen sales as CSV, or separated by tabs for the clipboard; a cell that a spreadsheet would
 * read as a formula starts with an apostrophe. Yields to other work between turns, each of which
 * writes a part of the text.
 */
export async function salesCsv(
  db: Database,
  asked: Omit<SaleQuery, 'offset' | 'limit'>,
  form: 'csv' | 'text',
): Promise<{ parts: string[]; sales: number }> {
  const write = (lines: readonly CsvCell[][]): string =>
    csvText(lines, form === 'csv' ? 'csv' : 'tabs')
  const parts = [write([[...titles]])]
  let sales = 0
  for await (const rows of pagesOfSales(db, asked, WRITTEN_AT_ONCE)) {
    sales += rows.length
    parts.push(write(rows.map((sale) => cells.map((cell) => cell(sale)))))
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
  return { parts, sales }
}
