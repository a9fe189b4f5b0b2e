import type { webhookEvents, deliveryStatuses } from '../../../api/schemas/enums.ts'

export type WebhookEvent = (typeof webhookEvents)[number]

export interface WebhookEndpoint {
  partnerId: string
  url: string
  /** The complete `whsec_…` text, used as the signing key. */
  secret: string
  createdAt: number
}

export interface WebhookAttempt {
  at: number
  /** Null when no response arrived; `error` then gives the reason. */
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

/** A delivery due for an attempt at `dueAt`. */
export interface PendingDelivery {
  no: number
  id: string
  event: WebhookEvent
  /** The envelope's JSON: the same bytes at every attempt. */
  body: string
  dueAt: number
  /** The number of attempts so far. */
  attempts: number
  /** How many of them were before the latest resend. */
  attemptsBeforeResend: number
}

export interface WebhookRepository {
  setEndpoint(endpoint: WebhookEndpoint): void
  endpoint(partnerId: string): WebhookEndpoint | undefined
  /**
   * Deletes the endpoint and fails its pending deliveries as of `at`. Returns whether there was
   * one.
   */
  removeEndpoint(partnerId: string, at: number): boolean
  /** Fails an account's pending deliveries as of `at`. */
  failPending(partnerId: string, at: number): void
  /** Returns the event's row number. */
  insertEvent(event: { id: string; event: WebhookEvent; body: string }): number
  insertDelivery(delivery: { id: string; partnerId: string; eventNo: number; at: number }): void
  /** An account's delivery. */
  delivery(partnerId: string, deliveryId: string): { no: number; eventId: string } | undefined
  /** Makes a delivery pending again, due at `at`, with all its attempts ahead. */
  resend(deliveryNo: number, at: number): void
  /** Newest first. */
  page(partnerId: string, offset: number, limit: number): WebhookDelivery[]
  count(partnerId: string): number
  /** Accounts with pending deliveries. */
  partnersWithPending(): string[]
  /** An account's pending deliveries, earliest first. */
  pending(partnerId: string, limit: number): PendingDelivery[]
  /**
   * Records an attempt and its consequence: with `nextAt` the delivery stays pending, otherwise it
   * ends as `status`.
   */
  addAttempt(
    deliveryNo: number,
    attempt: WebhookAttempt & { attempt: number },
    status: WebhookDelivery['status'],
    nextAt: number | null,
  ): void
  /**
   * Records an attempt during which its delivery was resent. The resend stays due, with all its
   * attempts ahead.
   */
  addAttemptBeforeResend(deliveryNo: number, attempt: WebhookAttempt & { attempt: number }): void
  /** When the first delivery to end did so; null when none has ended. */
  firstEnd(): number | null
  /**
   * Deletes up to `limit` deliveries that ended at or before `until`, with their attempts and the
   * events without other deliveries. Returns their number.
   */
  deleteEnded(until: number, limit: number): number
  /**
   * Deletes up to `limit` of an account's ended deliveries beyond the latest `keep`. Returns their
   * number.
   */
  deleteSurplus(partnerId: string, keep: number, limit: number): number
}

export interface WebhookRequest {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}

/**
 * Sends one POST. Resolves with the response's status, or the reason why none arrived; `durationMs`
 * is real time. Rejects only when aborted.
 */
export type SendWebhook = (
  request: WebhookRequest,
  signal: AbortSignal,
) => Promise<Omit<WebhookAttempt, 'at'>>

export interface WebhookNetwork {
  send: SendWebhook
  /**
   * Whether endpoints on this computer are allowed. They aren't when other computers can call the
   * service.
   */
  loopback: boolean
}
