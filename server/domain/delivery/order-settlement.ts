import { addCents, type Cents, cents, ZERO } from '../../api/money.ts'
import { reachCrashPoint } from '../crash-points.ts'
import { account, type Ledger, transfer } from '../ledger/ledger.ts'
import type { Posting } from '../ports/ordering/ledger.ts'
import type { OrderRecord } from '../ports/ordering/orders.ts'

export interface OrderSettlement {
  /**
   * Distributes the money for delivered units, inside the caller's transaction: each seller gets
   * its price, the platform the margin.
   */
  pay(order: OrderRecord, amount: Cents, earnings: readonly Posting[], at: number): void
  /** Refunds `order.refunded` to the partner, inside the caller's transaction. */
  refund(order: OrderRecord, at: number): void
}

/** Moves the money of orders as they are delivered (Decision 4). */
export function createOrderSettlement(ledger: Ledger): OrderSettlement {
  return {
    pay(order, amount, earnings, at) {
      if (amount === 0 && earnings.length === 0) return
      const bySeller = new Map<string, Cents>()
      for (const { account: name, amount: price } of earnings)
        bySeller.set(name, addCents(bySeller.get(name) ?? ZERO, price))
      const margin = cents(amount - [...bySeller.values()].reduce((sum, price) => sum + price, 0))
      ledger.post({
        mode: order.mode,
        type: 'order_settlement',
        at,
        orderId: order.id,
        postings: [
          {
            account: account.orders,
            amount: cents(-amount + 0),
          },
          ...[...bySeller].map(([name, price]) => ({
            account: name,
            amount: price,
          })),
          {
            account: account.margin,
            amount: margin,
          },
        ],
      })
      reachCrashPoint('delivery.paid')
    },
    refund(order, at) {
      ledger.post({
        mode: order.mode,
        type: 'order_refund',
        at,
        orderId: order.id,
        partnerId: order.partnerId,
        postings: transfer(account.orders, account.partner(order.partnerId), order.refunded),
      })
      reachCrashPoint('delivery.refunded')
    },
  }
}
