import type { Context } from '../context.ts'
import type { DueWork } from '../clock/due-work.ts'

const HOUR = 3_600_000
/** How long an ended delivery is stored. */
const KEPT_MS = 30 * 24 * HOUR
/** How many ended deliveries are stored per account. Pending ones are never deleted. */
const KEPT_PER_ACCOUNT = 10_000
/**
 * Rows deleted in one transaction. The next one follows immediately, with time for requests in
 * between.
 */
const BATCH = 500

export interface WebhookRetention extends DueWork {
  /** Reports that the account has more deliveries than before. */
  noteGrowth(partnerId: string): void
}

/**
 * Deletes old deliveries on full hours, so that a service that runs for years doesn't grow with
 * every event it sent (Decision 21).
 */
export function createWebhookRetention(
  { store, clock }: Context,
  keptPerAccount = KEPT_PER_ACCOUNT,
): WebhookRetention {
  const { webhooks } = store
  const grown = new Set<string>()
  const hourAfter = (at: number): number => Math.ceil(at / HOUR) * HOUR
  let last = clock.now()

  /**
   * The full hour after the last check. Starts again from the present when a restore or reset moved
   * the clock back.
   */
  function nextHour(): number {
    last = Math.min(last, clock.now())
    return hourAfter(last + 1)
  }

  function dropSurplus(): boolean {
    for (const partnerId of grown) {
      if (webhooks.deleteSurplus(partnerId, keptPerAccount, BATCH) === BATCH) return true
      grown.delete(partnerId)
    }
    return false
  }

  return {
    noteGrowth: (partnerId) => void grown.add(partnerId),
    nextAt() {
      const first = webhooks.firstEnd()
      const aged = first === null ? null : hourAfter(first + KEPT_MS)
      if (grown.size === 0) return aged
      return aged === null ? nextHour() : Math.min(nextHour(), aged)
    },
    run: (at) =>
      store.transaction(() => {
        if (webhooks.deleteEnded(at - KEPT_MS, BATCH) === BATCH || at < nextHour()) return
        if (!dropSurplus()) last = at
      }),
  }
}
