/**
 * How a call of the client can fail: refused by the service, no answer, or an answer that can't be
 * read.
 */
import { isRetryable } from './errors.ts'

/**
 * The service refused. `code` is open: a newer service may have codes this program doesn't know
 * (Decision 33).
 */
export class ServiceError extends Error {
  readonly code: string
  readonly status: number
  readonly requestId: string | null
  readonly details: unknown
  /** How long the service asks to wait, in milliseconds; null when it doesn't say. */
  readonly retryAfterMs: number | null

  constructor(answer: {
    code: string
    message: string
    status: number
    requestId: string | null
    details: unknown
    retryAfterMs: number | null
  }) {
    super(answer.message)
    this.name = 'ServiceError'
    this.code = answer.code
    this.status = answer.status
    this.requestId = answer.requestId
    this.details = answer.details
    this.retryAfterMs = answer.retryAfterMs
  }

  /** By the Partner API's retry guidance: 429, 5xx and IDEMPOTENCY_IN_PROGRESS. */
  get retryable(): boolean {
    return isRetryable(this.code, this.status)
  }
}

/**
 * No answer came. `sent` is false only when no byte of the request can have reached the service.
 */
export class NetworkError extends Error {
  readonly sent: boolean

  constructor(message: string, sent: boolean, options?: { cause: unknown }) {
    super(message, options)
    this.name = 'NetworkError'
    this.sent = sent
  }
}

/**
 * An answer came that is not the service's: a proxy's page, a cut body, fields missing that the
 * documents promise. The call may have been executed.
 */
export class AnswerError extends Error {
  readonly status: number
  readonly requestId: string | null
  /** How long whoever answered asks to wait, in milliseconds; null when it doesn't say. */
  readonly retryAfterMs: number | null

  constructor(
    message: string,
    status: number,
    requestId: string | null,
    retryAfterMs: number | null = null,
  ) {
    super(message)
    this.name = 'AnswerError'
    this.status = status
    this.requestId = requestId
    this.retryAfterMs = retryAfterMs
  }

  get retryable(): boolean {
    return isRetryable(null, this.status)
  }
}
