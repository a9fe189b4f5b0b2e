import type { Handlers } from '../../api/handlers.ts'
import { CURRENCY } from '../../api/schemas/enums.ts'
import { instantText, instantTextOrNull } from '../context.ts'
import { account } from '../ledger/ledger.ts'
import type { SaleRecord } from '../ports/selling/sales.ts'
import type { Parts } from './parts.ts'

/** The Seller API's operations on sales and the seller balance (Decision 30). */
export function sellerMoneyHandlers({ context: { store }, listPages }: Parts) {
  return {
    listSales: ({ caller: { sellerId } }, { query }) =>
      listPages('listSales', sellerId, query, (offset, limit) => ({
        total: store.sales.count(sellerId),
        results: store.sales.page(sellerId, offset, limit).map(saleView),
      })),
    getSellerBalance: ({ caller: { sellerId } }) => ({
      status: 200,
      body: {
        currency: CURRENCY,
        pending: store.ledger.balance('live', account.sellerPending(sellerId)),
        available: store.ledger.balance('live', account.sellerAvailable(sellerId)),
        upcomingReleases: store.sales.upcoming(sellerId),
      },
    }),
  } satisfies Handlers
}

/**
 * Null while a dispute is open, because the release date is unknown, and for a sale cancelled
 * before its release.
 */
function releaseAtOf({ status, held, releaseAt, releasedAt }: SaleRecord): number | null {
  if (status === 'cancelled' && releasedAt === null) return null
  return held ? null : releaseAt
}

function saleView(sale: SaleRecord) {
  const { id, offerId, productId, name, orderId, keyId, price, customerPrice, status } = sale
  return {
    id,
    offerId,
    productId,
    name,
    orderId,
    keyId,
    price,
    customerPrice,
    status,
    soldAt: instantText(sale.soldAt),
    releaseAt: instantTextOrNull(releaseAtOf(sale)),
    releasedAt: instantTextOrNull(sale.releasedAt),
    keySha256: Buffer.from(sale.keySha256).toString('hex'),
  }
}
