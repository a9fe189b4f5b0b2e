import { cents } from '../../../server/api/money.ts'
import { Failure, failure } from '../failure.ts'
import type { CoreContext, Priority } from '../context.ts'
import type { OrderAttempt } from '../../contract/orders.ts'
import { hasFailed, tellFailed } from './failed-orders.ts'
import { orderFacts } from './order-facts.ts'
import type { OrderFacts } from './order-facts.ts'
import type { AttemptRecord, OrderStore } from './store.ts'

/**
 * How long an attempt without an answer may be sent again with its key, in milliseconds. Past it,
 * Keydesk only looks whether the order is there: a person who gave up must not be surprised by an
 * order placed hours later. (The service keeps keys for 24 hours, Decision 17.)
 */
const sendAgainForMs = 15 * 60 * 1000

export type Draft = { externalId: string; lines: OrderAttempt['lines']; waitSeconds: number }
/** `also`: written down in the same transaction as the attempt. */
export type PlaceOptions = { priority?: Priority; also?: (attemptId: string) => void }

/**
 * Attempts to order: written down before the first byte leaves, settled once, finished with the
 * same key when the answer is unknown.
 */
export function createAttempts(context: CoreContext, storeOf: (accountId: string) => OrderStore) {
  const inHand = new Map<string, Promise<AttemptRecord>>()

  /**
   * One at a time per attempt: a person and the background never send the same attempt side by
   * side.
   */
  function alone(attemptId: string, work: () => Promise<AttemptRecord>): Promise<AttemptRecord> {
    const running = inHand.get(attemptId)
    if (running !== undefined) return running
    const started = work().finally(() => inHand.delete(attemptId))
    inHand.set(attemptId, started)
    return started
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

  /** The service has the order. */
  function take(accountId: string, attempt: AttemptRecord, order: OrderFacts): AttemptRecord {
    const store = storeOf(accountId)
    const [placed, before] = store.transaction(() => {
      const known = store.statusOf(order.orderId)
      store.write(order)
      return [
        settle(accountId, attempt, { state: 'placed', orderId: order.orderId, problem: null }),
        known,
      ]
    })
    if (hasFailed(before ?? 'processing', order)) tellFailed(context.notices, accountId, [order])
    return placed
  }

  async function send(
    accountId: string,
    attempt: AttemptRecord,
    again: boolean,
    priority: Priority = 'person',
  ): Promise<AttemptRecord> {
    const line = context.connection(accountId)
    try {
      const order = await line.call(
        'createOrder',
        {
          query: { wait: again ? 0 : attempt.waitSeconds },
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
      return take(accountId, attempt, orderFacts(order, context.clock.now()))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const { problem, certainty } = error
      // A repeated attempt that the service did not examine says nothing about the first one.
      if (certainty === 'unknown' || (again && certainty === 'not-done'))
        return settle(accountId, attempt, { state: 'unknown', orderId: null, problem })
      if (again && problem.code === 'DUPLICATE_EXTERNAL_ID') return look(accountId, attempt)
      return settle(accountId, attempt, { state: 'refused', orderId: null, problem })
    }
  }

  /** Looks for the order by its external id, without sending anything that could place it. */
  async function look(accountId: string, attempt: AttemptRecord): Promise<AttemptRecord> {
    try {
      const page = await context
        .connection(accountId)
        .call(
          'listOrders',
          { query: { externalId: attempt.externalId, limit: 1 } },
          { priority: 'person' },
        )
      const found = page.results[0]
      if (found === undefined) {
        return settle(accountId, attempt, {
          state: 'refused',
          orderId: null,
          problem: failure(
            'NEVER_ARRIVED',
            'Not ordered: the order never reached the service.',
            'Order again if you still want it.',
            { effect: 'Nothing was charged.' },
          ).problem,
        })
      }
      return take(accountId, attempt, orderFacts(found, context.clock.now()))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return settle(accountId, attempt, { state: 'unknown', orderId: null, problem: error.problem })
    }
  }

  /**
   * Finishes an attempt as it stands at its turn: settled meanwhile, refused above all, it is never
   * sent again. Null for one that is not on this desk.
   */
  async function finish(accountId: string, attemptId: string): Promise<AttemptRecord | null> {
    const attempt = storeOf(accountId).attempt(attemptId)
    if (attempt === null || (attempt.state !== 'sending' && attempt.state !== 'unknown'))
      return attempt
    return context.clock.now() - attempt.writtenAt < sendAgainForMs
      ? send(accountId, attempt, true)
      : look(accountId, attempt)
  }

  return {
    /** Writes the attempt down, then sends it. A refusal is an answer; only a defect rejects. */
    place(
      accountId: string,
      draft: Draft,
      { priority, also }: PlaceOptions = {},
    ): Promise<AttemptRecord> {
      const attempt: AttemptRecord = {
        attemptId: context.random.id(),
        idempotencyKey: context.random.id(),
        externalId: draft.externalId,
        lines: draft.lines,
        waitSeconds: draft.waitSeconds,
        atMostCents: draft.lines.reduce((sum, line) => sum + line.qty * line.maxUnitCents, 0),
        chargedCents: null,
        state: 'sending',
        orderId: null,
        problem: null,
        writtenAt: context.clock.now(),
        settledAt: null,
      }
      const store = storeOf(accountId)
      store.transaction(() => {
        const twin = store.openAttempts().find((open) => open.externalId === draft.externalId)
        if (twin !== undefined) {
          throw failure(
            'ATTEMPT_OPEN',
            `An order with the reference ${draft.externalId} is on its way already.`,
            'Wait for its answer, or choose another reference.',
            { effect: 'This one was not sent.' },
          )
        }
        store.writeAttempt(attempt)
        also?.(attempt.attemptId)
      })
      context.changes.notify('orders', accountId, attempt.attemptId)
      return alone(attempt.attemptId, () => send(accountId, attempt, false, priority))
    },
    /** Asks again about one attempt whose answer is unknown; a settled one is returned as it is. */
    settle(accountId: string, attemptId: string): Promise<AttemptRecord> {
      return alone(attemptId, async () => {
        const attempt = await finish(accountId, attemptId)
        if (attempt === null)
          throw failure(
            'NOT_FOUND',
            'This attempt is not on this desk.',
            'Look at the list of orders.',
          )
        return attempt
      })
    },
    /** Finishes what an earlier run or a lost answer left open. True when nothing stays open. */
    async settleOpen(accountId: string): Promise<boolean> {
      let open = 0
      for (const attempt of storeOf(accountId).openAttempts()) {
        const { state } = await alone(
          attempt.attemptId,
          async () => (await finish(accountId, attempt.attemptId)) ?? attempt,
        )
        if (state === 'unknown') open++
      }
      return open === 0
    },
  }
}
export type Attempts = ReturnType<typeof createAttempts>
