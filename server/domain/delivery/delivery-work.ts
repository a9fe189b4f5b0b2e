import type { CancelSignal } from '../../api/handlers.ts'
import type { Context } from '../context.ts'
import type { Delivery } from './delivery.ts'
import { reachCrashPoint } from '../crash-points.ts'
import type { OrderRecord } from '../ports/ordering/orders.ts'
import type { DueWork } from '../clock/due-work.ts'

/** Most orders delivered in one transaction. More would keep requests waiting. */
const BATCH = 64

/** Notifies callers that wait for an order when the order is final. */
export interface Completions {
  /**
   * Resolves when the order is final, after `ms` of real time, when the client disconnects, or when
   * the service stops.
   */
  wait(orderId: string, ms: number, signal: CancelSignal): Promise<void>
  done(orderId: string): void
  closeAll(): void
}

/** Waiting costs a promise and a timer: no lock and no store query (Decision 14). */
export function createCompletions(): Completions {
  const waiting = new Map<string, Set<() => void>>()
  return {
    wait: (orderId, ms, signal) =>
      new Promise((resolve) => {
        const others = waiting.get(orderId) ?? new Set()
        waiting.set(orderId, others)
        const end = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', end)
          others.delete(end)
          if (others.size === 0 && waiting.get(orderId) === others) waiting.delete(orderId)
          resolve()
        }
        const timer = setTimeout(end, ms)
        others.add(end)
        signal.addEventListener('abort', end)
        if (signal.aborted) end()
      }),
    done(orderId) {
      for (const end of Array.from(waiting.get(orderId) ?? [])) end()
    },
    closeAll() {
      for (const ends of Array.from(waiting.values())) for (const end of Array.from(ends)) end()
    },
  }
}

/**
 * Deliveries as due work: processing orders by due time, several in one transaction. `final` is
 * called inside the transaction for each order that has become final.
 */
export function createDeliveryWork(
  { store, log }: Context,
  delivery: Delivery,
  completions: Completions,
  final: (order: OrderRecord, at: number) => void,
): DueWork {
  function deliverAll(orders: readonly OrderRecord[], at: number): void {
    store.transaction(() => {
      for (const order of orders) {
        const after = delivery.deliver(order, at)
        if (after.status === 'processing') continue
        final(after, at)
        reachCrashPoint('delivery.told')
        store.afterCommit(() => {
          reachCrashPoint('delivery.committed')
          completions.done(after.id)
        })
      }
    })
  }

  /** Postpones an order that can't be delivered, so that it doesn't hold up the others. */
  function deliverAlone(order: OrderRecord, at: number): void {
    try {
      deliverAll([order], at)
    } catch (error) {
      log.error('an order could not be delivered and will be retried', {
        orderId: order.id,
        error: String(error),
      })
      store.transaction(() => store.orders.postpone(order.no, at + PUT_OFF_MS))
    }
  }

  return {
    nextAt: () => store.orders.nextDueAt(),
    run(at) {
      const orders = store.orders.due(at, BATCH)
      try {
        deliverAll(orders, at)
      } catch {
        for (const order of orders) deliverAlone(order, at)
      }
    },
  }
}

const PUT_OFF_MS = 60_000
