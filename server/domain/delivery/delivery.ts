import { claimUntilOf } from '../../api/limits.ts'
import { addCents, timesCents } from '../../api/money.ts'
import type { Context } from '../context.ts'
import { keySha256 } from '../stock/key-rules.ts'
import { account, type Ledger } from '../ledger/ledger.ts'
import { reachCrashPoint } from '../crash-points.ts'
import type { Posting } from '../ports/ordering/ledger.ts'
import type { OrderLineRecord, OrderRecord } from '../ports/ordering/orders.ts'
import type { Repositories } from '../ports/repositories.ts'
import type { Supplier } from '../ports/ordering/supplier.ts'
import type { Supply } from '../catalogue/supply.ts'
import { createOrderSettlement } from './order-settlement.ts'
import { testValue } from './test-units.ts'

/** How often delivery of a released pre-launch unit is retried. */
const RETRY_MS = 5 * 60_000

export interface Delivery {
  /**
   * Delivers everything of an order that is due, inside the caller's transaction: hands over its
   * reserved units, pays their sellers, and finishes the order when no line is left to deliver.
   * Returns the updated order.
   */
  deliver(order: OrderRecord, at: number): OrderRecord
}

/**
 * Hands over the units of a line that the supplier can deliver. Returns the sellers' earnings.
 */
function deliverLive(
  { store, ids }: Context,
  supplier: Supplier,
  order: OrderRecord,
  line: OrderLineRecord,
  at: number,
): Posting[] {
  const earnings: Posting[] = []
  for (const unit of store.orders.reservedUnits(order.no, line.line)) {
    const offer = unit.offerNo === null ? undefined : store.offers.findByNo(unit.offerNo)
    if (!offer || unit.unitNo === null || unit.price === null || unit.customerPrice === null) {
      throw new Error(`unit ${unit.id} of order ${order.id} belongs to no offer`)
    }
    if (supplier.failsUnit(line.productId)) continue
    const { value } = store.stock.sell(unit.unitNo)
    store.orders.setUnit(unit.no, 'delivered', at)
    store.offers.move(offer.no, { reserved: -1, sold: 1 })
    store.orders.addSale({
      id: ids.next('sal'),
      sellerId: offer.sellerId,
      orderUnitNo: unit.no,
      price: unit.price,
      customerPrice: unit.customerPrice,
      unitPrice: line.unitPrice,
      soldAt: at,
      // Sellers are paid when the claim window ends (Decision 30).
      releaseAt: claimUntilOf(at),
      keySha256: keySha256(value),
    })
    reachCrashPoint('delivery.sold')
    earnings.push({ account: account.sellerPending(offer.sellerId), amount: unit.price })
    line.deliveredQty += 1
  }
  return earnings
}

/** Makes up the units of a test order that the supplier can deliver. */
function deliverTest(
  { store, ids, random }: Context,
  supplier: Supplier,
  order: OrderRecord,
  line: OrderLineRecord,
  at: number,
): void {
  for (let missing = line.qty - line.deliveredQty; missing > 0; missing -= 1) {
    if (supplier.failsUnit(line.productId)) continue
    store.orders.addUnit({
      id: ids.next('key'),
      orderNo: order.no,
      line: line.line,
      unitNo: null,
      offerNo: null,
      price: null,
      customerPrice: null,
      state: 'delivered',
      testValue: testValue(line.deliveryType, random),
      deliveredAt: at,
    })
    line.deliveredQty += 1
  }
}

/** Returns undelivered units to their offers. */
function returnToStock(
  store: Repositories,
  supply: Supply,
  order: OrderRecord,
  line: OrderLineRecord,
): void {
  const units = store.orders.reservedUnits(order.no, line.line)
  for (const { no, unitNo, offerNo } of units) {
    if (unitNo !== null) store.stock.unreserve(unitNo)
    if (offerNo !== null) store.offers.move(offerNo, { reserved: -1, stock: 1 })
    store.orders.setUnit(no, 'returned', null)
  }
  reachCrashPoint('delivery.returned')
  if (units.length > 0) supply.refresh(line.productId, supply.stamp())
}

/** Delivery of accepted orders (Partner API "States and transitions"; Decisions 6, 14 to 16). */
export function createDelivery(
  context: Context,
  ledger: Ledger,
  supply: Supply,
  supplier: Supplier,
): Delivery {
  const { store } = context
  const settlement = createOrderSettlement(ledger)

  function attempt(order: OrderRecord, line: OrderLineRecord, at: number): void {
    const before = line.deliveredQty
    const earnings = order.mode === 'live' ? deliverLive(context, supplier, order, line, at) : []
    if (order.mode === 'test') deliverTest(context, supplier, order, line, at)
    settlement.pay(order, timesCents(line.unitPrice, line.deliveredQty - before), earnings, at)
    if (line.deliveredQty === line.qty) line.status = 'completed'
    else if (at < line.giveUpAt) line.dueAt = Math.min(at + RETRY_MS, line.giveUpAt)
    else {
      returnToStock(store, supply, order, line)
      line.status = 'failed'
    }
  }

  function finish(order: OrderRecord, at: number): void {
    const delivered = order.lines.reduce((sum, line) => sum + line.deliveredQty, 0)
    order.refunded = addCents(
      ...order.lines.map((line) => timesCents(line.unitPrice, line.qty - line.deliveredQty)),
    )
    const complete = order.lines.every((line) => line.status === 'completed')
    order.status = complete ? 'completed' : delivered > 0 ? 'partially_completed' : 'failed'
    order.completedAt = at
    order.dueAt = null
    if (order.refunded === 0) return
    settlement.refund(order, at)
  }

  return {
    deliver(given, at) {
      const order: OrderRecord = { ...given, lines: given.lines.map((line) => ({ ...line })) }
      for (const line of order.lines) {
        if (line.status === 'processing' && line.dueAt <= at) attempt(order, line, at)
      }
      const waiting = order.lines.filter((line) => line.status === 'processing')
      if (waiting.length === 0) finish(order, at)
      else order.dueAt = Math.min(...waiting.map((line) => line.dueAt))
      store.orders.progress(order)
      return order
    },
  }
}
