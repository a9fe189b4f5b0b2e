import type { PendingDelivery, WebhookRepository } from '../ports/ordering/webhooks.ts'

/**
 * Most simultaneous attempts per endpoint. Its other deliveries wait; other endpoints are
 * unaffected.
 */
export const IN_FLIGHT_PER_ENDPOINT = 4

export interface EndpointQueue {
  /** Row numbers of deliveries with a running attempt. */
  running: Set<number>
  /** When the earliest delivery without a running attempt is due. */
  nextAt: number | null
}

/** The pending deliveries of each endpoint: which are running, and when the next one is due. */
export interface EndpointQueues {
  /** When the earliest delivery of an endpoint with a free attempt is due. */
  nextAt(): number | null
  /** The endpoints with a free attempt and a delivery that is due at `at`. */
  due(at: number): [partnerId: string, queue: EndpointQueue][]
  /**
   * The earliest deliveries without a running attempt. At most {@link IN_FLIGHT_PER_ENDPOINT}
   * attempts of an endpoint run.
   */
  pending(partnerId: string, queue: EndpointQueue): PendingDelivery[]
  /** Reads the account's next due time from the store again. */
  refresh(partnerId: string): void
  /** Reads all pending deliveries from the store again. */
  reload(): void
}

const hasFreeAttempt = ({ running }: EndpointQueue): boolean =>
  running.size < IN_FLIGHT_PER_ENDPOINT

export function createEndpointQueues(webhooks: WebhookRepository): EndpointQueues {
  const queues = new Map<string, EndpointQueue>()

  function pending(partnerId: string, queue: EndpointQueue): PendingDelivery[] {
    const free = IN_FLIGHT_PER_ENDPOINT - queue.running.size
    return webhooks
      .pending(partnerId, queue.running.size + Math.max(free, 1))
      .filter(({ no }) => !queue.running.has(no))
  }

  function refresh(partnerId: string): void {
    const queue = queues.get(partnerId) ?? { running: new Set(), nextAt: null }
    queue.nextAt = pending(partnerId, queue)[0]?.dueAt ?? null
    if (queue.nextAt === null && queue.running.size === 0) queues.delete(partnerId)
    else queues.set(partnerId, queue)
  }

  return {
    nextAt() {
      let first: number | null = null
      for (const queue of queues.values()) {
        const { nextAt } = queue
        if (nextAt !== null && hasFreeAttempt(queue) && (first === null || nextAt < first))
          first = nextAt
      }
      return first
    },
    due: (at) =>
      Array.from(queues).filter(
        ([, queue]) => queue.nextAt !== null && queue.nextAt <= at && hasFreeAttempt(queue),
      ),
    pending,
    refresh,
    reload() {
      queues.clear()
      for (const partnerId of webhooks.partnersWithPending()) refresh(partnerId)
    },
  }
}
