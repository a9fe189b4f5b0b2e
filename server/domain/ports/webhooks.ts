import type { webhookEvents, deliveryStatuses } from '../../api/words.ts'

export type WebhookEvent = (typeof webhookEvents)[number]

export interface WebhookEndpoint {
  partnerId: string
  url: string
  /** The whole `whsec_…` text; it signs. */
  secret: string
  createdAt: number
}

export interface WebhookAttempt {
  at: number
  /** Null when no answer came; then `error` says why. */
  status: number | null
  error: string | null
  durationMs: number
}

export interface WebhookDelivery {
  id: string
  eventId: string
  event: WebhookEvent
  status: (typeof deliveryStatuses)[number]
  nextAttemptAt: number | null
  attempts: WebhookAttempt[]
}

/** A delivery that is to be attempted at `dueAt`. */
export interface PendingDelivery {
  no: number
  id: string
  event: WebhookEvent
  /** The envelope's JSON: the same bytes at every attempt. */
  body: string
  dueAt: number
  /** How often it was attempted so far. */
  attempts: number
}

export interface WebhookRepository {
  setEndpoint(endpoint: WebhookEndpoint): void
  endpoint(partnerId: string): WebhookEndpoint | undefined
  /** Forgets the endpoint and fails what waits for it as of `at`; says whether there was one. */
  removeEndpoint(partnerId: string, at: number): boolean
  /** Gives the event's row number. */
  insertEvent(event: { id: string; event: WebhookEvent; body: string }): number
  insertDelivery(delivery: { id: string; partnerId: string; eventNo: number; at: number }): void
  /** The event of an account's delivery. */
  eventOf(partnerId: string, deliveryId: string): { no: number; id: string } | undefined
  /** Newest first. */
  page(partnerId: string, offset: number, limit: number): WebhookDelivery[]
  count(partnerId: string): number
  /** Accounts that deliveries wait for. */
  partnersWithPending(): string[]
  /** An account's pending deliveries, earliest first. */
  pending(partnerId: string, limit: number): PendingDelivery[]
  /**
   * Writes an attempt and what follows: with `nextAt` the delivery stays pending, else it ends as
   * `status`.
   */
  addAttempt(
    deliveryNo: number,
    attempt: WebhookAttempt & { attempt: number },
    status: WebhookDelivery['status'],
    nextAt: number | null,
  ): void
  /** When the delivery that ended first did so; null when none has. */
  firstEnd(): number | null
  /**
   * Drops up to `limit` deliveries that ended until then, with their attempts and the events that
   * nothing is left of; gives how many.
   */
  deleteEnded(until: number, limit: number): number
  /** Drops as many of an account's ended deliveries beyond the latest `keep`. */
  deleteSurplus(partnerId: string, keep: number, limit: number): number
}

export interface WebhookRequest {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}

/**
 * One POST: its answer's status, or why there was none; `durationMs` in real time. Rejects only
 * when aborted.
 */
export type SendWebhook = (
  request: WebhookRequest,
  signal: AbortSignal,
) => Promise<Omit<WebhookAttempt, 'at'>>

export interface WebhookNetwork {
  send: SendWebhook
  /**
   * Whether receivers on this machine may be named; not where other machines may call the service.
   */
  loopback: boolean
}
