import type { Context } from '../context.ts'
import { account, type Ledger, transfer } from './ledger.ts'
import { reachCrashPoint } from '../crash-points.ts'
import type { SaleRecord } from '../ports/selling/sales.ts'
import type { DueWork } from '../clock/due-work.ts'

/** Most sales released in one transaction. More would keep requests waiting. */
const BATCH = 200

/** Makes sellers' earnings available when the claim window ends (Decision 30). */
export interface EarningReleases extends DueWork {
  /**
   * Holds a pending sale because a dispute about it was opened. Call inside the caller's
   * transaction.
   */
  hold(sale: SaleRecord): void
  /**
   * Resumes the release after the dispute: at its release time, or immediately when that has
   * passed. Call inside the caller's transaction.
   */
  resume(sale: SaleRecord, at: number): void
}

/** Releases as due work. Each moves the seller's price from pending to available. */
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
