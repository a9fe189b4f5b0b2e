import { encodeAnswer } from '../api/encode.ts'
import type { Call, EncodedAnswer, PartnerCaller } from '../api/handlers.ts'
import type { Order, OrderRequest } from '../api/order.ts'
import type { Context } from './context.ts'
import type { Completions } from './delivery-work.ts'
import type { IdempotentCall, Idempotency } from './idempotency.ts'
import type { Orders } from './orders.ts'
import { orderView } from './order-view.ts'
import type { OrderRecord } from './ports/orders.ts'

export interface OrderRequests {
  /** POST /orders: accepts, perhaps waits up to `waitSeconds` of real time, and answers; once per Idempotency-Key. */
  place(call: Call<PartnerCaller>, request: OrderRequest, waitSeconds: number): Promise<EncodedAnswer>
}

/** The course of POST /orders (Partner API, rules 3 to 7; Decisions 14 and 17). */
export function createOrderRequests(
  { store, clock }: Context,
  orders: Orders,
  idempotency: Idempotency,
  completions: Completions,
  accepted: () => void,
): OrderRequests {
  const created = (order: Order) => encodeAnswer('createOrder', { status: 201, body: order })

  /** Effect and answer (or, for one that waits, the note that it began) in one transaction. */
  function accept(call: Call<PartnerCaller>, identified: IdempotentCall | null, request: OrderRequest, waits: boolean) {
    const { partnerId, mode } = call.caller
    try {
      return store.transaction(() => {
        const order = orders.accept(partnerId, mode, request, clock.now())
        const answer = created(orderView(order))
        if (waits) idempotency.begin(identified, order.id)
        else idempotency.keep(identified, answer, { orderId: order.id })
        return { order, answer }
      })
    } catch (error) {
      idempotency.keepRefusal(identified, error, call.requestId)
      throw error
    }
  }

  /** The order as it stands is the answer from now on. A reset may have taken it away meanwhile: then as it was accepted. */
  function answerNow(identified: IdempotentCall | null, orderId: string, accepted: OrderRecord | null): EncodedAnswer {
    const order = store.orders.find(orderId)
    const answer = created(orderView(order ?? known(accepted, orderId)))
    if (identified && order) store.transaction(() => idempotency.keep(identified, answer, { orderId }))
    return answer
  }

  return {
    async place(call, request, waitSeconds) {
      const identified = idempotency.identify(call)
      const first = idempotency.replay(identified)
      if (first) return 'unanswered' in first ? answerNow(identified, first.unanswered, null) : first
      const waits = waitSeconds > 0
      const { order, answer } = accept(call, identified, request, waits)
      accepted()
      if (!waits) return answer
      const ended = idempotency.running(identified)
      try {
        await completions.wait(order.id, waitSeconds * 1000, call.signal)
        return answerNow(identified, order.id, order)
      } finally {
        ended()
      }
    },
  }
}

function known(order: OrderRecord | null, orderId: string): OrderRecord {
  if (!order) throw new Error(`order ${orderId} is not there`)
  return order
}
