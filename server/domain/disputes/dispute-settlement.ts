import { ApiError } from '../../api/errors.ts'
import { cents, subtractCents } from '../../api/money.ts'
import type { Context } from '../context.ts'
import { checkUnresolved } from './dispute-records.ts'
import { type CheckedKey, fingerprint } from '../stock/key-rules.ts'
import { account, type Ledger } from '../ledger/ledger.ts'
import { reachCrashPoint } from '../crash-points.ts'
import type { DisputeRecord } from '../ports/selling/disputes.ts'
import type { SaleRecord } from '../ports/selling/sales.ts'
import type { Repositories } from '../ports/repositories.ts'
import type { EarningReleases } from '../ledger/earning-releases.ts'
import type { Supply } from '../catalogue/supply.ts'

/** What replaces a unit that doesn't work. */
export type Replacement = { readonly key: CheckedKey } | { readonly fromStock: true }

export interface DisputeSettlement {
  /**
   * Sends the partner another unit: a new key, or the oldest in stock. Throws DISPUTE_RESOLVED,
   * DUPLICATE_KEY or INSUFFICIENT_STOCK.
   */
  replace(dispute: DisputeRecord, by: Replacement, at: number): void
  /** Refunds the unit price to the partner and cancels the sale. Throws DISPUTE_RESOLVED. */
  refund(dispute: DisputeRecord, at: number): void
}

function saleOf(store: Repositories, dispute: DisputeRecord): SaleRecord {
  const sale = store.sales.findByNo(dispute.saleNo)
  if (!sale) throw new Error(`dispute ${dispute.id} has no sale`)
  return sale
}

/** Adds a unit whose value is new for the product. */
function newUnit(
  store: Repositories,
  { offerNo, productId }: SaleRecord,
  { value, contentType }: CheckedKey,
  at: number,
): number {
  const unit = {
    offerNo,
    fingerprint: fingerprint(productId, value),
    contentType,
    value,
    uploadedAt: at,
  }
  const no = store.stock.addReplacement(unit)
  if (no === null) throw new ApiError('DUPLICATE_KEY')
  return no
}

/** Takes the oldest unit in stock. */
function fromStock(
  store: Repositories,
  supply: Supply,
  { offerNo, productId }: SaleRecord,
): number {
  const [unit] = store.stock.oldest(offerNo, 1)
  if (!unit) throw new ApiError('INSUFFICIENT_STOCK', undefined, { stock: 0 })
  store.stock.sendReplacement(unit.no)
  store.offers.move(offerNo, { stock: -1 })
  supply.refresh(productId, supply.stamp())
  return unit.no
}

/**
 * How sellers settle disputes (Decisions 20, 28 and 31). Call both functions inside the caller's
 * transaction, together with the response that is stored for replays.
 */
export function createDisputeSettlement(
  { store, ids }: Context,
  ledger: Ledger,
  supply: Supply,
  releases: EarningReleases,
): DisputeSettlement {
  return {
    replace: (dispute, by, at) =>
      store.transaction(() => {
        checkUnresolved(dispute)
        const sale = saleOf(store, dispute)
        const unitNo =
          'key' in by ? newUnit(store, sale, by.key, at) : fromStock(store, supply, sale)
        const replacementNo = store.orders.addUnit({
          id: ids.next('key'),
          orderNo: sale.orderNo,
          line: sale.line,
          unitNo,
          offerNo: sale.offerNo,
          price: null,
          customerPrice: null,
          state: 'delivered',
          testValue: null,
          deliveredAt: at,
        })
        reachCrashPoint('replacement.sent')
        store.disputes.resolve(dispute.no, { resolution: 'replaced', at, replacementNo })
        releases.resume(sale, at)
      }),
    refund: (dispute, at) =>
      store.transaction(() => {
        checkUnresolved(dispute)
        const sale = saleOf(store, dispute)
        const { sellerId, partnerId, price, unitPrice } = sale
        const paidFrom =
          sale.status === 'released'
            ? account.sellerAvailable(sellerId)
            : account.sellerPending(sellerId)
        store.sales.cancel(sale.no)
        store.disputes.resolve(dispute.no, { resolution: 'refunded', at, replacementNo: null })
        reachCrashPoint('refund.resolved')
        ledger.post({
          mode: 'live',
          type: 'claim_credit',
          at,
          orderId: sale.orderId,
          reference: sale.id,
          partnerId,
          postings: [
            { account: account.partner(partnerId), amount: unitPrice },
            { account: paidFrom, amount: cents(-price + 0) },
            { account: account.margin, amount: subtractCents(price, unitPrice) },
          ],
        })
      }),
  }
}
