import { roundedEuros, sumCents, timesCents } from '../../../../server/api/money.ts'
import { outlookOf } from '../../certainty/certainty.ts'
import { createAges } from '../../clock.ts'
import { failure } from '../../failure.ts'
import type { Priority } from '../../context.ts'
import { createFlights, sendJournaled } from '../../journaled-send/journaled-send.ts'
import type { JournaledSend } from '../../journaled-send/journaled-send.ts'
import type { Problem } from '../../../contract/base.ts'
import type { OrderAttempt } from '../../../contract/order-records.ts'
import { rejectedLineOf } from '../../../contract/rejected-line.ts'
import type { OrdersContext } from '../context.ts'
import { hasJustFailed, notifyFailed } from '../sync/failed-orders.ts'
import type { OrderFacts } from '../sync/order-facts.ts'
import type { LivePrices } from './live-prices.ts'
import { createOrderRequests } from './order-requests.ts'
import type { AttemptRecord } from '../attempt-store.ts'
import type { OrderStore } from '../store.ts'

/**
 * How long an attempt without a response may be resent with its key, in milliseconds. After that,
 * Keydesk only checks whether the order exists: a person who gave up must not be surprised by an
 * order placed hours later. (The service keeps keys for 24 hours, Decision 17.)
 */
const resendWithinMs = 15 * 60 * 1000

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
  const flights = createFlights(context.clock)
  const { createOrder, createOrderAgain, findOrder, verifier, confirmRejection } =
    createOrderRequests(context, ages, flights, (accountId, orderId) =>
      storeOf(accountId).attemptOf(orderId),
    )

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

  /**
   * Remembers the price that a rejection reported for its line: for the units of the product up to
   * that line, because lines of one product share its supply.
   */
  function learnPrice(accountId: string, { lines }: AttemptRecord, problem: Problem): void {
    const { currentPrice } = problem.details ?? {}
    const at = rejectedLineOf(problem, lines)
    if (problem.code !== 'PRICE_CHANGED' || at === null || typeof currentPrice !== 'number') return
    const productId = lines[at]?.productId ?? ''
    const units = lines
      .slice(0, at + 1)
      .reduce((sum, line) => (line.productId === productId ? sum + line.qty : sum), 0)
    livePrices.learn(accountId, productId, units, roundedEuros(currentPrice))
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

  /**
   * Finishes an attempt according to its state at this time. One that was settled since then, for
   * example rejected, is never resent. Null if the attempt isn't on this computer.
   */
  async function finish(accountId: string, attemptId: string): Promise<AttemptRecord | null> {
    const attempt = storeOf(accountId).attempt(attemptId)
    if (attempt === null || (attempt.state !== 'sending' && attempt.state !== 'unknown'))
      return attempt
    flights.meet(attemptId)
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

export type Attempts = ReturnType<typeof createAttempts>
