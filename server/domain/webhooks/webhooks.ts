import { encodeResponse } from '../../api/encode.ts'
import { ApiError, type FieldProblem, validationError } from '../../api/errors.ts'
import { type Cents, fromCents } from '../../api/money.ts'
import { CURRENCY, type Mode } from '../../api/schemas/enums.ts'
import { type Context, instantText } from '../context.ts'
import { reachCrashPoint } from '../crash-points.ts'
import { orderView } from '../orders/order-view.ts'
import type { OrderRecord } from '../ports/ordering/orders.ts'
import type { WebhookEndpoint, WebhookEvent } from '../ports/ordering/webhooks.ts'
import { addressProblem } from './webhook-address.ts'

export interface Queued {
  deliveryId: string
  eventId: string
}

/** A top-up as reported by `balance.credited`. */
export interface Credit {
  partnerId: string
  mode: Mode
  amount: Cents
  balance: Cents
  reference: string
  ledgerId: string
}

export interface Webhooks {
  /**
   * Sets an account's endpoint with a new secret. VALIDATION_ERROR for an address that must not
   * receive events.
   */
  setEndpoint(partnerId: string, url: string): WebhookEndpoint
  /** The problem of an address that must not receive events, if it has any. */
  urlProblems(url: string | null | undefined): FieldProblem[]
  /** The account's endpoint. NOT_FOUND when there is none. */
  endpoint(partnerId: string): WebhookEndpoint
  /** Removes the endpoint and fails its pending deliveries. NOT_FOUND when there is none. */
  removeEndpoint(partnerId: string): void
  /** Queues the event of a final order. Call inside the transaction that made it final. */
  orderFinal(order: OrderRecord, at: number): void
  /** Queues the event of a top-up. Call inside the transaction that posted it. */
  credited(credit: Credit, at: number): void
  /** Queues a `webhook.test`. VALIDATION_ERROR without an endpoint. */
  test(partnerId: string, mode: Mode): Queued
  /**
   * Sends a delivery again under its own id, with all its attempts ahead (Decision 40). NOT_FOUND
   * for another account's delivery, VALIDATION_ERROR without an endpoint.
   */
  resend(partnerId: string, deliveryId: string): Queued
}

const noEndpoint = () =>
  validationError({ field: 'webhook', message: 'no webhook endpoint is set' })

/**
 * Writes an event with its delivery in the caller's transaction; null when the account has no
 * endpoint. `data` returns JSON text, so that an order is sent byte for byte as GET returns it.
 */
type Emit = (
  partnerId: string,
  mode: Mode,
  event: WebhookEvent,
  at: number,
  data: () => string,
) => Queued | null

function createEmit({ store, ids }: Context, queued: (partnerId: string) => void): Emit {
  const { webhooks } = store
  return (partnerId, mode, event, at, data) => {
    if (webhooks.endpoint(partnerId) === undefined) return null
    const eventId = ids.next('evt')
    const head = JSON.stringify({ id: eventId, event, mode, createdAt: instantText(at) })
    const body = `${head.slice(0, -1)},"data":${data()}}`
    const eventNo = webhooks.insertEvent({ id: eventId, event, body })
    reachCrashPoint('webhook.written')
    const deliveryId = ids.next('dlv')
    webhooks.insertDelivery({ id: deliveryId, partnerId, eventNo, at })
    store.afterCommit(() => queued(partnerId))
    return { deliveryId, eventId }
  }
}

/**
 * Webhook endpoints and the outbox. An event and its delivery are rows written in the transaction
 * that causes them (Partner API "Events", Decision 21). An account without an endpoint gets no
 * events. `queued` is called with the account once its new delivery, the removal of its endpoint or
 * a resend is durable, and with the row number of the delivery that was resent.
 */
export function createWebhooks(
  context: Context,
  loopbackAllowed: boolean,
  queued: (partnerId: string, resent?: number) => void,
): Webhooks {
  const { store, clock, random } = context
  const { webhooks } = store
  const emit = createEmit(context, queued)

  function endpoint(partnerId: string): WebhookEndpoint {
    const found = webhooks.endpoint(partnerId)
    if (!found) throw new ApiError('NOT_FOUND', 'No webhook endpoint is set.')
    return found
  }

  function urlProblems(url: string | null | undefined): FieldProblem[] {
    const problem = url == null ? null : addressProblem(url, loopbackAllowed)
    return problem === null ? [] : [{ field: 'url', message: problem }]
  }

  return {
    urlProblems,
    setEndpoint: (partnerId, url) =>
      store.transaction(() => {
        const problems = urlProblems(url)
        if (problems.length > 0) throw validationError(...problems)
        const secret = `whsec_${Buffer.from(random.bytes(32)).toString('base64url')}`
        const record = { partnerId, url, secret, createdAt: clock.now() }
        webhooks.setEndpoint(record)
        return record
      }),
    endpoint,
    removeEndpoint: (partnerId) =>
      store.transaction(() => {
        if (!webhooks.removeEndpoint(partnerId, clock.now())) endpoint(partnerId)
        store.afterCommit(() => queued(partnerId))
      }),
    orderFinal(order, at) {
      const { status } = order
      if (status === 'processing') throw new Error(`order ${order.id} isn't final`)
      emit(
        order.partnerId,
        order.mode,
        `order.${status}`,
        at,
        () => encodeResponse('getOrder', { status: 200, body: orderView(order) }).json ?? '',
      )
    },
    credited({ partnerId, mode, amount, balance, reference, ledgerId }, at) {
      emit(partnerId, mode, 'balance.credited', at, () =>
        JSON.stringify({
          amount: fromCents(amount),
          balance: fromCents(balance),
          currency: CURRENCY,
          reference,
          ledgerId,
        }),
      )
    },
    test: (partnerId, mode) =>
      store.transaction(() => {
        const sent = emit(partnerId, mode, 'webhook.test', clock.now(), () =>
          JSON.stringify({ message: 'This is a test of your webhook endpoint.' }),
        )
        if (!sent) throw noEndpoint()
        return sent
      }),
    resend: (partnerId, deliveryId) =>
      store.transaction(() => {
        const delivery = webhooks.delivery(partnerId, deliveryId)
        if (!delivery) throw new ApiError('NOT_FOUND', 'Delivery not found.')
        if (webhooks.endpoint(partnerId) === undefined) throw noEndpoint()
        webhooks.resend(delivery.no, clock.now())
        store.afterCommit(() => queued(partnerId, delivery.no))
        return { deliveryId, eventId: delivery.eventId }
      }),
  }
}
