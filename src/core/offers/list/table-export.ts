import { setImmediate } from 'node:timers/promises'
import { type Cents, plainEuros, subtractCents } from '../../../../server/api/money.ts'
import { csvText } from '../../../contract/csv.ts'
import type { CsvForm } from '../../../contract/csv.ts'
import type { OfferRow } from '../../../contract/offers/offers.ts'

const money = (amount: Cents | null): string => (amount === null ? '' : plainEuros(amount))
const moment = (at: number | null): string => (at === null ? '' : new Date(at).toISOString())
const yesNo = (value: boolean | null): string => (value === null ? '' : value ? 'yes' : 'no')

/** The columns of the exported table, in order. */
const COLUMNS: Readonly<Record<string, (row: OfferRow) => string>> = {
  'Offer id': (row) => row.offerId,
  'Product id': (row) => row.productId,
  Product: (row) => row.name,
  Platform: (row) => row.platform,
  Region: (row) => row.region,
  Delivery: (row) => row.deliveryType,
  Status: (row) => row.status,
  'Price EUR': (row) => money(row.priceCents),
  'Customer EUR': (row) => money(row.customerCents),
  'Cost EUR': (row) => money(row.costCents),
  'Profit EUR': (row) =>
    money(row.costCents === null ? null : subtractCents(row.priceCents, row.costCents)),
  'Floor EUR': (row) => money(row.ownFloorCents),
  'Ceiling EUR': (row) => money(row.ownCeilingCents),
  Cheapest: (row) => yesNo(row.isCheapest),
  'Best customer EUR': (row) => money(row.lowestCustomerCents),
  Stock: (row) => String(row.stock),
  Sold: (row) => (row.sold === null ? '' : String(row.sold)),
  'Changed (UTC)': (row) => moment(row.updatedAt),
  'Seen (UTC)': (row) => moment(row.seenAt),
}

/**
 * Offers are written in chunks of this size, so that the core can serve other requests in between.
 */
const CHUNK_SIZE = 500

/**
 * Offers as a table: RFC 4180 for files, tabs for the clipboard. A `'` in front of text that a
 * spreadsheet would evaluate neutralizes it.
 */
export async function exportTable(
  offerIds: readonly string[],
  read: (offerIds: readonly string[]) => OfferRow[],
  form: CsvForm,
): Promise<{ text: string; rows: number }> {
  const parts = [csvText([Object.keys(COLUMNS)], form)]
  let rows = 0
  for (let from = 0; from < offerIds.length; from += CHUNK_SIZE) {
    const piece = read(offerIds.slice(from, from + CHUNK_SIZE)).map((row) =>
      Object.values(COLUMNS).map((cell) => cell(row)),
    )
    rows += piece.length
    if (piece.length > 0) parts.push(csvText(piece, form))
    await setImmediate()
  }
  return { text: parts.join(''), rows }
}
