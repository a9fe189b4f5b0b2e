import type { Context } from '../context.ts'
import { account, type Ledger, transfer } from './ledger.ts'
import { reachCrashPoint } from '../crash-points.ts'
import type { SaleRecord } from '../ports/sales.ts'
import type { DueWork } from '../clock/scheduler.ts'

/** Sales released in one transaction at most; more would keep requests waiting. */
const BATCH = 200

/** Sellers' earnings becoming available when the claim window is over (Decision 30). */
export interface EarningReleases extends DueWork {
  /**
   * A dispute on the sale was opened: a pending sale waits for it. Inside the caller's transaction.
   */
  hold(sale: SaleRecord): void
  /**
   * The dispute is over: the sale is released when its time comes, at once where that has passed.
   * Inside the caller's transaction.
   */
  resume(sale: SaleRecord, at: number): void
}

/** Releases as due work: each moves the seller's price from pending to available. */
export function createEarningReleases({ store }: Context, ledger: Ledger): EarningReleases {
  function release(sale: SaleRecord, at: number): void {
    store.sales.release(sale.no, at)
    reachCrashPoint('release.begun')
    ledger.post({
      mode: 'live',
      type: 'earning_release',
      at,
      orderId: sale.orderId,
      reference: sale.id,
      postings: transfer(
        account.sellerPending(sale.sellerId),
        account.sellerAvailable(sale.sellerId),
        sale.price,
      ),
    })
  }

  return {
    punctual: true,
    nextAt: () => store.sales.nextReleaseAt(),
    run: (at) =>
      store.transaction(() => {
        for (const sale of store.sales.due(at, BATCH)) release(sale, at)
      }),
    hold(sale) {
      if (sale.status === 'pending') store.sales.setHeld(sale.no, true)
    },
    resume(sale, at) {
      if (sale.status !== 'pending') return
      store.sales.setHeld(sale.no, false)
      if (sale.releaseAt <= at) release(sale, at)
    },
  }
}
