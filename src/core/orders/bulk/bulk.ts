import type { BulkOrder } from '../../../contract/order-records.ts'
import { shownCode } from '../../../contract/base.ts'
import type { Problem } from '../../../contract/base.ts'
import { localized } from '../../../contract/localization/localized.ts'
import type { ProblemCode } from '../../../contract/problem-codes.ts'
import { createAges, msSince, pause } from '../../clock.ts'
import { failure } from '../../failure.ts'
import type { Scope } from '../../lifecycle/lifecycle.ts'
import type { OrdersContext } from '../context.ts'
import type { Attempts } from '../place/attempts.ts'
import { titleOfLines } from './bulk-store.ts'
import type { BulkDraft, BulkStore } from './bulk-store.ts'

/**
 * Orders that were idle for longer need confirmation before they are placed, in milliseconds: the
 * person may have given up.
 */
const confirmAfterMs = 15 * 60 * 1000
/**
 * Milliseconds before the next try of an order that was certainly not placed, if the service
 * doesn't specify a delay.
 */
const retryAfterMs = 2000
/** Milliseconds between two reads of the balance while orders are placed. */
const balanceIntervalMs = 5000

/** The service did nothing, but may succeed later: the order stays next in the queue. */
const retriedCodes: ReadonlySet<ProblemCode> = new Set([
  'RATE_LIMITED',
  'SERVICE_UNAVAILABLE',
  'OFFLINE',
  'CANCELLED',
])
/** Every further order would be rejected for the same reason: a person must act first. */
const pausingCodes: ReadonlySet<ProblemCode> = new Set([
  'INSUFFICIENT_BALANCE',
  'DAILY_LIMIT_EXCEEDED',
  'UNAUTHORIZED',
  'ACCOUNT_NOT_ACTIVE',
  'IP_NOT_ALLOWED',
  'INSUFFICIENT_SCOPE',
  'KEY_MISSING',
])

type Dependencies = {
  context: OrdersContext
  storeOf: (accountId: string) => BulkStore
  attempts: Attempts
  /** The scope of an account's background work; null before the account can work. */
  workOf: (accountId: string) => Scope | null
  transaction: <T>(accountId: string, work: () => T) => T
  /** Reads the account's balance; never rejects. */
  readBalance: (accountId: string) => Promise<void>
}

/**
 * Places many orders one after the other, each as its own attempt. Resumes after a crash, and asks
 * for confirmation first when that was long ago.
 */
export function createBulkOrders({
  context,
  storeOf,
  attempts,
  workOf,
  transaction,
  readBalance,
}: Dependencies) {
  const { clock, changes } = context
  const running = new Set<string>()
  const ages = createAges(clock)
  /** Whether a person has to confirm that orders left for a while are still wanted. */
  const isOld = (bulkId: string, touchedAt: number): boolean =>
    ages.ageMs(bulkId, touchedAt, Number.POSITIVE_INFINITY) > confirmAfterMs

  function setState(
    accountId: string,
    bulkId: string,
    state: BulkOrder['state'],
    problem: BulkOrder['problem'] = null,
  ): void {
    storeOf(accountId).setState(bulkId, state, problem, clock.now())
    ages.note(bulkId)
    publish(accountId, bulkId)
  }

  function publish(accountId: string, bulkId: string): void {
    const bulk = storeOf(accountId).summary(bulkId)
    const id = `orders-${bulkId}`
    if (bulk === null || bulk.state === 'done' || bulk.state === 'cancelled') context.jobs.end(id)
    else {
      const total = Object.values(bulk.counts).reduce((sum, count) => sum + count, 0)
      context.jobs.set(
        {
          id,
          kind: 'orders',
          accountId,
          title: 'Orders',
          state: bulk.state === 'running' ? 'running' : 'paused',
          done: total - bulk.counts.waiting,
          total,
          leftMs: null,
        },
        {
          pause: () => void control(accountId, bulkId, 'pause'),
          resume: () => void control(accountId, bulkId, 'resume'),
          cancel: () => void control(accountId, bulkId, 'cancel'),
        },
      )
    }
    changes.notify('orders', accountId, bulkId)
  }

  function start(accountId: string, bulkId: string): void {
    const work = workOf(accountId)
    if (running.has(bulkId) || work === null || work.signal.aborted) return
    running.add(bulkId)
    void work.spawn(run(accountId, bulkId, work.signal)).catch((error: unknown) => {
      if (!work.signal.aborted) context.report(`orders of ${accountId}`, error)
    })
  }

  /** Reads the balance while and after orders are placed, so that the present one is shown. */
  function balanceReader(accountId: string) {
    let isStale = false
    let readAt = clock.monotonic()
    async function read(): Promise<void> {
      if (!isStale) return
      isStale = false
      readAt = clock.monotonic()
      await readBalance(accountId)
    }
    return {
      async placed(): Promise<void> {
        isStale = true
        if (msSince(clock, readAt) >= balanceIntervalMs) await read()
      },
      read,
    }
  }

  async function run(accountId: string, bulkId: string, signal: AbortSignal): Promise<void> {
    const balance = balanceReader(accountId)
    try {
      await placeAll(accountId, bulkId, signal, balance.placed)
    } finally {
      // Before the balance is read, which can take a while: the orders can be resumed from here on.
      running.delete(bulkId)
      if (!signal.aborted) await balance.read()
    }
  }

  async function placeAll(
    accountId: string,
    bulkId: string,
    signal: AbortSignal,
    placed: () => Promise<void>,
  ): Promise<void> {
    const store = storeOf(accountId)
    const line = context.connection(accountId)
    while (!signal.aborted && store.stateOf(bulkId)?.state === 'running') {
      await line.ready(signal)
      const found = store.stateOf(bulkId)
      if (found?.state !== 'running') return
      if (isOld(bulkId, found.touchedAt)) return setState(accountId, bulkId, 'asking')
      const next = store.next(bulkId)
      if (next === null) return setState(accountId, bulkId, 'done')
      const { position, draft } = next
      const attempt = await attempts.place(
        accountId,
        { ...draft, waitSeconds: 0 },
        { priority: 'watch', also: (attemptId) => store.sent(bulkId, position, attemptId) },
      )
      const problem = attempt.state === 'refused' ? attempt.problem : null
      if (problem === null || !retriedCodes.has(problem.code)) {
        store.touch(bulkId, clock.now())
        ages.note(bulkId)
      }
      const isCancelled = store.stateOf(bulkId)?.state === 'cancelled'
      if (problem !== null && (retriedCodes.has(problem.code) || pausingCodes.has(problem.code)))
        transaction(accountId, () => {
          store.back(bulkId, position)
          if (isCancelled) store.leave(bulkId)
        })
      else if (problem !== null) noteRejected(accountId, draft, problem)
      publish(accountId, bulkId)
      if (attempt.state === 'placed') await placed()
      if (isCancelled) return
      if (problem !== null && pausingCodes.has(problem.code))
        return setState(accountId, bulkId, 'paused', problem)
      if (problem !== null && retriedCodes.has(problem.code))
        await pause(clock, problem.retryAfterMs ?? retryAfterMs, signal)
    }
  }

  /** A rejected order appears in no list of orders, so the activity names it. */
  function noteRejected(accountId: string, draft: BulkDraft, problem: Problem): void {
    context.activity.add({
      accountId,
      what: localized('orders.rejected', { externalId: draft.externalId }),
      detail: localized('orders.rejected-why', {
        title: titleOfLines(draft.lines),
        reason: problem.what,
      }),
      outcome: 'failed',
      code: shownCode(problem),
      status: problem.status,
      requestId: problem.requestId,
      durationMs: null,
    })
  }

  function control(
    accountId: string,
    bulkId: string,
    action: 'pause' | 'resume' | 'cancel',
  ): BulkOrder {
    const store = storeOf(accountId)
    const state = store.stateOf(bulkId)?.state
    if (state === undefined) throw notFound()
    if (state === 'done' || state === 'cancelled')
      throw failure(
        'CONFLICT',
        'These orders are already finished.',
        'Check the result of each order.',
        { effect: 'Nothing was changed.' },
      )
    if (action === 'cancel')
      transaction(accountId, () => {
        store.leave(bulkId)
        setState(accountId, bulkId, 'cancelled')
      })
    else setState(accountId, bulkId, action === 'pause' ? 'paused' : 'running')
    if (action === 'resume') start(accountId, bulkId)
    return bulkOf(accountId, bulkId)
  }

  function bulkOf(accountId: string, bulkId: string): BulkOrder {
    const bulk = storeOf(accountId).bulk(bulkId)
    if (bulk === null) throw notFound()
    return bulk
  }

  return {
    /** Records all orders in one transaction, then starts placing them. */
    place(
      accountId: string,
      name: string,
      drafts: readonly BulkDraft[],
      isUsed: (externalId: string) => boolean,
    ): BulkOrder {
      const bulkId = context.random.id()
      transaction(accountId, () => {
        const twice = drafts
          .map(({ externalId }) => externalId)
          .find((externalId, index, all) => isUsed(externalId) || all.indexOf(externalId) !== index)
        if (twice !== undefined)
          throw failure(
            'ATTEMPT_OPEN',
            `An order with the reference ${twice} already exists.`,
            'Remove it from the table, or give it another reference.',
            { effect: 'None of the orders was sent.' },
          )
        storeOf(accountId).write(bulkId, name, drafts, clock.now())
        ages.note(bulkId)
      })
      publish(accountId, bulkId)
      start(accountId, bulkId)
      return bulkOf(accountId, bulkId)
    },
    /** Bulk orders of an earlier run: resumes the recent ones. */
    resumeAll(accountId: string): void {
      const store = storeOf(accountId)
      for (const bulkId of store.open()) {
        const found = store.stateOf(bulkId)
        if (found?.state === 'running' && isOld(bulkId, found.touchedAt))
          setState(accountId, bulkId, 'asking')
        else publish(accountId, bulkId)
        if (store.stateOf(bulkId)?.state === 'running') start(accountId, bulkId)
      }
    },
    act: control,
    bulk: bulkOf,
    /** A bulk order without its orders. */
    summary(accountId: string, bulkId: string): Omit<BulkOrder, 'orders'> {
      const bulk = storeOf(accountId).summary(bulkId)
      if (bulk === null) throw notFound()
      return bulk
    },
    bulks: (accountId: string): Omit<BulkOrder, 'orders'>[] => storeOf(accountId).bulks(),
  }
}

const notFound = () =>
  failure('NOT_FOUND', 'Bulk order not found on this computer.', 'Check the order list.')

export type Bulks = ReturnType<typeof createBulkOrders>
