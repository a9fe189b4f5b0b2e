import type { Context } from '../context.ts'
import type { DueWork } from '../clock/scheduler.ts'

const HOUR = 3_600_000
/** A delivery that has ended is kept so long, */
const KEPT_MS = 30 * 24 * HOUR
/** and of one account at most so many; what is still pending is never dropped. */
const KEPT_EACH = 10_000
/** Dropped in one transaction; the next follows at once, with room for requests between. */
const AT_ONCE = 500

export interface WebhookRetention extends DueWork {
  /** The account has more deliveries than before. */
  noteGrowth(partnerId: string): void
}

/**
 * Drops deliveries that nobody looks at any more, on full hours, so that a service that runs for
 * years does not grow with what it has sent (Decision 21).
 */
export function createWebhookRetention(
  { store, clock }: Context,
  keptEach = KEPT_EACH,
): WebhookRetention {
  const { webhooks } = store
  const grown = new Set<string>()
  const hourAfter = (at: number): number => Math.ceil(at / HOUR) * HOUR
  let last = clock.now()

  /** The full hour after the last look; a clock that a restore or reset moved back begins anew. */
  function nextHour(): number {
    last = Math.min(last, clock.now())
    return hourAfter(last + 1)
  }

  function dropSurplus(): boolean {
    for (const partnerId of grown) {
      if (webhooks.deleteSurplus(partnerId, keptEach, AT_ONCE) === AT_ONCE) return true
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
        if (webhooks.deleteEnded(at - KEPT_MS, AT_ONCE) === AT_ONCE || at < nextHour()) return
        if (!dropSurplus()) last = at
      }),
  }
}
