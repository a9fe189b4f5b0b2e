import { Failure } from '../failure.ts'
import type { CoreContext } from '../context.ts'
import type { Attempts } from './attempts.ts'
import { orderFacts } from './order-facts.ts'
import type { OrderStore } from './store.ts'

/** Milliseconds between two looks: at orders that are being delivered, and at the newest orders and the balance. */
const processingEveryMs = 2000
const newestEveryMs = 30_000

/** Keeps one partner account's orders and balance up to date until `signal` aborts. */
export async function keepOrders(context: CoreContext, accountId: string, store: OrderStore, attempts: Attempts, signal: AbortSignal): Promise<void> {
  const line = context.line(accountId)
  let newestAt = Number.NEGATIVE_INFINITY
  while (!signal.aborted) {
    try {
      await line.ready(signal)
      await attempts.settleOpen(accountId)
      await refreshProcessing()
      if (context.clock.now() - newestAt >= newestEveryMs) {
        await pullHistory()
        await refreshBalance(context, accountId, store, signal)
        newestAt = context.clock.now()
      }
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof Failure)) context.report(`orders of ${accountId}`, error)
    }
    await pause(store.processing().length > 0 || store.openAttempts().length > 0 ? processingEveryMs : newestEveryMs)
  }

  async function refreshProcessing(): Promise<void> {
    for (const orderId of store.processing()) await refreshOrder(context, accountId, store, orderId, signal)
  }

  /** The whole history once, page by page from where the last run stopped; after that from the newest order back to one that is settled. */
  async function pullHistory(): Promise<void> {
    const { nextPage, complete } = store.history()
    for (let page = complete ? 1 : nextPage; ; page++) {
      const answer = await line.call('listOrders', { query: { page, limit: 100 } }, { priority: 'background', signal })
      const now = context.clock.now()
      const more = answer.results.length === 100
      const known = answer.results.length > 0 && answer.results.every((order) => store.isFinal(order.id))
      store.transaction(() => {
        for (const order of answer.results) store.write(orderFacts(order, now))
        // One page back: orders placed meanwhile push the rest down, so a page may repeat but never skip.
        if (!complete) store.setHistory(more ? page : 1, !more)
      })
      if (!known) context.changes.tell('orders', accountId)
      if (!more || (complete && known)) return
    }
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = context.clock.after(ms, done)
      function done(): void {
        cancel()
        signal.removeEventListener('abort', done)
        resolve()
      }
      signal.addEventListener('abort', done)
    })
  }
}

/** Reads one order from the service into the mirror. */
export async function refreshOrder(context: CoreContext, accountId: string, store: OrderStore, orderId: string, signal?: AbortSignal): Promise<void> {
  const order = await context.line(accountId).call('getOrder', { params: { id: orderId } }, { priority: 'watch', ...(signal && { signal }) })
  store.transaction(() => store.write(orderFacts(order, context.clock.now())))
  context.changes.tell('orders', accountId, orderId)
}

/** Reads the balance of the key's mode into the mirror. */
export async function refreshBalance(context: CoreContext, accountId: string, store: OrderStore, signal?: AbortSignal): Promise<void> {
  const answer = await context.line(accountId).call('getBalance', {}, { priority: 'watch', ...(signal && { signal }) })
  const before = store.history().balance
  store.setBalance(answer.balance, context.clock.now())
  if (before?.cents !== answer.balance) context.changes.tell('balance', accountId)
}
