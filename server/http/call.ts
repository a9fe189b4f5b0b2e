/**
 * Builds a handler's call context, and ends its waiting when the client disconnects or the service
 * stops.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Call, Caller, CancelSignal, Idempotency } from '../api/handlers.ts'

/** Ends every wait immediately when the service stops: waiting clients get the current state. */
export class PendingWaits {
  readonly #open = new Set<AbortController>()
  #stopped = false

  /** A signal for one reply, created on demand because most handlers never use it. */
  signalFor(reply: FastifyReply): AbortSignal {
    const controller = new AbortController()
    if (this.#stopped || reply.raw.destroyed) controller.abort()
    this.#open.add(controller)
    reply.raw.once('close', () => {
      this.#open.delete(controller)
      if (!reply.raw.writableFinished) controller.abort()
    })
    return controller.signal
  }

  get stopped(): boolean {
    return this.#stopped
  }

  stop(): void {
    this.#stopped = true
    for (const controller of this.#open) controller.abort()
  }
}

export class RequestCall implements Call {
  readonly requestId: string
  readonly caller: Caller
  readonly address: string
  readonly origin: string
  readonly idempotency: Idempotency | null
  readonly withoutBody: boolean
  readonly #reply: FastifyReply
  readonly #waits: PendingWaits
  #signal: CancelSignal | null = null

  constructor(
    request: FastifyRequest,
    reply: FastifyReply,
    about: {
      caller: Caller
      address: string
      origin: string
      idempotency: Idempotency | null
      waits: PendingWaits
    },
  ) {
    this.requestId = request.id
    this.caller = about.caller
    this.address = about.address
    this.origin = about.origin
    this.idempotency = about.idempotency
    this.withoutBody = request.method === 'HEAD'
    this.#reply = reply
    this.#waits = about.waits
  }

  get signal(): CancelSignal {
    this.#signal ??= this.#waits.signalFor(this.#reply)
    return this.#signal
  }
}
