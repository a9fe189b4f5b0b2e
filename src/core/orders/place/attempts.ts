import { cents, roundedEuros, sumCents, timesCents } from '../../../../server/api/money.ts'
import { outlookOf } from '../../certainty/certainty.ts'
import { createAges } from '../../clock.ts'
import { Failure, failure, isFailure } from '../../failure.ts'
import type { Priority } from '../../context.ts'
import { sendJournaled, stillUnknown } from '../../journaled-send/journaled-send.ts'
import type { JournaledSend } from '../../journaled-send/journaled-send.ts'
import type { Problem } from '../../../contract/base.ts'
import type { OrderAttempt } from '../../../contract/order-records.ts'
import type { OrdersContext } from '../context.ts'
import { hasJustFailed, notifyFailed } from '../sync/failed-orders.ts'
import { orderFacts } from '../sync/order-facts.ts'
import type { OrderFacts } from '../sync/order-facts.ts'
import type { LivePrices } from './live-prices.ts'
import type { AttemptRecord, OrderStore } from '../store.ts'

/**
 * How long an attempt without a response may be resent with its key, in milliseconds. After that,
 * Keydesk only checks whether the order exists: a person who gave up must not be surprised by an
 * order placed hours later. (The service keeps keys for 24 hours, Decision 17.)
 */
const resendWithinMs = 15 * 60 * 1000

/** Clocks and requests are never exact: an order can seem this much older than its attempt. */
const serviceDelayMs = 60_000

export type Draft = { externalId: string; lines: OrderAttempt['lines']; waitSeconds: number }
/** `also`: recorded in the same transaction as the attempt. */
export type PlaceOptions = { priority?: Priority; also?: (attemptId: string) => void }

/**
 * Order attempts: recorded before the request is sent, settled once, and finished with the same key
 * when the outcome is unknown.
 */
export function createAttempts(
  context: OrdersContext,
  storeOf: (accountId: string) => OrderStore,
  livePrices: Pick<LivePrices, 'learn'>,
) {
  const inFlight = new Map<string, Promise<AttemptRecord>>()
  const ages = createAges(context.clock)

  /**
   * Runs one call at a time per attempt, so that a person and the background never send the same
   * attempt at the same time.
   */
  function runExclusively(
    attemptId: string,
    work: () => Promise<AttemptRecord>,
  ): Promise<AttemptRecord> {
    const running = inFlight.get(attemptId)
    if (running !== undefined) return running
    const started = work().finally(() => inFlight.delete(attemptId))
    inFlight.set(attemptId, started)
    return started
  }

  function write(accountId: string, attempt: AttemptRecord, also: PlaceOptions['also']): void {
    const store = storeOf(accountId)
    store.transaction(() => {
      const duplicate = store.openAttempts().find((open) => open.externalId === attempt.externalId)
      if (duplicate !== undefined) {
        throw failure(
          'ATTEMPT_OPEN',
          `An order with the reference ${attempt.externalId} is already being placed.`,
          'Wait for the result, or choose another reference.',
          { effect: 'This order wasn’t sent.' },
        )
      }
      store.writeAttempt(attempt)
      ages.note(attempt.attemptId)
      also?.(attempt.attemptId)
    })
    context.changes.notify('orders', accountId, attempt.attemptId)
  }

  function settle(
    accountId: string,
    attempt: AttemptRecord,
    end: Pick<AttemptRecord, 'state' | 'orderId' | 'problem'>,
  ): AttemptRecord {
    const store = storeOf(accountId)
    store.settleAttempt(attempt.attemptId, {
      ...end,
      settledAt: end.state === 'unknown' ? null : context.clock.now(),
    })
    context.changes.notify('orders', accountId, attempt.attemptId)
    return store.attempt(attempt.attemptId) ?? { ...attempt, ...end }
  }

  /** Records that the service has the order. */
  function recordPlaced(
    accountId: string,
    attempt: AttemptRecord,
    order: OrderFacts,
  ): AttemptRecord {
    const store = storeOf(accountId)
    const [placed, before] = store.transaction(() => {
      const known = store.statusOf(order.orderId)
      store.write(order)
      return [
        settle(accountId, attempt, { state: 'placed', orderId: order.orderId, problem: null }),
        known,
      ]
    })
    if (hasJustFailed(before ?? 'processing', order))
      notifyFailed(context.notices, accountId, [order])
    return placed
  }

  /** Remembers the price that a rejection reported for the quantity of its line. */
  function learnPrice(accountId: string, { lines }: AttemptRecord, problem: Problem): void {
    const { productId, currentPrice } = problem.details ?? {}
    const line = lines.find((each) => each.productId === productId)
    if (problem.code === 'PRICE_CHANGED' && line !== undefined && typeof currentPrice === 'number')
      livePrices.learn(accountId, line.productId, line.qty, roundedEuros(currentPrice))
  }

  /** Sends a call whose result is the attempt's order, and records what became of the attempt. */
  async function sendAttempt(
    accountId: string,
    attempt: AttemptRecord,
    call: Pick<JournaledSend<OrderFacts>, 'write' | 'send' | 'verify' | 'again'>,
  ): Promise<AttemptRecord> {
    let recorded = attempt
    await sendJournaled({
      ...call,
      settle(outcome) {
        if (outcome.state !== 'done') learnPrice(accountId, attempt, outcome.failure.problem)
        recorded =
          outcome.state === 'done'
            ? recordPlaced(accountId, attempt, outcome.result)
            : settle(accountId, attempt, {
                state: outcome.state === 'unknown' ? 'unknown' : 'refused',
                orderId: null,
                problem: outcome.failure.problem,
              })
      },
    })
    return recorded
  }

  async function createOrder(
    accountId: string,
    attempt: AttemptRecord,
    waitSeconds: number,
    priority: Priority,
  ): Promise<OrderFacts> {
    const order = await context.connection(accountId).call(
      'createOrder',
      {
        query: { wait: waitSeconds },
        body: {
          externalId: attempt.externalId,
          items: attempt.lines.map(({ productId, qty, maxUnitCents }) => ({
            productId,
            qty,
            maxUnitPrice: cents(maxUnitCents),
          })),
        },
      },
      { priority, idempotencyKey: attempt.idempotencyKey },
    )
    return orderFacts(order, context.clock.now())
  }

  /** Sends the attempt again. If its external id is taken, the first try did arrive. */
  async function createOrderAgain(accountId: string, attempt: AttemptRecord): Promise<OrderFacts> {
    try {
      return await createOrder(accountId, attempt, 0, 'person')
    } catch (error) {
      if (!(error instanceof Failure) || error.problem.code !== 'DUPLICATE_EXTERNAL_ID') throw error
      return findOrder(accountId, attempt)
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
   * Looks up the order by its external id, without sending anything that could place it. Throws
   * Failure `NEVER_ARRIVED` if the service doesn't have it.
   */
  async function findOrder(accountId: string, attempt: AttemptRecord): Promise<OrderFacts> {
    const found = await readOrder(accountId, attempt, 'person')
    if (found === null) throw neverArrived()
    return found
  }

  /**
   * A rejection can come from something else than the service, after the service placed the order.
   * Finds that order; null confirms the rejection. An older order with the same external id, which
   * the service rejects as a duplicate, is another one.
   */
  async function findRejected(
    accountId: string,
    attempt: AttemptRecord,
    problem: Problem,
    priority: Priority,
  ): Promise<OrderFacts | null> {
    if (problem.code === 'DUPLICATE_EXTERNAL_ID') return null
    const found = await readOrder(accountId, attempt, priority).catch((error: unknown) => {
      // A key that may not read orders can't verify anything.
      if (isFailure(error, 'INSUFFICIENT_SCOPE')) return null
      throw error
    })
    const ageMs = ages.ageMs(attempt.attemptId, attempt.writtenAt, Number.POSITIVE_INFINITY)
    const since = context.accounts.serviceNow(accountId) - ageMs - serviceDelayMs
    return found !== null && found.createdAt >= since && hasLinesOf(found, attempt) ? found : null
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

  /**
   * Finishes an attempt according to its state at this time. One that was settled since then, for
   * example rejected, is never resent. Null if the attempt isn't on this computer.
   */
  async function finish(accountId: string, attemptId: string): Promise<AttemptRecord | null> {
    const attempt = storeOf(accountId).attempt(attemptId)
    if (attempt === null || (attempt.state !== 'sending' && attempt.state !== 'unknown'))
      return attempt
    const { problem } = attempt
    if (problem !== null && isRejection(problem))
      return sendAttempt(accountId, attempt, {
        send: () => confirmRejection(accountId, attempt, problem),
        again: true,
      })
    const age = ages.ageMs(attemptId, attempt.writtenAt, Number.POSITIVE_INFINITY)
    return sendAttempt(accountId, attempt, {
      again: true,
      ...(age < resendWithinMs
        ? {
            send: () => createOrderAgain(accountId, attempt),
            verify: verifier(accountId, attempt, 'person'),
          }
        : { send: () => findOrder(accountId, attempt) }),
    })
  }

  return {
    /**
     * Records the attempt, then sends it. A rejection is a result; the promise rejects only on a
     * defect.
     */
    place(
      accountId: string,
      draft: Draft,
      { priority = 'person', also }: PlaceOptions = {},
    ): Promise<AttemptRecord> {
      const attempt: AttemptRecord = {
        attemptId: context.random.id(),
        idempotencyKey: context.random.id(),
        externalId: draft.externalId,
        lines: draft.lines,
        waitSeconds: draft.waitSeconds,
        atMostCents: sumCents(draft.lines.map((line) => timesCents(line.maxUnitCents, line.qty))),
        chargedCents: null,
        state: 'sending',
        orderId: null,
        problem: null,
        writtenAt: context.clock.now(),
        settledAt: null,
      }
      return runExclusively(attempt.attemptId, () =>
        sendAttempt(accountId, attempt, {
          write: () => write(accountId, attempt, also),
          send: () => createOrder(accountId, attempt, attempt.waitSeconds, priority),
          verify: verifier(accountId, attempt, priority),
        }),
      )
    },
    /**
     * Asks again about one attempt with an unknown outcome; returns a settled one without a
     * request.
     */
    settle(accountId: string, attemptId: string): Promise<AttemptRecord> {
      return runExclusively(attemptId, async () => {
        const attempt = await finish(accountId, attemptId)
        if (attempt === null)
          throw failure(
            'NOT_FOUND',
            'Order attempt not found on this computer.',
            'Check the order list.',
          )
        return attempt
      })
    },
    /**
     * Finishes attempts that an earlier run or a lost response left open. True when none stays
     * open.
     */
    async settleOpen(accountId: string): Promise<boolean> {
      let settled = true
      for (const attempt of storeOf(accountId).openAttempts()) {
        const { state } = await runExclusively(
          attempt.attemptId,
          async () => (await finish(accountId, attempt.attemptId)) ?? attempt,
        )
        if (state === 'unknown') settled = false
      }
      return settled
    },
  }
}

/** Whether a problem of an open attempt is a rejection that couldn't be verified. */
const isRejection = ({ code, status }: Problem): boolean =>
  outlookOf(code, status, 'change').certainty === 'rejected'

/** Whether an order has the products and quantities of an attempt. */
function hasLinesOf({ items }: OrderFacts, { lines }: AttemptRecord): boolean {
  const textOf = (some: readonly { productId: string; qty: number }[]): string =>
    some
      .map(({ productId, qty }) => `${productId} ${qty}`)
      .toSorted()
      .join()
  return textOf(items) === textOf(lines)
}

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

export type Attempts = ReturnType<typeof createAttempts>
