import { encodeResponse } from '../../api/encode.ts'
import { ApiError } from '../../api/errors.ts'
import type { Call, CancelSignal, EncodedResponse, PartnerCaller } from '../../api/handlers.ts'
import type { Order, OrderRequest } from '../../api/schemas/order.ts'
import type { Context } from '../context.ts'
import type { Completions } from '../delivery/delivery-work.ts'
import type { GroupCommit } from './group-commit.ts'
import type { IdempotentCall, Idempotency } from './idempotency.ts'
import { reachCrashPoint } from '../crash-points.ts'
import type { Orders } from './orders.ts'
import { orderView } from './order-view.ts'
import type { OrderRecord } from '../ports/ordering/orders.ts'

export interface OrderRequests {
  /**
   * POST /orders: accepts the order, optionally waits up to `waitSeconds` of real time, and
   * responds. Runs once per Idempotency-Key.
   */
  place(
    call: Call<PartnerCaller>,
    request: OrderRequest,
    waitSeconds: number,
  ): Promise<EncodedResponse>
}

interface Accepted {
  order: OrderRecord
  answer: EncodedResponse
  /** Set while the response is pending; call it once the response is sent. */
  ended: (() => void) | null
}

/** The steps of POST /orders (Partner API, POST /orders rules 3 to 7; Decisions 14 and 17). */
export function createOrderRequests(
  { store, clock }: Context,
  orders: Orders,
  idempotency: Idempotency,
  completions: Completions,
  commits: GroupCommit,
  accepted: () => void,
): OrderRequests {
  const created = (order: Order) => encodeResponse('createOrder', { status: 201, body: order })

  /**
   * Effect and response share a savepoint; for an order that waits, effect and pending record. A
   * rejected order leaves only its stored error.
   */
  function accept(
    call: Call<PartnerCaller>,
    identified: IdempotentCall | null,
    request: OrderRequest,
    waits: boolean,
  ): Accepted | { refusal: unknown } {
    const { partnerId, mode } = call.caller
    try {
      return store.savepoint(() => {
        const order = orders.accept(partnerId, mode, request, clock.now())
        const answer = created(orderView(order))
        if (waits) idempotency.recordPending(identified, order.id)
        else idempotency.saveAnswer(identified, answer, { orderId: order.id })
        reachCrashPoint('order.accepted')
        return {
          order,
          answer,
          ended: waits ? idempotency.markInProgress(identified, order.id) : null,
        }
      })
    } catch (refusal) {
      if (refusal instanceof ApiError)
        refusal.seen = orders.seen(partnerId, mode, request, clock.now())
      idempotency.saveError(identified, refusal, call.requestId)
      return { refusal }
    }
  }

  /**
   * Returns the current order, and stores this response for replays. If a reset has removed the
   * order in the meantime, returns the accepted order.
   */
  async function answerNow(
    identified: IdempotentCall | null,
    orderId: string,
    accepted: OrderRecord | null,
  ): Promise<EncodedResponse> {
    const order = store.orders.find(orderId)
    const answer = created(orderView(order ?? known(accepted, orderId)))
    reachCrashPoint('order.answering')
    if (identified && order)
      await commits.run(() => idempotency.saveAnswer(identified, answer, { orderId }))
    reachCrashPoint('order.answered')
    return answer
  }

  async function waitFor(
    { order, ended }: Accepted,
    identified: IdempotentCall | null,
    ms: number,
    signal: CancelSignal,
  ): Promise<EncodedResponse> {
    try {
      reachCrashPoint('order.waiting')
      await completions.wait(order.id, ms, signal)
      return await answerNow(identified, order.id, order)
    } finally {
      ended?.()
    }
  }

  return {
    async place(call, request, waitSeconds) {
      const identified = idempotency.identify(call)
      const outcome = await commits.run(
        () => idempotency.replay(identified) ?? accept(call, identified, request, waitSeconds > 0),
      )
      if ('refusal' in outcome) throw outcome.refusal
      if ('unanswered' in outcome)
        return { ...(await answerNow(identified, outcome.unanswered, null)), replayed: true }
      if ('json' in outcome) return outcome
      accepted()
      return outcome.ended
        ? waitFor(outcome, identified, waitSeconds * 1000, call.signal)
        : outcome.answer
    },
  }
}

function known(order: OrderRecord | null, orderId: string): OrderRecord {
  if (!order) throw new Error(`order ${orderId} doesn't exist`)
  return order
}
