import { plainEuros, timesCents } from '../../../server/api/money.ts'
import { csvText, exact } from '../../contract/csv.ts'
import type { OrderRow } from '../../contract/order-records.ts'
import type { OrderFacts } from './sync/order-facts.ts'
import type { Variant } from './variants.ts'
import type { DecryptedKey } from './keys/delivered-keys.ts'

const money = plainEuros
const moment = (at: number | null): string => (at === null ? '' : new Date(at).toISOString())

const fields = [
  'Order id',
  'Reference',
  'Mode',
  'Status',
  'Placed (UTC)',
  'Completed (UTC)',
  'Charged EUR',
  'Credited back EUR',
  'Line',
  'Product id',
  'Product',
  'Platform',
  'Region',
  'Delivery',
  'Units',
  'Delivered',
  'Unit price EUR',
  'Line total EUR',
]

/**
 * Orders with their lines as CSV (RFC 4180), one row per line. The order's own amounts are on its
 * first row only, so that a column adds up.
 */
export function ordersToCsv(
  orders: readonly {
    row: Omit<OrderRow, 'platform' | 'region' | 'deliveryType' | 'releaseAt'>
    items: readonly (OrderFacts['items'][number] & Variant)[]
  }[],
): string {
  const data = orders.flatMap(({ row, items }) =>
    (items.length === 0 ? [null] : items).map((item, index) => [
      row.orderId,
      row.externalId,
      row.mode,
      row.status,
      moment(row.createdAt),
      moment(row.completedAt),
      index === 0 ? money(row.totalCents) : '',
      index === 0 ? money(row.refundedCents) : '',
      ...(item === null
        ? Array.from({ length: 10 }, () => '')
        : [
            String(item.line),
            item.productId,
            item.name,
            item.platform,
            item.region,
            item.deliveryType,
            String(item.qty),
            String(item.deliveredQty),
            money(item.unitCents),
            money(timesCents(item.unitCents, item.qty)),
          ]),
    ]),
  )
  return csvText([fields, ...data])
}

/**
 * Keys with their order, line, product and mark. The values are written exactly as delivered, even if
 * a spreadsheet evaluates them.
 */
export const keysToCsv = (
  keys: readonly (DecryptedKey &
    Variant & {
      name: string
      orderId: string
      externalId: string
      handedAt: number | null
      handedNote: string
    })[],
): string =>
  csvText([
    [
      'order id',
      'reference',
      'line',
      'product id',
      'product',
      'platform',
      'region',
      'delivery',
      'content type',
      'key id',
      'value',
      'handed over (UTC)',
      'note',
    ],
    ...keys.map((key) => [
      key.orderId,
      key.externalId,
      String(key.line),
      key.productId,
      key.name,
      key.platform,
      key.region,
      key.deliveryType,
      key.contentType,
      key.keyId,
      exact(key.value),
      moment(key.handedAt),
      key.handedNote,
    ]),
  ])
