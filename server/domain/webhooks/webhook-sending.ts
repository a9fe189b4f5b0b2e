import { webhookHeaders } from '../../api/schemas/webhook-event.ts'
import type { Context } from '../context.ts'
import { reachCrashPoint } from '../crash-points.ts'
import type { SendWebhook, PendingDelivery, WebhookEndpoint } from '../ports/webhooks.ts'
import type { DueWork } from '../clock/scheduler.ts'
import { webhookSignature } from './webhook-signature.ts'

/**
 * Waits in seconds after the first failure, the second, and so on. After the last one a delivery
 * has failed (Partner API "Events", rule 2).
 */
const RETRY_AFTER_S = [10, 30, 60, 300, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200] as const
/**
 * A failure within the first second counts as immediate: the next wait is measured from the
 * attempt, so that attempts stay on the documented seconds.
 */
const IMMEDIATE_MS = 1000
/**
 * Most simultaneous attempts per endpoint. Its other deliveries wait; other endpoints are
 * unaffected.
 */
export const IN_FLIGHT_PER_ENDPOINT = 4

export interface WebhookSending extends Required<Omit<DueWork, 'punctual'>> {
  /** Call this when the account has new deliveries, or no endpoint any more. */
  changed(partnerId: string): void
  /** Aborts running attempts without an outcome. They are due again. */
  abort(): Promise<void>
  /** Reads the pending deliveries from the store again. */
  reload(): void
}

interface EndpointQueue {
  /** Row numbers of deliveries with a running attempt. */
  running: Set<number>
  /** When the earliest delivery without a running attempt is due. */
  nextAt: number | null
}

/**
 * Webhook deliveries as due work. An attempt continues after `run` has returned, so that a receiver
 * that hangs delays neither orders nor other receivers. `ended` wakes the scheduler for the next
 * delivery.
 */
export function createWebhookSending(
  { store, log }: Context,
  send: SendWebhook,
  ended: () => void,
): WebhookSending {
  const { webhooks } = store
  const queues = new Map<string, EndpointQueue>()
  const running = new Set<Promise<void>>()
  let stop = new AbortController()

  /**
   * The earliest deliveries without a running attempt. At most {@link IN_FLIGHT_PER_ENDPOINT}
   * attempts of an endpoint run.
   */
  function pendingIn(partnerId: string, queue: EndpointQueue): PendingDelivery[] {
    const free = IN_FLIGHT_PER_ENDPOINT - queue.running.size
    return webhooks
      .pending(partnerId, queue.running.size + Math.max(free, 1))
      .filter(({ no }) => !queue.running.has(no))
  }

  function refreshQueue(partnerId: string): void {
    const queue = queues.get(partnerId) ?? { running: new Set(), nextAt: null }
    queue.nextAt = pendingIn(partnerId, queue)[0]?.dueAt ?? null
    if (queue.nextAt === null && queue.running.size === 0) queues.delete(partnerId)
    else queues.set(partnerId, queue)
  }

  function reload(): void {
    queues.clear()
    for (const partnerId of webhooks.partnersWithPending()) refreshQueue(partnerId)
  }

  async function attempt(
    endpoint: WebhookEndpoint,
    delivery: PendingDelivery,
    at: number,
  ): Promise<void> {
    const { signal } = stop
    const headers = {
      [webhookHeaders.event]: delivery.event,
      [webhookHeaders.delivery]: delivery.id,
      [webhookHeaders.signature]: webhookSignature(endpoint.secret, delivery.body, at),
    }
    reachCrashPoint('webhook.leaving')
    const outcome = await send({ url: endpoint.url, headers, body: delivery.body }, signal)
    if (signal.aborted) return
    reachCrashPoint('webhook.answered')
    const number = delivery.attempts + 1
    const delivered = outcome.status !== null && outcome.status >= 200 && outcome.status < 300
    const failedAt = outcome.durationMs < IMMEDIATE_MS ? at : at + outcome.durationMs
    const wait = delivered ? undefined : RETRY_AFTER_S[delivery.attempts]
    const status = delivered ? 'delivered' : wait === undefined ? 'failed' : 'pending'
    store.transaction(() =>
      webhooks.addAttempt(
        delivery.no,
        { attempt: number, at, ...outcome },
        status,
        wait === undefined ? null : failedAt + wait * 1000,
      ),
    )
    reachCrashPoint('webhook.recorded')
  }

  function startAttempt(
    endpoint: WebhookEndpoint,
    delivery: PendingDelivery,
    queue: EndpointQueue,
    at: number,
  ): void {
    queue.running.add(delivery.no)
    const { signal } = stop
    const done = attempt(endpoint, delivery, at)
      .catch((error: unknown) => {
        if (!signal.aborted)
          log.error('a webhook attempt could not be sent or recorded', {
            deliveryId: delivery.id,
            error: String(error),
          })
      })
      .finally(() => {
        running.delete(done)
        queue.running.delete(delivery.no)
        if (signal.aborted) return
        refreshQueue(endpoint.partnerId)
        ended()
      })
    running.add(done)
  }

  reload()
  return {
    nextAt() {
      let first: number | null = null
      for (const { running: own, nextAt } of queues.values()) {
        if (
          nextAt !== null &&
          own.size < IN_FLIGHT_PER_ENDPOINT &&
          (first === null || nextAt < first)
        )
          first = nextAt
      }
      return first
    },
    run(at) {
      for (const [partnerId, queue] of Array.from(queues)) {
        if (
          queue.nextAt === null ||
          queue.nextAt > at ||
          queue.running.size >= IN_FLIGHT_PER_ENDPOINT
        )
          continue
        const endpoint = webhooks.endpoint(partnerId)
        for (const delivery of pendingIn(partnerId, queue)) {
          if (endpoint && delivery.dueAt <= at) startAttempt(endpoint, delivery, queue, at)
        }
        refreshQueue(partnerId)
      }
    },
    async idle() {
      while (running.size > 0) await Promise.all(running)
    },
    changed: refreshQueue,
    async abort() {
      stop.abort()
      await Promise.all(running)
      stop = new AbortController()
    },
    reload,
  }
}
