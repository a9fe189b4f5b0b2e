import { cents } from '../../../../server/api/money.ts'
import { DAY_MS } from '../../../../server/api/time.ts'
import type { Problem } from '../../../contract/base.ts'
import type { Ages } from '../../clock.ts'
import type { Priority } from '../../context.ts'
import { Failure, failure, isFailure } from '../../failure.ts'
import { stillUnknown } from '../../journaled-send/journaled-send.ts'
import type { JournaledSend } from '../../journaled-send/journaled-send.ts'
import type { Flights } from '../../journaled-send/journaled-send.ts'
import type { OrdersContext } from '../context.ts'
import type { AttemptRecord } from '../attempt-store.ts'
import { orderFacts } from '../sync/order-facts.ts'
import type { OrderFacts } from '../sync/order-facts.ts'

/** Clocks and requests are never exact: an order can seem this much older than its attempt. */
const serviceDelayMs = 60_000
/**
 * The same for an attempt that may be of an earlier run, since when the computer's clock can have
 * been corrected. If a placed order counted as another one, a person would place it a second time.
 */
const correctedClockMs = DAY_MS

/**
 * The requests that place an attempt's order or find out whether the service has it.
 *
 * @param attemptOf the attempt on this computer that placed an order; null if there is none
 */
export function createOrderRequests(
  context: OrdersContext,
  ages: Ages,
  flights: Flights,
  attemptOf: (accountId: string, orderId: string) => Pick<AttemptRecord, 'attemptId'> | null,
) {
  async function createOrder(
    accountId: string,
    attempt: AttemptRecord,
    waitSeconds: number,
    priority: Priority,
  ): Promise<OrderFacts> {
    const items = attempt.lines.map(({ productId, qty, maxUnitCents }) => ({
      productId,
      qty,
      maxUnitPrice: cents(maxUnitCents),
    }))
    try {
      flights.own(attempt.attemptId)
      const order = await context
        .connection(accountId)
        .call(
          'createOrder',
          { query: { wait: waitSeconds }, body: { externalId: attempt.externalId, items } },
          { priority, idempotencyKey: attempt.idempotencyKey },
        )
      return orderFacts(order, context.clock.now())
    } catch (error) {
      if (error instanceof Failure && error.certainty === 'unknown') flights.note(attempt.attemptId)
      throw error
    }
  }

  /** Sends the attempt again. If its external id is taken, the first try may have arrived. */
  async function createOrderAgain(accountId: string, attempt: AttemptRecord): Promise<OrderFacts> {
    try {
      return await createOrder(accountId, attempt, 0, 'person')
    } catch (error) {
      if (!isFailure(error, 'DUPLICATE_EXTERNAL_ID')) throw error
      return findOrder(accountId, attempt, error)
    }
  }

  /** The service's order with the attempt's external id. Throws Failure if it can't be asked. */
  async function readOrder(
    accountId: string,
    { externalId }: AttemptRecord,
    priority: Priority,
  ): Promise<OrderFacts | null> {
    const page = await context
      .connection(accountId)
      .call('listOrders', { query: { externalId, limit: 1 } }, { priority })
      .catch((error: unknown) => {
        // Even a rejected lookup says nothing about the attempt.
        throw error instanceof Failure ? stillUnknown(error) : error
      })
    const found = page.results[0]
    return found === undefined ? null : orderFacts(found, context.clock.now())
  }

  /**
   * Whether an order with the attempt's external id is the attempt's: it has the same lines, isn't
   * more than `olderMs` older, and no other attempt placed it.
   */
  function isOrderOf(
    accountId: string,
    attempt: AttemptRecord,
    order: OrderFacts,
    olderMs: number,
  ): boolean {
    const ageMs = ages.ageMs(attempt.attemptId, attempt.writtenAt, Number.POSITIVE_INFINITY)
    const since = context.accounts.serviceNow(accountId) - ageMs - olderMs
    const placedBy = attemptOf(accountId, order.orderId)?.attemptId ?? attempt.attemptId
    return placedBy === attempt.attemptId && order.createdAt >= since && hasLinesOf(order, attempt)
  }

  /**
   * Looks up the order by its external id, without sending anything that could place it. Throws
   * Failure `DUPLICATE_EXTERNAL_ID` if another order has that id, and `NEVER_ARRIVED` if the service
   * has no such order and it can't arrive any more.
   *
   * @param duplicate the service's rejection because an order has that id, perhaps one that this key
   *   can't list
   */
  async function findOrder(
    accountId: string,
    attempt: AttemptRecord,
    duplicate?: Failure,
  ): Promise<OrderFacts> {
    // Asked before reading: an order that landed during the reading can be missing in it.
    const isFlying = flights.isFlying(attempt.attemptId)
    const found = await readOrder(accountId, attempt, 'person')
    if (found !== null) {
      if (isOrderOf(accountId, attempt, found, correctedClockMs)) return found
      throw duplicate ?? referenceTaken(found.orderId)
    }
    throw isFlying ? perhapsInFlight() : (duplicate ?? neverArrived())
  }

  /**
   * A rejection can come from something else than the service, after the service placed the order.
   * Finds that order; null confirms the rejection. An older order with the same external id, which
   * the service rejects as a duplicate, is another one. Throws Failure while an earlier try can still
   * arrive.
   */
  async function findRejected(
    accountId: string,
    attempt: AttemptRecord,
    problem: Problem,
    priority: Priority,
  ): Promise<OrderFacts | null> {
    if (problem.code === 'DUPLICATE_EXTERNAL_ID') return null
    const isFlying = flights.isFlying(attempt.attemptId)
    const found = await readOrder(accountId, attempt, priority).catch((error: unknown) => {
      // A key that may not read orders can't verify anything.
      if (isFailure(error, 'INSUFFICIENT_SCOPE')) return null
      throw error
    })
    if (found !== null && isOrderOf(accountId, attempt, found, serviceDelayMs)) return found
    if (isFlying) throw new Failure(problem, { certainty: 'unknown', retry: 'ask' })
    return null
  }

  /** For {@link sendJournaled}: the order of a rejected attempt, if the service has it after all. */
  const verifier =
    (
      accountId: string,
      attempt: AttemptRecord,
      priority: Priority,
    ): JournaledSend<OrderFacts>['verify'] =>
    async ({ problem }) => {
      const found = await findRejected(accountId, attempt, problem, priority)
      return found === null ? null : { state: 'done', result: found }
    }

  /** Verifies a rejection that couldn't be verified before. The attempt is never sent again. */
  async function confirmRejection(
    accountId: string,
    attempt: AttemptRecord,
    problem: Problem,
  ): Promise<OrderFacts> {
    const found = await findRejected(accountId, attempt, problem, 'person')
    if (found === null) throw new Failure(problem, { certainty: 'rejected', retry: 'never' })
    return found
  }

  return { createOrder, createOrderAgain, findOrder, verifier, confirmRejection }
}

/** Whether an order has the products and quantities of an attempt. */
function hasLinesOf({ items }: OrderFacts, { lines }: AttemptRecord): boolean {
  const textOf = (some: readonly { productId: string; qty: number }[]): string =>
    some
      .map(({ productId, qty }) => `${productId} ${qty}`)
      .toSorted()
      .join()
  return textOf(items) === textOf(lines)
}

/** The service doesn't have the order yet. */
const perhapsInFlight = (): Failure =>
  new Failure(
    failure(
      'ANSWER_LOST',
      'It isn’t known yet whether the order was placed.',
      'Keydesk asks the service again in a moment.',
      { effect: 'It is never placed twice.' },
    ).problem,
    { certainty: 'unknown', retry: 'ask' },
  )

/** The service doesn't have the order, so it was certainly not placed. */
const neverArrived = (): Failure =>
  new Failure(
    failure(
      'NEVER_ARRIVED',
      'Order not placed: it never reached the service.',
      'Order again if you still want it.',
      { effect: 'Nothing was charged.' },
    ).problem,
    { certainty: 'rejected', retry: 'never' },
  )

/** Another order has the attempt's external id, so the service can't have placed the attempt. */
const referenceTaken = (orderId: string): Failure =>
  new Failure(
    failure(
      'DUPLICATE_EXTERNAL_ID',
      'Order not placed: this reference already belongs to another order.',
      `View order ${orderId}, or choose another reference.`,
      { effect: 'Nothing was charged.', details: { orderId } },
    ).problem,
    { certainty: 'rejected', retry: 'never' },
  )
