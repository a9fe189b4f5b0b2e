import { ApiError, type SeenValues } from '../../api/errors.ts'
import { type Cents, fromCents, priceFactor, ZERO } from '../../api/money.ts'
import type { OrderRequest } from '../../api/schemas/order.ts'
import type { Mode } from '../../api/schemas/enums.ts'
import { type Context, DAY } from '../context.ts'
import { account, type Ledger, transfer } from '../ledger/ledger.ts'
import { reachCrashPoint } from '../crash-points.ts'
import { type PricedLine, priceLines } from './order-pricing.ts'
import { orderSeen } from './seen-values.ts'
import type { PartnerRecord } from '../ports/accounts.ts'
import type { NewOrder, OrderLineRecord, OrderRecord } from '../ports/ordering/orders.ts'
import type { Repositories } from '../ports/repositories.ts'
import type { Supplier } from '../ports/ordering/supplier.ts'
import { deliverableFrom, deliveryDeadline } from '../delivery/release-date.ts'
import type { Supply } from '../catalogue/supply.ts'
import { checkSpendingLimits } from '../limits/spending-limits.ts'

export interface Orders {
  /**
   * Accepts an order inside the caller's transaction: prices it, debits its total and reserves its
   * units. Delivery follows later. Throws the errors of POST /orders in the order of Decision 7,
   * with DUPLICATE_EXTERNAL_ID first.
   */
  accept(partnerId: string, mode: Mode, request: OrderRequest, at: number): OrderRecord
  /** Values that the checks of `accept` compare at this moment. */
  seen(partnerId: string, mode: Mode, request: OrderRequest, at: number): SeenValues
  /** The account's order in this mode. NOT_FOUND when there is none. */
  own(partnerId: string, mode: Mode, orderId: string): OrderRecord
}

/** Throws when the order exceeds one of the partner's limits or its balance. */
function checkMoney(
  store: Repositories,
  ledger: Ledger,
  partner: PartnerRecord,
  mode: Mode,
  total: Cents,
  spent: number,
  at: number,
): void {
  const since = at - DAY
  checkSpendingLimits(partner, total, () => {
    const gross = spent - store.orders.spentUpTo(partner.id, mode, since)
    return gross - store.orders.refundedSince(partner.id, mode, since)
  })
  const balance = ledger.partnerBalance(partner.id, mode)
  if (balance < total) {
    throw new ApiError('INSUFFICIENT_BALANCE', undefined, {
      balance: fromCents(balance),
      total: fromCents(total),
    })
  }
}

type AcceptedOrder = Pick<
  NewOrder,
  'id' | 'partnerId' | 'externalId' | 'mode' | 'total' | 'spentBefore' | 'createdAt'
> & { lines: readonly PricedLine[] }

/** An accepted order: each line is due when its product is released. */
function newOrder({ lines: priced, createdAt, ...order }: AcceptedOrder): NewOrder {
  const lines = priced.map(({ line, product, qty, unitPrice }): OrderLineRecord => {
    const dueAt = deliverableFrom(product.releaseDate, createdAt)
    return {
      line,
      productId: product.id,
      name: product.name,
      deliveryType: product.deliveryType,
      qty,
      unitPrice,
      status: 'processing',
      deliveredQty: 0,
      dueAt,
      giveUpAt: deliveryDeadline(dueAt, createdAt),
    }
  })
  return {
    ...order,
    status: 'processing',
    refunded: ZERO,
    createdAt,
    completedAt: null,
    dueAt: Math.min(...lines.map(({ dueAt }) => dueAt)),
    firstDownloadedAt: null,
    lines,
  }
}

/** Reserves the units of a live order. Test orders reserve nothing (Decision 6). */
function reserve(
  { store, ids }: Context,
  supply: Supply,
  order: OrderRecord,
  lines: readonly PricedLine[],
): void {
  for (const { line, parts } of lines) {
    for (const { offer, count } of parts) {
      const units = store.stock.reserve(offer.no, count)
      if (units.length < count) throw new Error(`offer ${offer.id} has fewer units than it counts`)
      for (const unitNo of units) {
        store.orders.addUnit({
          id: ids.next('key'),
          orderNo: order.no,
          line,
          unitNo,
          offerNo: offer.no,
          price: offer.price,
          customerPrice: offer.customerPrice,
          state: 'reserved',
          testValue: null,
          deliveredAt: null,
        })
        reachCrashPoint('order.reserving')
      }
      store.offers.move(offer.no, { stock: -count, reserved: count })
    }
  }
  const stamp = supply.stamp()
  for (const productId of new Set(lines.map(({ product }) => product.id)))
    supply.refresh(productId, stamp)
}

/** Placing orders (Partner API, POST /orders; Decisions 5 to 7, 13 to 18). */
export function createOrders(
  context: Context,
  ledger: Ledger,
  supply: Supply,
  supplier: Supplier,
): Orders {
  const { store, ids } = context

  return {
    accept(partnerId, mode, request, now) {
      const partner = store.accounts.partner(partnerId)
      if (!partner) throw new ApiError('UNAUTHORIZED')
      const { externalId } = request
      const orderId = store.orders.idByExternalId(partnerId, externalId)
      if (orderId !== undefined) throw new ApiError('DUPLICATE_EXTERNAL_ID', undefined, { orderId })
      if (supplier.down()) throw new ApiError('SERVICE_UNAVAILABLE')
      const market = { product: store.catalogue.row, supply: store.offers.supply }
      const { lines, total } = priceLines(request.items, market, priceFactor(partner.priceFactor))
      const { lastAt, spent } = store.orders.spending(partnerId, mode)
      const at = Math.max(now, lastAt)
      checkMoney(store, ledger, partner, mode, total, spent, at)

      const order = store.orders.insert(
        newOrder({
          id: ids.next('ord'),
          partnerId,
          externalId,
          mode,
          total,
          spentBefore: spent,
          createdAt: at,
          lines,
        }),
      )
      ledger.post({
        mode,
        type: 'order_debit',
        at,
        orderId: order.id,
        partnerId,
        postings: transfer(account.partner(partnerId), account.orders, total),
      })
      reachCrashPoint('order.debited')
      if (mode === 'live') reserve(context, supply, order, lines)
      return order
    },
    seen(partnerId, mode, request, at) {
      const partner = store.accounts.partner(partnerId)
      return partner ? orderSeen(context, ledger, { partner, mode }, request, at) : {}
    },
    own(partnerId, mode, orderId) {
      const order = store.orders.find(orderId)
      if (!order || order.partnerId !== partnerId || order.mode !== mode) {
        throw new ApiError('NOT_FOUND', 'Order not found.')
      }
      return order
    },
  }
}
