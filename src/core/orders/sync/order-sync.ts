import { isFresh, pause } from '../../clock.ts'
import { Failure, isFailure } from '../../failure.ts'
import type { Priority, ServiceConnection } from '../../context.ts'
import type { AccountScope } from '../../lifecycle/lifecycle.ts'
import type { PollLoop } from '../../mirror/mirror.ts'
import { startPolling } from '../../polling/polling.ts'
import type { OrdersContext } from '../context.ts'
import type { Attempts } from '../place/attempts.ts'
import { hasJustFailed, notifyFailed } from './failed-orders.ts'
import { orderFacts } from './order-facts.ts'
import type { OrderFacts } from './order-facts.ts'
import type { Releases } from '../release.ts'
import type { OrderStore } from '../store.ts'

type Connection = Pick<ServiceConnection, 'call'>

/**
 * Milliseconds between two syncs of orders that are being delivered, and between two checks for
 * such orders.
 */
const processingIntervalMs = 2000
const idleIntervalMs = 10_000
/** Milliseconds between two reads of an order whose products aren't released yet. */
const preorderIntervalMs = 30 * 60 * 1000

/**
 * Keeps one partner account's orders and balance up to date until its work ends: orders being
 * delivered at a short interval, the newest orders at the regular one. Returns the poll loop of the
 * latter.
 */
export function startOrderSync(
  context: OrdersContext,
  store: OrderStore,
  attempts: Attempts,
  { accountId, signal, spawn }: AccountScope,
  releaseOf: Releases,
): PollLoop {
  const pollLoop = startPolling({
    context,
    accountId,
    topic: 'orders',
    signal,
    read: (line) => spawn(syncNewest(line)),
  })
  void spawn(followProcessing())
  return pollLoop

  async function followProcessing(): Promise<void> {
    const line = context.connection(accountId)
    while (!signal.aborted) {
      try {
        await line.ready(signal)
        await attempts.settleOpen(accountId)
        await refreshProcessing()
      } catch (error) {
        if (signal.aborted) return
        if (!(error instanceof Failure)) context.report(`orders of ${accountId}`, error)
      }
      await pause(
        context.clock,
        inDelivery().length > 0 || store.openAttempts().length > 0
          ? processingIntervalMs
          : idleIntervalMs,
        signal,
      )
    }
  }

  async function syncNewest(line: Connection): Promise<boolean> {
    const news = await syncOrders(context, accountId, store, line, signal)
    return (await refreshBalance(context, accountId, store, signal, line)) || news
  }

  async function refreshProcessing(): Promise<void> {
    const due = store
      .processing()
      .filter(
        ({ orderId, readAt }) =>
          !isPreorder(orderId) || !isFresh(context.clock, readAt, preorderIntervalMs),
      )
    for (const { orderId } of due)
      await refreshOrder(context, accountId, store, orderId, { priority: 'watch', signal })
    // Units that could not be delivered were credited back.
    if (due.some(({ orderId }) => store.isFinal(orderId)))
      await refreshBalance(context, accountId, store, signal)
  }

  /** Orders that the service can deliver at any moment. */
  function inDelivery(): { orderId: string }[] {
    return store.processing().filter(({ orderId }) => !isPreorder(orderId))
  }

  /** Whether the release is ahead at the service. Its date can change with the catalogue. */
  function isPreorder(orderId: string): boolean {
    return (releaseOf(accountId, orderId) ?? 0) > context.accounts.serviceNow(accountId)
  }
}

/**
 * Reads the complete history once, page by page from where the last run stopped; after that from
 * the newest order back to a page of settled ones. Returns whether anything changed.
 */
export async function syncOrders(
  context: Pick<OrdersContext, 'clock' | 'changes' | 'notices'>,
  accountId: string,
  store: OrderStore,
  line: Connection,
  signal: AbortSignal,
): Promise<boolean> {
  const { nextPage, complete } = store.history()
  let changed = false
  for (let page = complete ? 1 : nextPage; ; page++) {
    const answer = await line.call(
      'listOrders',
      { query: { page, limit: 100 } },
      { priority: 'background', signal },
    )
    const now = context.clock.now()
    const more = answer.results.length === 100
    const known = answer.results.every((order) => store.isFinal(order.id))
    const done = !more || (complete && known)
    const news = answer.results.some((order) => store.statusOf(order.id) !== order.status)
    const failed: OrderFacts[] = []
    store.transaction(() => {
      for (const order of answer.results) {
        const facts = orderFacts(order, now)
        if (hasJustFailed(store.statusOf(order.id), facts)) failed.push(facts)
        store.write(facts)
      }
      // Go one page back: orders placed since then push the rest down, so a page may repeat but
      // never be skipped. A sync of the newest orders that was interrupted between two pages must
      // resume. Otherwise the orders it hadn't reached would stay below known orders and never be
      // read.
      store.setHistory(done ? 1 : page, done, done ? now : null)
    })
    notifyFailed(context.notices, accountId, failed)
    if (news) {
      changed = true
      context.changes.notify('orders', accountId)
    }
    if (done) return changed
  }
}

/** Reads one order from the service into the mirror. */
export async function refreshOrder(
  context: OrdersContext,
  accountId: string,
  store: OrderStore,
  orderId: string,
  options: { priority: Priority; signal?: AbortSignal } = { priority: 'watch' },
): Promise<void> {
  const order = await context
    .connection(accountId)
    .call('getOrder', { params: { id: orderId } }, options)
  const facts = orderFacts(order, context.clock.now())
  const failed = store.transaction(() => {
    const before = store.statusOf(orderId)
    store.write(facts)
    return hasJustFailed(before, facts)
  })
  context.changes.notify('orders', accountId, orderId)
  if (failed) notifyFailed(context.notices, accountId, [facts])
}

/** Reads an order that isn't on this computer from the service, at a person's request. */
export async function lookUpOrder(
  context: OrdersContext,
  accountId: string,
  store: OrderStore,
  orderId: string,
): Promise<void> {
  try {
    await refreshOrder(context, accountId, store, orderId, { priority: 'person' })
  } catch (error) {
    if (!isFailure(error, 'NOT_FOUND')) throw error
    throw new Failure(
      {
        ...error.problem,
        what: 'The service has no such order for this account’s key.',
        // References are unique across both modes, but a key reads only orders of its own.
        next: 'It may be an order of the other mode, live or test. Check the order list.',
      },
      error,
    )
  }
}

/** Reads the balance of the key's mode into the mirror; returns whether it changed. */
export async function refreshBalance(
  context: OrdersContext,
  accountId: string,
  store: OrderStore,
  signal?: AbortSignal,
  line: Connection = context.connection(accountId),
): Promise<boolean> {
  const answer = await line.call('getBalance', {}, { priority: 'watch', ...(signal && { signal }) })
  const before = store.history().balance
  store.setBalance(answer.balance, context.clock.now())
  if (before?.cents === answer.balance) return false
  context.changes.notify('balance', accountId)
  return true
}
