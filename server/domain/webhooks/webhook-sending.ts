import { webhookHeaders } from '../../api/schemas/webhook-event.ts'
import type { Context } from '../context.ts'
import { reachCrashPoint } from '../crash-points.ts'
import type {
  PendingDelivery,
  SendWebhook,
  WebhookDelivery,
  WebhookEndpoint,
} from '../ports/ordering/webhooks.ts'
import type { DueWork } from '../clock/due-work.ts'
import { createEndpointQueues, type EndpointQueue } from './endpoint-queues.ts'
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

export interface WebhookSending extends Required<Omit<DueWork, 'punctual'>> {
  /**
   * Call this when the account has new deliveries, or no endpoint any more. `resent` is the row
   * number of a delivery that was resent.
   */
  changed(partnerId: string, resent?: number): void
  /** Aborts running attempts without an outcome. They are due again. */
  abort(): Promise<void>
  /** Reads the pending deliveries from the store again. */
  reload(): void
}

type Outcome = Awaited<ReturnType<SendWebhook>>

/** The delivery's status after an attempt at `at`, and when it is retried if it isn't over. */
export function afterAttempt(
  { attempts, attemptsBeforeResend }: PendingDelivery,
  { status, durationMs }: Outcome,
  at: number,
): { status: WebhookDelivery['status']; nextAt: number | null } {
  if (status !== null && status >= 200 && status < 300) return { status: 'delivered', nextAt: null }
  const wait = RETRY_AFTER_S[attempts - attemptsBeforeResend]
  if (wait === undefined) return { status: 'failed', nextAt: null }
  const failedAt = durationMs < IMMEDIATE_MS ? at : at + durationMs
  return { status: 'pending', nextAt: failedAt + wait * 1000 }
}

/**
 * Sends a delivery once and records the outcome. An aborted attempt isn't recorded, and one during
 * which the delivery was resent doesn't change when it is due. The signature has the real time,
 * which receivers compare with their own clock (Decision 39).
 */
async function attempt(
  { store, receiverClock }: Context,
  send: SendWebhook,
  endpoint: WebhookEndpoint,
  delivery: PendingDelivery,
  at: number,
  signal: AbortSignal,
  wasResent: () => boolean,
): Promise<void> {
  const headers = {
    [webhookHeaders.event]: delivery.event,
    [webhookHeaders.delivery]: delivery.id,
    [webhookHeaders.signature]: webhookSignature(
      endpoint.secret,
      delivery.body,
      receiverClock.now(),
    ),
  }
  reachCrashPoint('webhook.leaving')
  const outcome = await send({ url: endpoint.url, headers, body: delivery.body }, signal)
  if (signal.aborted) return
  reachCrashPoint('webhook.answered')
  const record = { attempt: delivery.attempts + 1, at, ...outcome }
  const { status, nextAt } = afterAttempt(delivery, outcome, at)
  store.transaction(() => {
    if (wasResent()) store.webhooks.addAttemptBeforeResend(delivery.no, record)
    else store.webhooks.addAttempt(delivery.no, record, status, nextAt)
  })
  reachCrashPoint('webhook.recorded')
}

/**
 * Webhook deliveries as due work. An attempt continues after `run` has returned, so that a receiver
 * that hangs delays neither orders nor other receivers. `ended` wakes the scheduler for the next
 * delivery.
 */
export function createWebhookSending(
  context: Context,
  send: SendWebhook,
  ended: () => void,
): WebhookSending {
  const { store, log } = context
  const { webhooks } = store
  const queues = createEndpointQueues(webhooks)
  const running = new Set<Promise<void>>()
  /** Row numbers of deliveries that were resent during their attempt. */
  const resentMeanwhile = new Set<number>()
  let stop = new AbortController()

  function startAttempt(
    endpoint: WebhookEndpoint,
    delivery: PendingDelivery,
    queue: EndpointQueue,
    at: number,
  ): void {
    queue.running.add(delivery.no)
    resentMeanwhile.delete(delivery.no)
    const { signal } = stop
    const wasResent = () => resentMeanwhile.has(delivery.no)
    const done = attempt(context, send, endpoint, delivery, at, signal, wasResent)
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
        resentMeanwhile.delete(delivery.no)
        if (signal.aborted) return
        queues.refresh(endpoint.partnerId)
        ended()
      })
    running.add(done)
  }

  queues.reload()
  return {
    nextAt: queues.nextAt,
    run(at) {
      for (const [partnerId, queue] of queues.due(at)) {
        const endpoint = webhooks.endpoint(partnerId)
        for (const delivery of queues.pending(partnerId, queue)) {
          if (endpoint && delivery.dueAt <= at) startAttempt(endpoint, delivery, queue, at)
        }
        queues.refresh(partnerId)
      }
    },
    async idle() {
      while (running.size > 0) await Promise.all(running)
    },
    changed(partnerId, resent) {
      if (resent !== undefined) resentMeanwhile.add(resent)
      queues.refresh(partnerId)
    },
    async abort() {
      stop.abort()
      await Promise.all(running)
      stop = new AbortController()
    },
    reload: queues.reload,
  }
}
