/**
 * Events that fall due as the clock moves: deliveries at a launch, releases, escalations (Decisions
 * 16, 30, 31).
 */
import { deliver } from './ordering.ts'
import type { Dispute, Line, Model, Order, Sale } from './state.ts'

type Due = { at: number; run: () => void }

export function release(model: Model, sale: Sale): void {
  sale.status = 'released'
  sale.releasedAt = model.now
}

const disputed = (sale: Sale): boolean =>
  sale.dispute !== null && sale.dispute.status !== 'resolved'

export function escalate(dispute: Dispute): void {
  dispute.status = 'escalated'
  dispute.escalatesAt = null
}

function dueWork(model: Model): Due[] {
  return [
    ...waiting(model).map(({ order, line }) => ({
      at: line.dueAt,
      run: () => deliver(model, order),
    })),
    ...model.sales
      .filter((sale) => sale.status === 'pending' && !disputed(sale))
      .map((sale) => ({ at: sale.releaseAt, run: () => release(model, sale) })),
    ...model.disputes.flatMap((dispute) =>
      dispute.status === 'open' && dispute.escalatesAt !== null
        ? [{ at: dispute.escalatesAt, run: () => escalate(dispute) }]
        : [],
    ),
  ]
}

/** Lines that wait for their launch. */
export const waiting = (model: Model): { order: Order; line: Line }[] =>
  model.orders.flatMap((order) =>
    order.lines.filter(({ status }) => status === 'processing').map((line) => ({ order, line })),
  )

/** The time of the next automatic event; null: there is none. */
export function nextDue(model: Model): number | null {
  const times = dueWork(model).map(({ at }) => at)
  return times.length === 0 ? null : Math.min(...times)
}

/** Performs everything due up to `until`, each at its own time, and moves the clock there. */
export function advance(model: Model, until: number): void {
  for (;;) {
    const due = dueWork(model).filter(({ at }) => at <= until)
    const first = due.reduce<Due | null>(
      (least, each) => (least === null || each.at < least.at ? each : least),
      null,
    )
    if (first === null) break
    model.now = Math.max(model.now, first.at)
    first.run()
  }
  model.now = until
}
